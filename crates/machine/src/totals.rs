//! Totals of a whole machine.

use crate::{LevelKind, Machine, MemoryOnly};
use numalab_base::{Bandwidth, Bytes};
use std::ops::Range;

/// Sums over the machine. Counts saturate on a machine that would not pass its check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Boards; `None` without a board level.
    pub boards: Option<u32>,
    /// Sockets; `None` without a socket level.
    pub sockets: Option<u32>,
    /// NUMA nodes with processors.
    pub nodes: u32,
    /// NUMA nodes that are memory alone.
    pub memory_only: u32,
    /// Cores.
    pub cores: u32,
    /// Hardware threads.
    pub processors: u32,
    /// Memory of all nodes, with processors and without.
    pub memory: Bytes,
    /// Floating-point operations per second of all cores at their peak.
    pub peak_flops: f64,
    /// Memory bandwidth of all nodes.
    pub memory_bandwidth: Bandwidth,
}

impl Machine {
    /// Levels whose units hold NUMA nodes or are NUMA nodes: the first so many. The node is the unit
    /// of the last of them, and the whole machine if there are none.
    pub(crate) fn node_depth(&self) -> usize {
        self.levels.iter().take_while(|level| level.kind.holds_memory()).count()
    }

    /// Units of the first `depth` levels' last.
    pub(crate) fn units(&self, depth: usize) -> u32 {
        self.levels[..depth].iter().fold(1, |units: u32, level| units.saturating_mul(level.count))
    }

    /// Cores of one node.
    pub(crate) fn cores_per_node(&self) -> u32 {
        self.levels[self.node_depth()..].iter().fold(1, |cores: u32, level| cores.saturating_mul(level.count))
    }
}

/// Parts of the hierarchy that memory-only nodes lie next to.
impl Machine {
    /// Levels down to the units next to which such a node lies; `None` if there is no such level, or it lies inside a
    /// node.
    pub fn depth_near(&self, kind: &MemoryOnly) -> Option<usize> {
        if kind.near == LevelKind::Node {
            return Some(self.node_depth());
        }
        let at = self.levels.iter().position(|level| level.kind == kind.near);
        at.map(|at| at + 1).filter(|depth| *depth <= self.node_depth())
    }

    /// Nodes of a kind; none where its level does not exist.
    pub fn memory_only_nodes(&self, kind: &MemoryOnly) -> u32 {
        let units = self.depth_near(kind).map_or(0, |depth| self.units(depth));
        kind.only_at.map_or(units, |unit| u32::from(unit < units))
    }

    /// Numbers of the nodes of a kind, by its name.
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

/// Adds up a machine.
pub fn totals(machine: &Machine) -> Totals {
    let units_of =
        |kind| machine.levels.iter().position(|level| level.kind == kind).map(|at| machine.units(at + 1));
    let nodes = machine.units(machine.node_depth());
    let cores = machine.units(machine.levels.len());
    let alone = || machine.memory_only.iter().map(|kind| (kind, machine.memory_only_nodes(kind)));
    let bytes = |bytes: Bytes, nodes: u32| bytes.0.saturating_mul(nodes.into());
    let memory = alone().fold(bytes(machine.memory.capacity, nodes), |sum, (kind, nodes)| {
        sum.saturating_add(bytes(kind.capacity, nodes))
    });
    let rate = |rate: Bandwidth, nodes: u32| rate.0 * f64::from(nodes);
    Totals {
        boards: units_of(LevelKind::Board),
        sockets: units_of(LevelKind::Socket),
        nodes,
        memory_only: alone().fold(0, |sum: u32, (_, nodes)| sum.saturating_add(nodes)),
        cores,
        processors: cores.saturating_mul(machine.core.threads),
        memory: Bytes(memory),
        peak_flops: f64::from(cores) * machine.core.clock.0 * machine.core.flops_per_cycle,
        memory_bandwidth: Bandwidth(
            alone().fold(rate(machine.memory.bandwidth, nodes), |sum, (kind, nodes)| {
                sum + rate(kind.bandwidth, nodes)
            }),
        ),
    }
}
