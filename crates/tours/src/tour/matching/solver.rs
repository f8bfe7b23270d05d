//! State of the search for a matching, and its queries.

use std::collections::VecDeque;

/// Sentinel for no vertex, tree or partner.
pub(super) const NONE: usize = usize::MAX;

/// An edge between two vertices of the graph. For blossoms it is the tightest edge between their vertices.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
}

/// Position of a vertex or blossom in the trees.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TreeLabel {
    /// Item in no tree.
    Free,
    /// A root, or an item at an even number of edges from its root.
    Even,
    /// An item at an odd number of edges from its root.
    Odd,
}

/// State of the search. Vertices are numbered from 0, blossoms from `vertices`; both are *items*.
pub(super) struct Solver {
    pub vertices: usize,
    /// Number of items in use: all vertices, and the highest blossom used so far.
    pub items: usize,
    /// Allocated number of items.
    pub room: usize,
    gains: Vec<i64>,
    /// An edge for each pair of items; the edge has `NONE` as ends if the pair has no edge.
    edges: Vec<Edge>,
    /// Twice the price of a vertex (so that half a gain is an integer); the price of a blossom.
    pub prices: Vec<i64>,
    /// The vertex at the other end of an item's edge in the matching; [`NONE`] if the item is unmatched.
    pub mates: Vec<usize>,
    /// The outermost blossom around each item; the item itself if it is inside no blossom; `NONE` for an unused
    /// blossom.
    pub tops: Vec<usize>,
    pub labels: Vec<TreeLabel>,
    /// For an odd item, the vertex of the tree from which the item was reached; `NONE` for a root.
    pub parents: Vec<usize>,
    /// For each item the even vertex whose edge to the item has the least slack; `NONE` without such an edge.
    pub nearest: Vec<usize>,
    /// The items on each blossom's cycle, starting with the base, which the matching edge enters.
    pub cycles: Vec<Vec<usize>>,
    /// `inside[blossom * vertices + vertex]`: the item on the blossom's cycle that contains the vertex.
    pub inside: Vec<usize>,
    /// Even vertices whose edges are still to be visited.
    pub queue: VecDeque<usize>,
}

impl Solver {
    pub fn new(vertices: usize, gain: impl Fn(usize, usize) -> i64) -> Solver {
        // Blossoms are nested odd cycles: at most half as many as vertices.
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
            labels: vec![TreeLabel::Free; room],
            parents: vec![NONE; room],
            nearest: vec![NONE; room],
            cycles: vec![Vec::new(); room],
            inside,
            queue: VecDeque::new(),
        }
    }

    pub fn edge(&self, a: usize, b: usize) -> Option<Edge> {
        Some(self.edges[a * self.room + b]).filter(|edge| edge.from != NONE)
    }

    pub fn set_edge(&mut self, a: usize, b: usize, edge: Option<Edge>) {
        self.edges[a * self.room + b] = edge.unwrap_or(Edge { from: NONE, to: NONE });
    }

    /// Twice the slack of an edge: 0 if it is tight.
    pub fn slack(&self, Edge { from, to }: Edge) -> i64 {
        self.prices[from] + self.prices[to] - 2 * self.gains[from * self.vertices + to]
    }

    /// Twice the slack of the edge from the nearest even vertex to `item`; `None` without a nearest even vertex.
    pub fn slack_of_nearest(&self, item: usize) -> Option<i64> {
        let from = self.nearest[item];
        if from == NONE { None } else { self.edge(from, item).map(|edge| self.slack(edge)) }
    }

    /// Items that are inside no blossom.
    pub fn outermost(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.items).filter(|&item| self.tops[item] == item)
    }

    /// Queues the vertices inside an item that became even.
    pub fn enqueue(&mut self, item: usize) {
        if item < self.vertices {
            return self.queue.push_back(item);
        }
        for at in 0..self.cycles[item].len() {
            self.enqueue(self.cycles[item][at]);
        }
    }

    /// Records the even vertex `from` as nearest to `item` if its edge is tighter than that of the recorded vertex.
    pub fn approach(&mut self, from: usize, item: usize) {
        let Some(edge) = self.edge(from, item) else { return };
        if self.slack_of_nearest(item).is_none_or(|known| self.slack(edge) < known) {
            self.nearest[item] = from;
        }
    }

    /// Recomputes the nearest even vertex of an item.
    pub fn find_nearest(&mut self, item: usize) {
        self.nearest[item] = NONE;
        for from in 0..self.vertices {
            let top = self.tops[from];
            if top != item && self.labels[top] == TreeLabel::Even {
                self.approach(from, item);
            }
        }
    }
}
