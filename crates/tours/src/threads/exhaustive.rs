//! Exhaustive search over all placements.

use super::{AccessCounts, NodeAssignment, Rules};
use std::fmt;

/// Upper limit of the placements that are tried: about a second of work.
pub const MOST_PLACEMENTS: u64 = 1 << 25;

/// Placement with the most local accesses, found by trying all placements: the reference for small tables. Of several
/// such placements it is the one with the lowest nodes for the first threads. The threads must [fit](Rules::fit) on
/// the nodes.
pub fn exhaustive(counts: &AccessCounts, rules: &Rules) -> Result<NodeAssignment, TooMany> {
    let placements = u32::try_from(counts.threads())
        .ok()
        .and_then(|threads| (counts.nodes() as u64).checked_pow(threads))
        .filter(|&placements| placements <= MOST_PLACEMENTS);
    if placements.is_none() {
        return Err(TooMany { threads: counts.threads(), nodes: counts.nodes() });
    }
    let mut trial =
        Trial { counts, free: vec![rules.cores_per_node; counts.nodes()], node_of: Vec::new(), best: None };
    trial.place_next(0);
    Ok(NodeAssignment { node_of: trial.best.map(|(_, node_of)| node_of).unwrap_or_default() })
}

struct Trial<'a> {
    counts: &'a AccessCounts,
    /// Free cores of each node.
    free: Vec<usize>,
    /// Node of each thread placed so far, by thread number.
    node_of: Vec<usize>,
    /// The most local accesses of any complete placement so far, and that placement; `None` before the first.
    best: Option<(u64, Vec<usize>)>,
}

impl Trial<'_> {
    fn place_next(&mut self, local: u64) {
        let thread = self.node_of.len();
        if thread == self.counts.threads() {
            if self.best.as_ref().is_none_or(|(most, _)| local > *most) {
                self.best = Some((local, self.node_of.clone()));
            }
            return;
        }
        for node in 0..self.counts.nodes() {
            if self.free[node] > 0 {
                self.free[node] -= 1;
                self.node_of.push(node);
                self.place_next(local + self.counts.of(thread, node));
                self.node_of.pop();
                self.free[node] += 1;
            }
        }
    }
}

/// There are more placements than [`MOST_PLACEMENTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    pub threads: usize,
    pub nodes: usize,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = (MOST_PLACEMENTS as f64).ln() / (self.nodes as f64).ln();
        write!(
            f,
            "{} threads on {} nodes can be placed in {}^{} ways, more than can be tried; at most {most:.0} \
             threads on so many nodes",
            self.threads,
            self.nodes,
            self.nodes,
            self.threads,
            most = most.floor(),
        )
    }
}

impl std::error::Error for TooMany {}
