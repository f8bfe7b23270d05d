//! A node for each thread, from a table of how often each thread accessed the memory of each node.
//!
//! [`exhaustive()`] finds the placement with the most local accesses.
//! [`largest()`] and [`critical_path()`] take about as many steps as the table has entries, after
//! sorting it.

mod critical_path;
mod exhaustive;
mod heads;
mod largest;
mod table;

pub use critical_path::critical_path;
pub use exhaustive::exhaustive;
pub use largest::largest;
pub use table::{AccessCounts, AccessCountsError};

/// Largest accepted cost of a remote access, in local accesses.
const MOST_FACTOR: f64 = 1e6;

/// Cost model and limits of placements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    cores_per_node: usize,
    numa_factor: f64,
}

impl Rules {
    /// Rules for at most `cores_per_node` threads on a node, where a remote access costs as much as `numa_factor`
    /// local accesses. `None` if there are no cores, or if the factor is below 1 or above a million.
    pub fn new(cores_per_node: usize, numa_factor: f64) -> Option<Rules> {
        let sound = cores_per_node > 0 && (1.0..=MOST_FACTOR).contains(&numa_factor);
        sound.then_some(Rules { cores_per_node, numa_factor })
    }

    /// Upper limit of the threads on a node.
    pub fn cores_per_node(&self) -> usize {
        self.cores_per_node
    }

    /// True if the nodes have at least one core for each thread of the table.
    pub fn fit(&self, counts: &AccessCounts) -> bool {
        self.cores_per_node.saturating_mul(counts.nodes()) >= counts.threads()
    }

    /// Impact of a thread on a node: the cost of its accesses when it runs there, in local accesses.
    pub fn impact(&self, counts: &AccessCounts, thread: usize, node: usize) -> f64 {
        let local = counts.of(thread, node);
        local as f64 + self.numa_factor * (counts.total(thread) - local) as f64
    }
}

/// Placement of threads: a node for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeAssignment {
    /// Node of each thread, by thread number.
    pub node_of: Vec<usize>,
}

impl NodeAssignment {
    pub fn local(&self, counts: &AccessCounts) -> u64 {
        self.node_of.iter().enumerate().map(|(thread, &node)| counts.of(thread, node)).sum()
    }

    /// Critical path: the largest sum, over all nodes, of the impacts of the threads on one node.
    pub fn critical_path(&self, counts: &AccessCounts, rules: &Rules) -> f64 {
        let mut on_node = vec![0.0; counts.nodes()];
        for (thread, &node) in self.node_of.iter().enumerate() {
            on_node[node] += rules.impact(counts, thread, node);
        }
        on_node.into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests;
