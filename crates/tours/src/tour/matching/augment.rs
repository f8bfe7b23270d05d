//! Augmentation: flips the matching along the path from an item to the root of its tree.

use super::solver::{NONE, Solver};

impl Solver {
    /// Matches `item` with `other`, then the former partner of `item` with its parent in the tree, and so on up to
    /// the unmatched root.
    pub(super) fn flip(&mut self, mut item: usize, mut other: usize) {
        loop {
            let left = self.mates[item];
            self.pair(item, other);
            if left == NONE {
                return;
            }
            let odd = self.tops[left];
            let above = self.tops[self.parents[odd]];
            self.pair(odd, above);
            (item, other) = (above, odd);
        }
    }

    /// Makes the end of the edge from `item` to `other` the partner of `item`. If `item` is a blossom, the item on
    /// its cycle from which the edge leaves becomes the base, and the pairs on the even path to the old base are
    /// exchanged.
    fn pair(&mut self, item: usize, other: usize) {
        let Some(edge) = self.edge(item, other) else { return };
        self.mates[item] = edge.to;
        if item < self.vertices {
            return;
        }
        let left_from = self.inside[item * self.vertices + edge.from];
        let steps = self.steps_from_base(item, left_from);
        for at in (0..steps).step_by(2) {
            let (a, b) = (self.cycles[item][at], self.cycles[item][at + 1]);
            self.pair(a, b);
            self.pair(b, a);
        }
        self.pair(left_from, other);
        self.cycles[item].rotate_left(steps);
    }
}
