//! The shortest critical path.

use super::heads::place_all;
use super::{AccessCounts, NodeAssignment, Rules};

/// As [`largest`](super::largest()), but of the entries that are near enough to the largest takes the
/// one whose impact, with the impact that is on its node already, is the least. The threads must
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
