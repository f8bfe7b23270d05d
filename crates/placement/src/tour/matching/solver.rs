//! The state of the search, and one phase of it.

use std::collections::VecDeque;

/// No vertex, no tree, no partner.
pub(super) const NONE: usize = usize::MAX;

/// An edge between two vertices of the graph: for blossoms, the one that joins them most tightly.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
}

/// Where a vertex or blossom is in the trees.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Label {
    /// In none.
    Free,
    /// An even number of edges from a root, or a root.
    Even,
    /// An odd number of edges from a root.
    Odd,
}

/// Vertices are numbered from 0, blossoms from `vertices`; both are *items*.
pub(super) struct Solver {
    pub vertices: usize,
    /// Vertices and blossoms that were ever needed.
    pub items: usize,
    /// Room for so many items.
    pub room: usize,
    gains: Vec<i64>,
    /// For each two items, an edge between them; [`NONE`] at its ends where there is none.
    edges: Vec<Edge>,
    /// Twice a vertex's price (so that half a gain is whole), a blossom's price.
    pub prices: Vec<i64>,
    /// The vertex at the other end of an item's edge in the matching.
    pub mates: Vec<usize>,
    /// The outermost blossom around each item, or itself; [`NONE`] for a blossom that is not in use.
    pub tops: Vec<usize>,
    pub labels: Vec<Label>,
    /// The vertex in the tree through which an odd item was reached.
    pub parents: Vec<usize>,
    /// The even vertex with the least slack towards an item, [`NONE`] if none is known.
    pub nearest: Vec<usize>,
    /// The items on each blossom's cycle; the base, which the matching enters by, comes first.
    pub cycles: Vec<Vec<usize>>,
    /// `inside[blossom * vertices + vertex]`: the item on the blossom's cycle that the vertex lies in.
    pub inside: Vec<usize>,
    /// Even vertices whose edges are still to be looked at.
    pub queue: VecDeque<usize>,
}

impl Solver {
    pub fn new(vertices: usize, gain: impl Fn(usize, usize) -> i64) -> Solver {
        // Blossoms are nested odd cycles: there are never more than half as many as vertices.
        let room = vertices + vertices / 2 + 1;
        let mut gains = vec![0; vertices * vertices];
        let mut edges = vec![Edge { from: NONE, to: NONE }; room * room];
        let mut inside = vec![NONE; room * vertices];
        for from in 0..vertices {
            inside[from * vertices + from] = from;
            for to in (0..vertices).filter(|&to| to != from) {
                gains[from * vertices + to] = gain(from, to);
                edges[from * room + to] = Edge { from, to };
            }
        }
        let highest = gains.iter().copied().max().unwrap_or(0);
        Solver {
            vertices,
            items: vertices,
            room,
            gains,
            edges,
            prices: (0..room).map(|item| if item < vertices { highest } else { 0 }).collect(),
            mates: vec![NONE; room],
            tops: (0..room).map(|item| if item < vertices { item } else { NONE }).collect(),
            labels: vec![Label::Free; room],
            parents: vec![NONE; room],
            nearest: vec![NONE; room],
            cycles: vec![Vec::new(); room],
            inside,
            queue: VecDeque::new(),
        }
    }

    /// The partner of each vertex.
    pub fn solve(mut self) -> Vec<usize> {
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

    pub fn edge(&self, a: usize, b: usize) -> Option<Edge> {
        Some(self.edges[a * self.room + b]).filter(|edge| edge.from != NONE)
    }

    pub fn set_edge(&mut self, a: usize, b: usize, edge: Option<Edge>) {
        self.edges[a * self.room + b] = edge.unwrap_or(Edge { from: NONE, to: NONE });
    }

    /// How far an edge is from tight, doubled.
    pub fn slack(&self, Edge { from, to }: Edge) -> i64 {
        self.prices[from] + self.prices[to] - 2 * self.gains[from * self.vertices + to]
    }

    /// Twice the slack of the edge from the nearest even vertex, if one is known.
    fn slack_of_nearest(&self, item: usize) -> Option<i64> {
        let from = self.nearest[item];
        if from == NONE { None } else { self.edge(from, item).map(|edge| self.slack(edge)) }
    }

    /// Items that are inside no other.
    pub fn outermost(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.items).filter(|&item| self.tops[item] == item)
    }

