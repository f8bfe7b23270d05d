//! Nodes, cores, hardware threads and readers, and the operating system's numbering.

use super::Fabric;
use crate::{CoreId, NodeId, ProcessorId, ReaderId};

/// A hardware thread with its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    pub core: CoreId,
    /// Number of the hardware thread within its core, from 0.
    pub thread: u32,
    pub node: NodeId,
    pub os_number: ProcessorId,
}

impl Fabric {
    /// Number of NUMA nodes with processors; [`memory_nodes`](Fabric::memory_nodes) counts memory-only nodes, too.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    pub fn cores(&self) -> u32 {
        self.nodes * self.cores_per_node
    }

    pub fn cores_per_node(&self) -> u32 {
        self.cores_per_node
    }

    pub fn threads_per_core(&self) -> u32 {
        self.threads_per_core
    }

    /// Number of hardware threads, in use or off line.
    pub fn processors(&self) -> u32 {
        self.cores() * self.threads_per_core
    }

    /// The hardware thread with the number `processor` of the operating system, which must be below
    /// [`processors`](Fabric::processors).
    pub fn processor(&self, processor: ProcessorId) -> Processor {
        let os_number = processor.number();
        debug_assert!(os_number < self.processors());
        let (core, thread) = self.numbers.place(os_number);
        let core = CoreId(core);
        Processor { core, thread, node: self.node_of(core), os_number: processor }
    }

    /// The operating system's number of a hardware thread; `thread` counts from 0 within the core.
    pub fn os_number(&self, CoreId(core): CoreId, thread: u32) -> ProcessorId {
        debug_assert!(core < self.cores() && thread < self.threads_per_core);
        ProcessorId::new(self.numbers.number(core, thread))
    }

    pub fn node_of(&self, CoreId(core): CoreId) -> NodeId {
        NodeId(core / self.cores_per_node)
    }

    /// The first core of a node, or of the host of a memory-only node.
    pub(super) fn first_core(&self, node: NodeId) -> u32 {
        self.host(node).0 * self.cores_per_node
    }

    /// Number of readers: nodes; chips or clusters with ports inside the nodes; or cores, if an interconnect connects
    /// the cores of a node.
    pub fn readers(&self) -> u32 {
        self.cores() / self.cores_per_reader
    }

    /// The reader of a core, at which routes to the core end.
    pub fn reader_of(&self, core: CoreId) -> ReaderId {
        ReaderId(core.0 / self.cores_per_reader)
    }

    pub fn node_of_reader(&self, reader: ReaderId) -> NodeId {
        self.node_of(CoreId(self.core_of_reader(reader)))
    }

    /// First core of a reader.
    pub(super) fn core_of_reader(&self, ReaderId(reader): ReaderId) -> u32 {
        reader * self.cores_per_reader
    }
}
