//! Blossoms: odd cycles that are treated as one vertex.

use super::solver::{NONE, Solver, TreeLabel};

impl Solver {
    /// The item at which the paths of two even items to their roots meet; `None` if they are in
    /// different trees.
    pub(super) fn meeting_point(&self, a: usize, b: usize) -> Option<usize> {
        let mut passed = vec![false; self.items];
        let mut here = Some(a);
        while let Some(item) = here {
            passed[item] = true;
            here = self.even_above(item);
        }
        let mut here = Some(b);
        while let Some(item) = here.filter(|&item| !passed[item]) {
            here = self.even_above(item);
        }
        here
    }

    /// The next even item towards the root, via the partner, which is odd.
    fn even_above(&self, even: usize) -> Option<usize> {
        match self.mates[even] {
            NONE => None,
            mate => Some(self.tops[self.parents[self.tops[mate]]]),
        }
    }

    /// Items on the path from an even item up to the base, without the base: even, odd, even, odd, and so on.
    fn way_up(&self, mut even: usize, base: usize) -> Vec<usize> {
        let mut way = Vec::new();
        while even != base {
            let odd = self.tops[self.mates[even]];
            way.extend([even, odd]);
            even = self.tops[self.parents[odd]];
        }
        way
    }

    /// Shrinks the cycle base, ..., `a`, `b`, ..., base to one even item.
    pub(super) fn shrink(&mut self, a: usize, base: usize, b: usize) {
        let unused = (self.vertices..self.items).find(|&item| self.tops[item] == NONE);
        let blossom = unused.unwrap_or(self.items);
        self.items = self.items.max(blossom + 1);
        let mut cycle = self.way_up(a, base);
        let other = self.way_up(b, base);
        // The odd items become even, and their edges are queued.
        for way in [&cycle, &other] {
            way.iter().skip(1).step_by(2).for_each(|&odd| self.enqueue(odd));
        }
        cycle.push(base);
        cycle.reverse();
        cycle.extend(other);

        self.prices[blossom] = 0;
        self.labels[blossom] = TreeLabel::Even;
        self.mates[blossom] = self.mates[base];
        self.parents[blossom] = self.parents[base];
        self.join_edges(blossom, &cycle);
        self.cycles[blossom] = cycle;
        self.put_under(blossom, blossom);
        self.find_nearest(blossom);
    }

    /// Sets the edge from a blossom to each other item: the tightest edge of the items on its cycle.
    fn join_edges(&mut self, blossom: usize, cycle: &[usize]) {
        for other in 0..self.items {
            self.set_edge(blossom, other, None);
            self.set_edge(other, blossom, None);
        }
        self.inside[blossom * self.vertices..][..self.vertices].fill(NONE);
        for &item in cycle {
            for other in 0..self.items {
                let Some(edge) = self.edge(item, other) else { continue };
                if self.edge(blossom, other).is_none_or(|known| self.slack(edge) < self.slack(known)) {
                    self.set_edge(blossom, other, Some(edge));
                    self.set_edge(other, blossom, self.edge(other, item));
                }
            }
            for vertex in 0..self.vertices {
                if self.inside[item * self.vertices + vertex] != NONE {
                    self.inside[blossom * self.vertices + vertex] = item;
                }
            }
        }
    }

    /// Makes `top` the outermost blossom of `item` and of all items inside `item`.
    fn put_under(&mut self, item: usize, top: usize) {
        self.tops[item] = top;
        for at in 0..self.cycles[item].len() {
            self.put_under(self.cycles[item][at], top);
        }
    }

    /// Expands an odd blossom into its cycle. The tree enters the blossom at one item and leaves it at the base: the
    /// items on the even path between these two stay in the tree, all other items of the cycle leave the tree.
    pub(super) fn open(&mut self, blossom: usize) {
        for at in 0..self.cycles[blossom].len() {
            let item = self.cycles[blossom][at];
            self.put_under(item, item);
        }
        let Some(entry) = self.edge(blossom, self.parents[blossom]) else { return };
        let entered = self.inside[blossom * self.vertices + entry.from];
        let steps = self.steps_from_base(blossom, entered);
        let cycle = std::mem::take(&mut self.cycles[blossom]);
        for pair in cycle[..steps].chunks_exact(2) {
            let (odd, even) = (pair[0], pair[1]);
            self.parents[odd] = self.edge(even, odd).map_or(NONE, |edge| edge.from);
            self.labels[odd] = TreeLabel::Odd;
            self.labels[even] = TreeLabel::Even;
        }
        self.labels[entered] = TreeLabel::Odd;
        self.parents[entered] = self.parents[blossom];
        cycle[steps + 1..].iter().for_each(|&item| self.labels[item] = TreeLabel::Free);
        self.tops[blossom] = NONE;
        // All labels are final from here on.
        for item in cycle {
            match self.labels[item] {
                TreeLabel::Odd => self.nearest[item] = NONE,
                TreeLabel::Free => self.find_nearest(item),
                TreeLabel::Even => {
                    self.find_nearest(item);
                    self.enqueue(item);
                }
            }
        }
    }

    /// Number of steps from the base to an item along the even direction of the cycle; reverses the
    /// cycle if necessary.
    pub(super) fn steps_from_base(&mut self, blossom: usize, item: usize) -> usize {
        let cycle = &mut self.cycles[blossom];
        // Every item is on the cycle of its blossom.
        let steps = cycle.iter().position(|&at| at == item).unwrap_or(0);
        if steps.is_multiple_of(2) {
            return steps;
        }
        cycle[1..].reverse();
        cycle.len() - steps
    }
}
