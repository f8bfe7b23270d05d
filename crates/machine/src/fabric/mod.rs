//! The sealed fabric: what the simulation runs on.
//!
//! A few numbers for each level, from which every route, latency, capacity and name is computed when
//! asked for. Nothing is stored for each node or each pair of nodes (except for pairs in a listed
//! graph), so a machine of a thousand sockets is built as quickly as a desktop's.
//!
//! Resources are numbered: first the memory ports of node 0, of node 1, and so on; then, level by level
//! from the outside, the interconnect of each container, the links of each container's children to its
//! controller, the requests that each child may have in flight beyond it, and the two directions of the controller; last
//! the ports of nodes that are memory alone.

mod latency;
mod memory_only;
mod processors;
mod resources;
mod route;

use memory_only::Pool;
pub use processors::Processor;
pub use resources::{LatencyUnderLoad, MemoryPorts, ResourceClass, Turning};
pub use route::{Hop, Route};

use crate::wiring::Wiring;
use crate::{Crowding, LevelKind, Link, LinkId, LoadedLatency, Machine, Memory, Numbering, Problem};
use numalab_base::{Bandwidth, Span};
use std::ops::Range;

// Glossary: fabric: Checked machine with its routes, latencies and capacities, on which simulations run.
/// A checked machine, ready to be simulated.
#[derive(Debug)]
pub struct Fabric {
    tiers: Vec<Tier>,
    /// The first so many tiers hold NUMA nodes or are NUMA nodes; the others lie inside a node.
    node_depth: usize,
    links: Vec<Link>,
    memory: Memory,
    numbering: Numbering,
    /// Nodes with processors; those that are memory alone come after them.
    nodes: u32,
    pools: Vec<Pool>,
    cores_per_node: u32,
    threads_per_core: u32,
    inside: Option<Inside>,
    resources: u32,
}

/// One level of the hierarchy.
#[derive(Debug)]
struct Tier {
    kind: LevelKind,
    /// Children of each container.
    count: u32,
    /// Cores of each child.
    cores: u32,
    /// Joins the children of each container.
    wiring: Wiring,
    /// Resources of all containers' wirings.
    wires: Range<u32>,
    /// Joins each child to the controller of its container.
    uplink: Option<Uplink>,
    /// Latency of all uplinks below this tier, passed on the way out of a child or into one.
    below: Span,
    /// Measured between cores of two neighbouring children: until one has a line that the other has written.
    core_to_core: Option<Span>,
}

#[derive(Debug)]
struct Uplink {
    link: LinkId,
    latency: Span,
    half_duplex: bool,
    /// Resources of all children: to the controller and from it, unless half duplex.
    resources: Range<u32>,
    /// Lines that each child may have in flight beyond the controller.
    requests: Option<f64>,
    /// Resources of all children for these; none if they are not limited.
    trackers: Range<u32>,
    /// Most that a controller moves each way, and what is left of it when lines are outstanding both ways.
    bandwidth: Option<Bandwidth>,
    crowding: Crowding,
    /// Resources of all controllers: out of the container and into it; none if they cost nothing.
    controllers: Range<u32>,
}

/// Part that an interconnect inside each node adds; positions count the cores of a node.
#[derive(Debug)]
struct Inside {
    /// Positions of the memory controllers.
    stops: Vec<u32>,
    /// Load-to-use latency of local memory, by the reader's position.
    local: Vec<Span>,
    /// Latency from where remote lines enter, by the reader's position.
    entry: Vec<Span>,
}

/// The closest level that two nodes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Closeness {
    /// They are the same node.
    Node,
    /// The same socket.
    Socket,
    /// The same board.
    Board,
    /// Nothing closer than the machine.
    Machine,
}

impl Tier {
    /// Position of the child with this core among its siblings.
    fn position(&self, core: u32) -> u32 {
        core / self.cores % self.count
    }

    /// Container of the core, counted through the machine.
    fn container(&self, core: u32) -> u32 {
        core / self.cores / self.count
    }
}

impl Fabric {
    /// Checks the machine and seals it.
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
            numbering: machine.numbering,
            nodes,
            pools: Vec::new(),
            cores_per_node: machine.cores_per_node(),
            threads_per_core: machine.core.threads,
            inside: None,
            resources: 0,
        };
        fabric.resources = nodes * fabric.ports_per_node();
        fabric.add_tiers(machine);
        fabric.add_pools(machine);
        fabric.inside = fabric.look_inside();
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
            let (kind, count, below) = (level.kind, level.count, Span::ZERO);
            let core_to_core = level.core_to_core;
            self.tiers.push(Tier { kind, count, cores, wiring, wires, uplink, below, core_to_core });
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

    /// The first tier at which two different cores part.
    fn parting(&self, a: u32, b: u32) -> Option<usize> {
        self.tiers.iter().position(|tier| a / tier.cores != b / tier.cores)
    }

    /// The closest level that two nodes share. Without a board level two sockets share only the
    /// machine; without a node level a socket is a node.
    pub fn closest(&self, a: crate::NodeId, b: crate::NodeId) -> Closeness {
        match self.parting(self.first_core(a), self.first_core(b)) {
            None if a == b => Closeness::Node,
            // Memory alone beside the node that it is next to.
            None => Closeness::Socket,
            Some(0) => Closeness::Machine,
            // The container they share is a child of the tier above.
            Some(tier) => match self.tiers[tier - 1].kind {
                LevelKind::Board => Closeness::Board,
                LevelKind::Socket | LevelKind::Node | LevelKind::Cluster | LevelKind::Core => {
                    Closeness::Socket
                }
            },
        }
    }
}
