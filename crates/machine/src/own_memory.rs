//! Memory of single nodes with processors: sizes, bandwidths, and nodes without memory.

use crate::{Machine, MemoryAt};
use numalab_base::{Bandwidth, Bytes, NumberList, ParseError};
use std::collections::BTreeMap;

// Glossary: memoryless node: NUMA node with processors and without memory, as Linux calls it; pages of its threads go to
//   the nearest node with memory.

/// Memory of a node where it differs from that of the other nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OwnMemory {
    pub capacity: Bytes,
    pub bandwidth: Bandwidth,
}

impl MemoryAt {
    /// Numbers of the nodes.
    pub fn numbers(&self) -> Result<NumberList, ParseError> {
        self.nodes.parse()
    }
}

impl Machine {
    /// Memory of the nodes that `memory_at` lists, by number. Lists that are malformed are left out.
    pub(crate) fn own_memory(&self) -> BTreeMap<u32, OwnMemory> {
        let nodes = self.units(self.node_depth());
        let mut own = BTreeMap::new();
        for some in &self.memory_at {
            let memory = OwnMemory {
                capacity: some.capacity.unwrap_or(self.memory.capacity),
                bandwidth: some.bandwidth.unwrap_or(self.memory.bandwidth),
            };
            let numbers = some.numbers().unwrap_or_default();
            own.extend(numbers.below(nodes).map(|node| (node, memory)));
        }
        own
    }

    /// Numbers of the nodes with processors that have no memory.
    pub fn memoryless_nodes(&self) -> NumberList {
        self.own_memory().into_iter().filter(|(_, own)| own.capacity.0 == 0).map(|(node, _)| node).collect()
    }

    /// Bytes and bandwidth of the memory of a node with processors, the means over these nodes.
    pub fn mean_memory(&self) -> (Bytes, Bandwidth) {
        if self.memory_at.is_empty() {
            return (self.memory.capacity, self.memory.bandwidth);
        }
        let (nodes, (bytes, rate)) = (self.units(self.node_depth()).max(1), self.memory_of_processors());
        let mean = u64::try_from(bytes / u128::from(nodes)).unwrap_or(u64::MAX);
        (Bytes(mean), Bandwidth(rate.0 / f64::from(nodes)))
    }

    /// Bytes and bandwidth of all nodes with processors together.
    pub(crate) fn memory_of_processors(&self) -> (u128, Bandwidth) {
        let (all, own) = (self.units(self.node_depth()), self.own_memory());
        let alike = all - own.len() as u32;
        let bytes = u128::from(self.memory.capacity.0) * u128::from(alike);
        let rate = self.memory.bandwidth.0 * f64::from(alike);
        own.values().filter(|own| own.capacity.0 > 0).fold((bytes, Bandwidth(rate)), |(bytes, rate), own| {
            (bytes + u128::from(own.capacity.0), Bandwidth(rate.0 + own.bandwidth.0))
        })
    }
}
