use crate::{LevelKind, Machine, MemoryOnly};
use numalab_base::{Bandwidth, Bytes};
use std::ops::Range;

/// Totals of a whole machine. Counts saturate on a machine that would not pass its check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Number of boards; `None` without a board level.
    pub boards: Option<u32>,
    /// Number of sockets; `None` without a socket level.
    pub sockets: Option<u32>,
    /// Number of NUMA nodes with processors.
    pub nodes: u32,
    /// Number of memory-only NUMA nodes.
    pub memory_only: u32,
    /// Number of cores with a hardware thread that is in use.
    pub cores: u32,
    /// Number of hardware threads that are in use.
    pub processors: u32,
    /// Memory of all nodes, with and without processors.
    pub memory: Bytes,
    /// Peak floating-point operations per second of all cores.
    pub peak_flops: f64,
    /// Sum of the memory bandwidths of all nodes, with and without processors.
    pub memory_bandwidth: Bandwidth,
}

impl Machine {
    /// Number of outer levels whose units hold or are NUMA nodes. A node is a unit of the last of these levels, or
    /// the whole machine if the number is 0.
    pub(crate) fn node_depth(&self) -> usize {
        self.levels.iter().take_while(|level| level.kind.holds_memory()).count()
    }

    /// Number of units `depth` levels below the machine; 1 at depth 0, the machine itself.
    pub(crate) fn units(&self, depth: usize) -> u32 {
        self.levels[..depth].iter().fold(1, |units: u32, level| units.saturating_mul(level.count))
    }

    pub(crate) fn cores_per_node(&self) -> u32 {
        self.levels[self.node_depth()..].iter().fold(1, |cores: u32, level| cores.saturating_mul(level.count))
    }
}

/// Location of memory-only nodes in the hierarchy.
impl Machine {
    /// Number of levels from the machine down to the units next to which a node of `kind` is; `None` if the level
    /// named by `kind` does not exist or is inside a node.
    pub fn depth_near(&self, kind: &MemoryOnly) -> Option<usize> {
        if kind.near == LevelKind::Node {
            return Some(self.node_depth());
        }
        let at = self.levels.iter().position(|level| level.kind == kind.near);
        at.map(|at| at + 1).filter(|depth| *depth <= self.node_depth())
    }

    /// Number of nodes of a kind; 0 if its level does not exist.
    pub fn memory_only_nodes(&self, kind: &MemoryOnly) -> u32 {
        let units = self.depth_near(kind).map_or(0, |depth| self.units(depth));
        kind.only_at.map_or(units, |unit| u32::from(unit < units))
    }

    /// Numbers of the nodes of the memory-only kind named `name`; `None` if no kind has this name.
    pub fn nodes_named(&self, name: &str) -> Option<Range<u32>> {
        let mut first = self.units(self.node_depth());
        for kind in &self.memory_only {
            let count = self.memory_only_nodes(kind);
            if kind.name == name {
                return Some(first..first.saturating_add(count));
            }
            first = first.saturating_add(count);
        }
        None
    }
}

pub fn totals(machine: &Machine) -> Totals {
    let units_of =
        |kind| machine.levels.iter().position(|level| level.kind == kind).map(|at| machine.units(at + 1));
    let nodes = machine.units(machine.node_depth());
    let (cores, processors) = machine.in_use();
    let alone = || machine.memory_only.iter().map(|kind| (kind, machine.memory_only_nodes(kind)));
    let bytes = |bytes: Bytes, nodes: u32| bytes.0.saturating_mul(nodes.into());
    let (own_memory, own_bandwidth) = machine.memory_of_processors();
    let own_memory = u64::try_from(own_memory).unwrap_or(u64::MAX);
    let memory =
        alone().fold(own_memory, |sum, (kind, nodes)| sum.saturating_add(bytes(kind.capacity, nodes)));
    let rate = |rate: Bandwidth, nodes: u32| rate.0 * f64::from(nodes);
    Totals {
        boards: units_of(LevelKind::Board),
        sockets: units_of(LevelKind::Socket),
        nodes,
        memory_only: alone().fold(0, |sum: u32, (_, nodes)| sum.saturating_add(nodes)),
        cores,
        processors,
        memory: Bytes(memory),
        peak_flops: f64::from(cores) * machine.core.clock.0 * machine.core.flops_per_cycle,
        memory_bandwidth: Bandwidth(
            alone().fold(own_bandwidth.0, |sum, (kind, nodes)| sum + rate(kind.bandwidth, nodes)),
        ),
    }
}
