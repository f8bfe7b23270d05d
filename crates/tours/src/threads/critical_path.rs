//! Placement by the shortest critical path.

use super::heads::place_all;
use super::{AccessCounts, NodeAssignment, Rules};

/// Places one thread in each step. The largest remaining entry of each node (accesses of a thread to the node)
/// competes if it is at least the largest of all divided by the NUMA factor. The entry wins for which the sum of its
/// own [impact](Rules::impact) and the impact of the threads already on its node is least. The threads must
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
