//! Hardware threads that the operating system uses, and nodes that have memory.

use super::Fabric;
use crate::{CoreId, NodeId, ProcessorId};

impl Fabric {
    /// True if the operating system uses a hardware thread.
    pub fn is_online(&self, processor: ProcessorId) -> bool {
        !self.offline.contains(processor.number())
    }

    /// Numbers of all hardware threads that are in use, ascending.
    pub fn online(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.processors()).filter(|number| !self.offline.contains(*number))
    }

    /// The operating system's numbers of a core's hardware threads that are in use, in their order in the core.
    pub fn online_threads(&self, core: CoreId) -> impl Iterator<Item = u32> + '_ {
        let numbers = (0..self.threads_per_core).map(move |thread| self.os_number(core, thread).number());
        numbers.filter(|number| !self.offline.contains(*number))
    }

    /// Cores of a node with a hardware thread that is in use, in the order of the hierarchy.
    pub fn online_cores(&self, NodeId(node): NodeId) -> impl Iterator<Item = CoreId> + '_ {
        let cores = (node * self.cores_per_node..(node + 1) * self.cores_per_node).map(CoreId);
        cores.filter(|core| self.offline.is_empty() || self.online_threads(*core).next().is_some())
    }

    /// True if the memory of a node, with or without processors, is not empty.
    pub fn has_memory(&self, node: NodeId) -> bool {
        self.own_memory.is_empty() || self.memory_capacity(node).0 > 0
    }

    /// Nodes with memory, with and without processors, ascending.
    pub fn nodes_with_memory(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.memory_nodes()).map(NodeId).filter(|node| self.has_memory(*node))
    }
}
