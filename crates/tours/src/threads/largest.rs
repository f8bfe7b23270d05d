//! Placement by the largest entries.

use super::heads::place_all;
use super::{AccessCounts, NodeAssignment, Rules};

/// Places one thread in each step. The largest remaining entry of each node (accesses of a thread to the node)
/// competes if it is at least the largest of all divided by the NUMA factor. The entry whose node has the fewest
/// local accesses so far wins. The threads must [fit](Rules::fit) on the nodes.
pub fn largest(counts: &AccessCounts, rules: &Rules) -> NodeAssignment {
    let mut local = vec![0u64; counts.nodes()];
    place_all(
        counts,
        rules,
        &mut local,
        |local, candidate| local[candidate.node] as f64,
        |local, candidate| local[candidate.node] += candidate.count,
    )
}
