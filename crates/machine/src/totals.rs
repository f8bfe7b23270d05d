//! Totals of a whole machine.

use crate::{LevelKind, Machine};
use numalab_units::{Bandwidth, Bytes};

/// Sums over the machine. Counts saturate on a machine that would not pass its check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Boards; `None` without a board level.
    pub boards: Option<u32>,
    /// Sockets; `None` without a socket level.
    pub sockets: Option<u32>,
    /// NUMA nodes.
    pub nodes: u32,
    /// Cores.
    pub cores: u32,
    /// Hardware threads.
    pub processors: u32,
    /// Memory of all nodes.
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

/// Adds up a machine.
pub fn totals(machine: &Machine) -> Totals {
    let units_of =
        |kind| machine.levels.iter().position(|level| level.kind == kind).map(|at| machine.units(at + 1));
    let nodes = machine.units(machine.node_depth());
    let cores = machine.units(machine.levels.len());
    Totals {
        boards: units_of(LevelKind::Board),
        sockets: units_of(LevelKind::Socket),
        nodes,
        cores,
        processors: cores.saturating_mul(machine.core.threads),
        memory: Bytes(machine.memory.capacity.0.saturating_mul(nodes.into())),
        peak_flops: f64::from(cores) * machine.core.clock.0 * machine.core.flops_per_cycle,
        memory_bandwidth: Bandwidth(machine.memory.bandwidth.0 * f64::from(nodes)),
    }
}
