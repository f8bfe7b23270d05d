//! Placement by the largest entries.

use super::heads::place_all;
use super::{AccessCounts, NodeAssignment, Rules};

/// Takes the largest entries first, but among those near the largest it takes the one whose node
/// has the fewest local accesses so far. The threads must [fit](Rules::fit) on the nodes.
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
