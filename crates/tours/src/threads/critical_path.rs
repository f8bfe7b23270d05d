//! Placement by the shortest critical path.

use super::heads::place_all;
use super::{AccessCounts, NodeAssignment, Rules};

/// As [`largest`](super::largest()), but among the entries near the largest it takes the one with the least sum of
/// its own [impact](Rules::impact) and the impact of the threads already on its node. The threads must
/// [fit](Rules::fit) on the nodes.
pub fn critical_path(counts: &AccessCounts, rules: &Rules) -> NodeAssignment {
    let mut on_node = vec![0.0; counts.nodes()];
    place_all(
        counts,
        rules,
        &mut on_node,
        |on_node, one| on_node[one.node] + rules.impact(counts, one.thread, one.node),
        |on_node, one| on_node[one.node] += rules.impact(counts, one.thread, one.node),
    )
}
