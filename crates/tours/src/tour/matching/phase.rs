//! One phase: trees grow until two more vertices are matched.

use super::solver::{Edge, NONE, Solver, TreeLabel};

impl Solver {
    /// Runs phases until every vertex is matched. Returns the partner of each vertex.
    pub(super) fn solve(mut self) -> Vec<usize> {
        while self.mates[..self.vertices].contains(&NONE) {
            self.plant();
            while !self.grow() {
                self.reprice();
                if self.follow_tight() {
                    break;
                }
                self.open_worthless();
            }
        }
        self.mates.truncate(self.vertices);
        self.mates
    }

    /// Starts a tree at every unmatched item.
    fn plant(&mut self) {
        self.labels.fill(TreeLabel::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        for item in 0..self.items {
            if self.tops[item] == item && self.mates[item] == NONE {
                self.parents[item] = NONE;
                self.labels[item] = TreeLabel::Even;
                self.enqueue(item);
            }
        }
    }

    /// Follows tight edges from even vertices. Returns true if two more vertices are matched.
    fn grow(&mut self) -> bool {
        while let Some(from) = self.queue.pop_front() {
            for to in 0..self.vertices {
                if self.tops[from] == self.tops[to] {
                    continue;
                }
                let edge = Edge { from, to };
                if self.slack(edge) > 0 {
                    self.approach(from, self.tops[to]);
                } else if self.follow(edge) {
                    return true;
                }
            }
        }
        false
    }

    /// Extends a tree by a tight edge from an even vertex, shrinks a cycle, or joins two trees. Returns true if two
    /// trees were joined, which ends the phase.
    fn follow(&mut self, edge: Edge) -> bool {
        let (even, met) = (self.tops[edge.from], self.tops[edge.to]);
        match self.labels[met] {
            TreeLabel::Free => {
                // All unmatched items are roots, so this one has a partner, which becomes even.
                let partner = self.tops[self.mates[met]];
                self.parents[met] = edge.from;
                self.labels[met] = TreeLabel::Odd;
                self.labels[partner] = TreeLabel::Even;
                self.nearest[met] = NONE;
                self.nearest[partner] = NONE;
                self.enqueue(partner);
            }
            TreeLabel::Odd => {}
            TreeLabel::Even => match self.meeting_point(even, met) {
                Some(base) => self.shrink(even, base, met),
                None => {
                    self.flip(even, met);
                    self.flip(met, even);
                    return true;
                }
            },
        }
        false
    }

    /// Changes prices by the largest step at which no edge gets a negative slack and no blossom a negative price.
    fn reprice(&mut self) {
        let step = |item: usize| match (self.labels[item], self.slack_of_nearest(item)) {
            (TreeLabel::Odd, _) if item >= self.vertices => Some(self.prices[item] / 2),
            (TreeLabel::Free, Some(slack)) => Some(slack),
            // Both ends of the edge are even, so both prices change.
            (TreeLabel::Even, Some(slack)) => Some(slack / 2),
            _ => None,
        };
        // At least two roots are even and have an edge, so there is always a step.
        let step = self.outermost().filter_map(step).min().unwrap_or(0);
        for vertex in 0..self.vertices {
            self.prices[vertex] += match self.labels[self.tops[vertex]] {
                TreeLabel::Even => -step,
                TreeLabel::Odd => step,
                TreeLabel::Free => 0,
            };
        }
        for blossom in self.vertices..self.items {
            if self.tops[blossom] == blossom {
                self.prices[blossom] += match self.labels[blossom] {
                    TreeLabel::Even => 2 * step,
                    TreeLabel::Odd => -2 * step,
                    TreeLabel::Free => 0,
                };
            }
        }
    }

    /// Follows the edges that new prices have made tight. Returns true if two more vertices are matched.
    fn follow_tight(&mut self) -> bool {
        self.queue.clear();
        for item in 0..self.items {
            if self.tops[item] != item || self.slack_of_nearest(item) != Some(0) {
                continue;
            }
            let from = self.nearest[item];
            if self.tops[from] != item
                && let Some(edge) = self.edge(from, item)
                && self.follow(edge)
            {
                return true;
            }
        }
        false
    }

    /// Expands odd blossoms whose price is zero.
    fn open_worthless(&mut self) {
        for blossom in self.vertices..self.items {
            if self.tops[blossom] == blossom
                && self.labels[blossom] == TreeLabel::Odd
                && self.prices[blossom] == 0
            {
                self.open(blossom);
            }
        }
    }
}
