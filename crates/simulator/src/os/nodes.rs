//! Nodes as Linux sees them: their memory, processors, and the nearest memory of those without.

use numalab_machine::{Fabric, NodeId};
use numalab_memory::{NodeMemory, Nodes};

/// All nodes of a machine for the page map.
pub(crate) fn nodes(fabric: &Fabric) -> Nodes {
    let node = |node: u32| {
        let node = NodeId(node);
        let has_processors = node.0 < fabric.nodes() && fabric.online_cores(node).next().is_some();
        NodeMemory { capacity: fabric.memory_capacity(node), has_processors }
    };
    Nodes((0..fabric.memory_nodes()).map(node).collect())
}

/// For each node the node on which first touch puts the pages of its threads: itself, or the first with memory on its
/// zone list. Empty if all nodes have memory.
pub fn nearest_memory(fabric: &Fabric) -> Vec<NodeId> {
    if (0..fabric.memory_nodes()).all(|node| fabric.has_memory(NodeId(node))) {
        return Vec::new();
    }
    nodes(fabric).nearest_memory(|from, to| fabric.firmware_distance(from, to))
}
