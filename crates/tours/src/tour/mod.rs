//! Short closed tours through all nodes (the travelling salesman problem).
//!
//! Every function is deterministic: ties go to the lowest node. A tour starts at node 0 and goes
//! first to the nearer of that node's two neighbours in the tour.

mod christofides;
mod exact;
mod greedy;
mod local_search;
mod matching;

pub use christofides::christofides;
pub use exact::{MOST_EXACT, exact};
pub use greedy::greedy;
pub use local_search::local_search;

use crate::DistanceMatrix;

// Glossary: tour: A closed walk through all nodes, from which a place list is made.
/// A closed tour: every node once, and back to the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Tour {
    pub order: Vec<usize>,
    /// Total distance, including the way back.
    pub length: f64,
}

/// The shortest tour up to `MOST_EXACT` nodes, otherwise the tour of local search.
pub fn best(matrix: &DistanceMatrix) -> Tour {
    exact(matrix).unwrap_or_else(|| local_search(matrix))
}

/// Algorithms for a closed tour. Each variant is the function of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    Greedy,
    Christofides,
    Exact,
    LocalSearch,
}

impl Algorithm {
    /// All algorithms, simplest first.
    pub const ALL: [Algorithm; 4] =
        [Algorithm::Greedy, Algorithm::Christofides, Algorithm::Exact, Algorithm::LocalSearch];

    /// Algorithm that [`best`] uses for `nodes` nodes.
    pub fn best(nodes: usize) -> Algorithm {
        if nodes <= MOST_EXACT { Algorithm::Exact } else { Algorithm::LocalSearch }
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Greedy => "greedy",
            Algorithm::Christofides => "christofides",
            Algorithm::Exact => "exact",
            Algorithm::LocalSearch => "local-search",
        }
    }

    /// Tour that the algorithm finds; `None` if there are too many nodes for the algorithm.
    pub fn tour(self, matrix: &DistanceMatrix) -> Option<Tour> {
        match self {
            Algorithm::Greedy => Some(greedy(matrix)),
            Algorithm::Christofides => Some(christofides(matrix)),
            Algorithm::Exact => exact(matrix),
            Algorithm::LocalSearch => Some(local_search(matrix)),
        }
    }
}

impl Tour {
    /// The closed tour in the order `order`, rotated to start at node 0 and reversed if that brings the nearer
    /// neighbour of node 0 first.
    fn new(matrix: &DistanceMatrix, mut order: Vec<usize>) -> Tour {
        let start = order.iter().position(|&node| node == 0).unwrap_or(0);
        order.rotate_left(start);
        if let [first, second, .., last] = order[..] {
            // A team on the first places profits if the nearer neighbour comes first.
            let step = |node| (matrix.weight(first, node), node);
            if step(last) < step(second) {
                order[1..].reverse();
            }
        }
        Tour { length: matrix.length(&order), order }
    }
}

#[cfg(test)]
mod tests;
