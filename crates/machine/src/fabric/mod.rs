//! The fabric: the checked form of a machine that the simulation uses.
//!
//! A few numbers per level, from which every route, latency, capacity and name is computed on
//! request. Nothing is stored per node or per pair of nodes (except in listed graphs), so a machine
//! of a thousand sockets is built as fast as a desktop.
//!
//! Resources are numbered. First come the memory ports of node 0, of node 1, and so on. Then, level
//! by level from the outside: the interconnects of all containers, the links of their children to
//! the controller, the requests that each child may have in flight beyond it, the two
//! directions of the controller, and the two directions of each child's port to its node. Last come
//! the ports of memory-only nodes.

mod in_use;
mod latency;
mod memory_only;
mod port;
mod processors;
mod resources;
mod route;

use memory_only::Pool;
use port::TierPort;
pub use processors::Processor;
pub use resources::{LatencyUnderLoad, MemoryPorts, ResourceClass, Turning};
pub use route::{Hop, Route};

use crate::numbering::ProcessorNumbers;
use crate::own_memory::OwnMemory;
use crate::wiring::Wiring;
use crate::{Crowding, LevelKind, Link, LinkId, LoadedLatency, Machine, Memory, Problem};
use numalab_base::{Bandwidth, NumberList, Span};
use std::collections::BTreeMap;
use std::ops::Range;

// Glossary: fabric: Checked machine with its routes, latencies and capacities, on which simulations run.
#[derive(Debug)]
pub struct Fabric {
    tiers: Vec<Tier>,
    /// Number of outer tiers that hold or are NUMA nodes; all further tiers are inside a node.
    node_depth: usize,
    links: Vec<Link>,
    memory: Memory,
    /// Nodes with processors whose memory differs from `memory`.
    own_memory: BTreeMap<u32, OwnMemory>,
    numbers: ProcessorNumbers,
    offline: NumberList,
    /// Number of nodes with processors; memory-only nodes follow.
    nodes: u32,
    pools: Vec<Pool>,
    cores_per_node: u32,
    /// Number of cores of a reader.
    cores_per_reader: u32,
    threads_per_core: u32,
    inside: Option<Inside>,
    resources: u32,
}

/// One level of the hierarchy.
#[derive(Debug)]
struct Tier {
    kind: LevelKind,
    /// Number of children in each container.
    count: u32,
    /// Number of cores in each child.
    cores: u32,
    /// Interconnect of the children of each container.
    wiring: Wiring,
    /// Resource numbers of the interconnects of all containers.
    wires: Range<u32>,
    /// Link of each child to the controller of its container; `None` if lines leave the child at no cost.
    uplink: Option<Uplink>,
    /// Port of each child to its node; `None` if only links and memory limit what the child's cores read and write.
    port: Option<TierPort>,
    /// Sum of the latencies of the uplinks inside a child. A line pays this sum on the way out of a child and again
    /// on the way into another child.
    below: Span,
    /// Measured time until a core has a line that a core of a neighbouring child has written; `None` if
    /// not measured.
    core_to_core: Option<Span>,
}

#[derive(Debug)]
struct Uplink {
    link: LinkId,
    latency: Span,
    half_duplex: bool,
    /// Resource numbers of the links of all children: two per link (to the controller and from it), or one if half
    /// duplex.
    resources: Range<u32>,
    /// Cache lines that each child may have in flight beyond the controller; `None` for no limit.
    requests: Option<f64>,
    /// Resource numbers of the request trackers, one per child, which limit lines in flight to `requests`; empty for
    /// no limit.
    trackers: Range<u32>,
    /// Bandwidth of a controller in each direction; `None` for the bandwidth of all its links. `crowding` reduces it
    /// when lines are outstanding in both directions.
    bandwidth: Option<Bandwidth>,
    crowding: Crowding,
    /// Resource numbers of all controllers: out of the container and into it. Empty if controllers have neither a
    /// bandwidth of their own nor crowding.
    controllers: Range<u32>,
}

/// Latencies that an interconnect inside each node adds, by the position of a core in its node.
#[derive(Debug)]
struct Inside {
    /// Positions of the memory controllers, as core numbers within the node.
    stops: Vec<u32>,
    /// Load-to-use latency of local memory, by the reader's position.
    local: Vec<Span>,
    /// Latency from the entry point of remote lines, by the reader's position.
    entry: Vec<Span>,
}

/// The smallest unit that contains two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Closeness {
    Node,
    Socket,
    Board,
    /// Two nodes with no common unit smaller than the machine.
    Machine,
}