    /// Starts a tree at everybody who is alone.
    fn plant(&mut self) {
        self.labels.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        for item in 0..self.items {
            if self.tops[item] == item && self.mates[item] == NONE {
                self.parents[item] = NONE;
                self.labels[item] = Label::Even;
                self.enqueue(item);
            }
        }
    }

    /// Queues the vertices of an item that has become even.
    pub fn enqueue(&mut self, item: usize) {
        if item < self.vertices {
            return self.queue.push_back(item);
        }
        for at in 0..self.cycles[item].len() {
            self.enqueue(self.cycles[item][at]);
        }
    }

    /// Follows tight edges from even vertices; whether two more have found partners.
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

    /// Remembers an even vertex for an item if its edge is tighter than the one known.
    fn approach(&mut self, from: usize, item: usize) {
        let Some(edge) = self.edge(from, item) else { return };
        if self.slack_of_nearest(item).is_none_or(|known| self.slack(edge) < known) {
            self.nearest[item] = from;
        }
    }

    /// Finds the nearest even vertex of an item anew.
    pub fn find_nearest(&mut self, item: usize) {
        self.nearest[item] = NONE;
        for from in 0..self.vertices {
            let top = self.tops[from];
            if top != item && self.labels[top] == Label::Even {
                self.approach(from, item);
            }
        }
    }

    /// Extends a tree by a tight edge from an even vertex, shrinks a cycle, or joins two trees, which
    /// ends the phase.
    fn follow(&mut self, edge: Edge) -> bool {
        let (even, met) = (self.tops[edge.from], self.tops[edge.to]);
        match self.labels[met] {
            Label::Free => {
                // Everybody who is alone is a root, so this one has a partner: it is the next even one.
                let partner = self.tops[self.mates[met]];
                self.parents[met] = edge.from;
                self.labels[met] = Label::Odd;
                self.labels[partner] = Label::Even;
                self.nearest[met] = NONE;
                self.nearest[partner] = NONE;
                self.enqueue(partner);
            }
            Label::Odd => {}
            Label::Even => match self.meeting_point(even, met) {
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

    /// Changes prices by as much as keeps every edge within its bounds.
    fn reprice(&mut self) {
        let step = |item: usize| match (self.labels[item], self.slack_of_nearest(item)) {
            (Label::Odd, _) if item >= self.vertices => Some(self.prices[item] / 2),
            (Label::Free, Some(slack)) => Some(slack),
            // Both ends come closer.
            (Label::Even, Some(slack)) => Some(slack / 2),
            _ => None,
        };
        // Two roots at least are even and have an edge: there always is a step.
        let step = self.outermost().filter_map(step).min().unwrap_or(0);
        for vertex in 0..self.vertices {
            self.prices[vertex] += match self.labels[self.tops[vertex]] {
                Label::Even => -step,
                Label::Odd => step,
                Label::Free => 0,
            };
        }
        for blossom in self.vertices..self.items {
            if self.tops[blossom] == blossom {
                self.prices[blossom] += match self.labels[blossom] {
                    Label::Even => 2 * step,
                    Label::Odd => -2 * step,
                    Label::Free => 0,
                };
            }
        }
    }

    /// Follows the edges that new prices have made tight; whether two more have found partners.
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

    /// Opens odd blossoms whose price has come down to nothing.
    fn open_worthless(&mut self) {
        for blossom in self.vertices..self.items {
            if self.tops[blossom] == blossom
                && self.labels[blossom] == Label::Odd
                && self.prices[blossom] == 0
            {
                self.open(blossom);
            }
        }
    }
}