impl Tier {
    /// Index of the child that contains `core`, among the children of the same container.
    fn position(&self, core: u32) -> u32 {
        core / self.cores % self.count
    }

    /// Number of the container that holds `core`, counted from 0 through the machine.
    fn container(&self, core: u32) -> u32 {
        core / self.cores / self.count
    }
}

impl Fabric {
    /// Builds the fabric of a machine. The error lists all problems that [`Machine::check`] finds.
    pub fn new(machine: &Machine) -> Result<Fabric, Vec<Problem>> {
        let problems = machine.check();
        if !problems.is_empty() {
            return Err(problems);
        }
        let node_depth = machine.node_depth();
        let nodes = machine.units(node_depth);
        let mut fabric = Fabric {
            tiers: Vec::with_capacity(machine.levels.len()),
            node_depth,
            links: machine.links.clone(),
            memory: machine.memory.clone(),
            own_memory: machine.own_memory(),
            numbers: ProcessorNumbers::of(machine),
            offline: machine.offline.clone(),
            nodes,
            pools: Vec::new(),
            cores_per_node: machine.cores_per_node(),
            cores_per_reader: 1,
            threads_per_core: machine.core.threads,
            inside: None,
            resources: 0,
        };
        fabric.resources = nodes * fabric.ports_per_node();
        fabric.add_tiers(machine);
        fabric.add_pools(machine);
        fabric.inside = fabric.look_inside();
        fabric.cores_per_reader = match fabric.inside {
            Some(_) => 1,
            None => fabric.ported().map(|tier| tier.cores).min().unwrap_or(fabric.cores_per_node),
        };
        Ok(fabric)
    }

    fn add_tiers(&mut self, machine: &Machine) {
        let mut cores = machine.units(machine.levels.len());
        let mut containers = 1;
        for level in &machine.levels {
            cores /= level.count;
            let wiring = Wiring::new(level.interconnect.as_ref(), level.count, &machine.links);
            let wires = self.take_resources(containers * wiring.resources());
            let around = containers;
            containers *= level.count;
            let uplink = level.controller.as_ref().map(|controller| {
                let link = &machine.links[controller.link.0];
                let each = if link.is_half_duplex() { 1 } else { 2 };
                Uplink {
                    link: controller.link,
                    latency: link.latency,
                    half_duplex: link.is_half_duplex(),
                    resources: self.take_resources(containers * each),
                    requests: controller.requests,
                    trackers: self.take_resources(controller.requests.map_or(0, |_| containers)),
                    bandwidth: controller.bandwidth,
                    crowding: controller.crowding.clone(),
                    controllers: self.take_resources(if controller.is_limited() { 2 * around } else { 0 }),
                }
            });
            let port = level.port.as_ref().map(|port| TierPort {
                bandwidths: port.clone(),
                resources: self.take_resources(2 * containers),
            });
            let (kind, count, below) = (level.kind, level.count, Span::ZERO);
            let core_to_core = level.core_to_core;
            self.tiers.push(Tier { kind, count, cores, wiring, wires, uplink, port, below, core_to_core });
        }
        let mut below = Span::ZERO;
        for tier in self.tiers.iter_mut().rev() {
            tier.below = below;
            below += tier.uplink.as_ref().map_or(Span::ZERO, |uplink| uplink.latency);
        }
    }

    fn take_resources(&mut self, count: u32) -> Range<u32> {
        let first = self.resources;
        self.resources += count;
        first..self.resources
    }

    /// The outermost tier at which two cores are in different children; `None` for the same core.
    fn parting(&self, a: u32, b: u32) -> Option<usize> {
        self.tiers.iter().position(|tier| a / tier.cores != b / tier.cores)
    }

    /// The smallest unit that contains two nodes. Without a board level two sockets share only the
    /// machine; without a node level a socket is a node.
    pub fn closest(&self, a: crate::NodeId, b: crate::NodeId) -> Closeness {
        match self.parting(self.first_core(a), self.first_core(b)) {
            None if a == b => Closeness::Node,
            // Two nodes with the same host: at least one of them is memory-only.
            None => Closeness::Socket,
            Some(0) => Closeness::Machine,
            // The common container is a child of the tier above.
            Some(tier) => match self.tiers[tier - 1].kind {
                LevelKind::Board => Closeness::Board,
                LevelKind::Socket
                | LevelKind::Node
                | LevelKind::Chip
                | LevelKind::Cluster
                | LevelKind::Core => Closeness::Socket,
            },
        }
    }
}
