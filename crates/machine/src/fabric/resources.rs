//! Resources: their location, capacity and names.

// Glossary: memory controller: Resource through which all bytes of a node's memory pass.

use super::{Crowding, Fabric, LoadedLatency, Tier, TierPort, Uplink};
use crate::wiring::{DirectedWire, WireEnd};
use crate::{LinkEnd, LinkId, NodeId, ResourceId, Unit};
use numalab_base::{Bandwidth, Span};

/// The resources of a node's memory: one for each bandwidth in the machine file, and one for the channels' busy time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryPorts {
    /// Resource that counts all reads and writes.
    pub total: ResourceId,
    /// Resource that counts reads; `None` if reads have no bandwidth of their own.
    pub read: Option<ResourceId>,
    /// Resource that counts writes; `None` if writes have no bandwidth of their own.
    pub write: Option<ResourceId>,
    /// Resource that counts accesses in random order; `None` if such accesses have no bandwidth of their own.
    pub random: Option<ResourceId>,
    /// Busy time of the memory channels; `None` if a written byte takes as long as a read byte.
    pub turning: Option<Turning>,
}

/// Memory channels with a cost of turning the bus between reads and writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// Resource of the channels' busy time, which is counted in bytes read.
    pub resource: ResourceId,
    /// Busy time of a written byte, as a multiple of the busy time of a read byte.
    pub write_cost: f64,
}

/// Idle latency of a resource, with factors on this latency under load.
#[derive(Clone, Copy, Debug)]
pub struct LatencyUnderLoad<'a> {
    /// Latency without other traffic.
    pub idle: Span,
    /// Factors on the idle latency for reads alone, by load.
    pub reads: &'a LoadedLatency,
    /// Factors on the idle latency for a mix of reads and writes, and the fraction of the busy time that writes take
    /// in the mix; `None` if writes do not increase the latency further.
    pub mixed: Option<(&'a LoadedLatency, f64)>,
}

/// Resources that one parameter of the machine describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceClass {
    /// The memory of all nodes with processors.
    Memory,
    /// The memory of all memory-only nodes of a kind, by index into `Machine::memory_only`.
    MemoryOnly(usize),
    /// All links of a kind, in both directions.
    Link(LinkId),
    /// The controllers of containers at a level.
    Controller(usize),
    /// Cache lines in flight from children at a level through the controller of their container.
    Requests(usize),
    /// The ports of a level's children to their node.
    Port(usize),
}

/// Accesses that a port of a node's memory counts.
#[derive(Clone, Copy)]
pub(super) enum MemoryPort {
    Total,
    Read,
    Write,
    Random,
    Turning,
    /// Reads and writes of cores that are not next to a memory-only node.
    Far,
}

/// Part of the machine whose capacity a resource represents.
enum Owner<'a> {
    Memory { node: NodeId, port: MemoryPort },
    Wire { at: usize, tier: &'a Tier, container: u32, step: DirectedWire },
    Uplink { at: usize, tier: &'a Tier, uplink: &'a Uplink, child: u32, outward: bool },
    Tracker { at: usize, tier: &'a Tier, uplink: &'a Uplink, child: u32 },
    Controller { at: usize, tier: &'a Tier, uplink: &'a Uplink, container: u32, outward: bool },
    Port { at: usize, tier: &'a Tier, port: &'a TierPort, child: u32, inward: bool },
}

impl Uplink {
    /// Resource of the link between a child (counted through the machine) and its controller: the direction towards
    /// the controller if `outward`, otherwise the direction from the controller.
    pub(super) fn resource(&self, child: u32, outward: bool) -> u32 {
        let first = self.resources.start;
        if self.half_duplex { first + child } else { first + 2 * child + u32::from(!outward) }
    }

    /// The resource of a container's controller for lines that leave the container (`outward`) or enter it; `None` if
    /// the controller has no limit.
    pub(super) fn controller(&self, container: u32, outward: bool) -> Option<u32> {
        let limited = !self.controllers.is_empty();
        limited.then(|| self.controllers.start + 2 * container + u32::from(!outward))
    }
}

impl Fabric {
    /// Number of resources: memory ports, link directions, request trackers and controller directions.
    pub fn resources(&self) -> u32 {
        self.resources
    }

    pub(super) fn ports_per_node(&self) -> u32 {
        self.memory_facts(NodeId(0)).ports()
    }

    pub fn memory(&self, node: NodeId) -> MemoryPorts {
        let first = self.first_port(node);
        let mut ports =
            MemoryPorts { total: ResourceId(first), read: None, write: None, random: None, turning: None };
        let facts = self.memory_facts(node);
        for ((port, _), number) in facts.named_ports().zip(first + 1..) {
            match port {
                // Routes of farther readers cross it as they cross links.
                MemoryPort::Total | MemoryPort::Far => {}
                MemoryPort::Read => ports.read = Some(ResourceId(number)),
                MemoryPort::Write => ports.write = Some(ResourceId(number)),
                MemoryPort::Random => ports.random = Some(ResourceId(number)),
                MemoryPort::Turning => {
                    let (resource, write_cost) = (ResourceId(number), facts.write_cost.unwrap_or(1.0));
                    ports.turning = Some(Turning { resource, write_cost });
                }
            }
        }
        ports
    }

    fn owner(&self, ResourceId(resource): ResourceId) -> Owner<'_> {
        for (at, tier) in self.tiers.iter().enumerate() {
            if tier.wires.contains(&resource) {
                let local = resource - tier.wires.start;
                let each = tier.wiring.resources();
                let step = tier.wiring.step(local % each);
                return Owner::Wire { at, tier, container: local / each, step };
            }
            if let Some(uplink) = tier.uplink.as_ref().filter(|uplink| uplink.resources.contains(&resource)) {
                let local = resource - uplink.resources.start;
                let (child, outward) =
                    if uplink.half_duplex { (local, true) } else { (local / 2, local.is_multiple_of(2)) };
                return Owner::Uplink { at, tier, uplink, child, outward };
            }
            if let Some(uplink) = tier.uplink.as_ref().filter(|uplink| uplink.trackers.contains(&resource)) {
                let child = resource - uplink.trackers.start;
                return Owner::Tracker { at, tier, uplink, child };
            }
            if let Some(uplink) = tier.uplink.as_ref().filter(|uplink| uplink.controllers.contains(&resource))
            {
                let local = resource - uplink.controllers.start;
                let (container, outward) = (local / 2, local.is_multiple_of(2));
                return Owner::Controller { at, tier, uplink, container, outward };
            }
            if let Some(port) = tier.port.as_ref().filter(|port| port.resources.contains(&resource)) {
                let local = resource - port.resources.start;
                let (child, inward) = (local / 2, local.is_multiple_of(2));
                return Owner::Port { at, tier, port, child, inward };
            }
        }
        let (node, port) = self.port_of(resource);
        debug_assert!(node.0 < self.memory_nodes(), "no such resource");
        Owner::Memory { node, port }
    }

    pub fn class(&self, resource: ResourceId) -> ResourceClass {
        match self.owner(resource) {
            Owner::Memory { node, .. } => {
                self.pool_number(node).map_or(ResourceClass::Memory, ResourceClass::MemoryOnly)
            }
            Owner::Wire { tier, step, .. } => ResourceClass::Link(tier.wiring.link(step.wire)),
            Owner::Uplink { uplink, .. } => ResourceClass::Link(uplink.link),
            Owner::Controller { at, .. } => ResourceClass::Controller(at),
            Owner::Tracker { at, .. } => ResourceClass::Requests(at),
            Owner::Port { at, .. } => ResourceClass::Port(at),
        }
    }

    /// Name of the resources that a parameter describes: `memory`, `hbm memory`, `xqpi links`, `controllers of
    /// boards`, `requests beyond boards`, `ports of clusters`.
    pub fn class_name(&self, class: ResourceClass) -> String {
        let container = |at: usize| {
            let unit = at.checked_sub(1).map(|outer| Unit { kind: self.tiers[outer].kind, index: 0 });
            unit.map_or("the machine".to_owned(), |unit| format!("{}s", unit.kind.name()))
        };
        match class {
            ResourceClass::Memory => "memory".to_owned(),
            ResourceClass::MemoryOnly(at) => format!("{} memory", self.pool_name(at)),
            ResourceClass::Link(LinkId(link)) => format!("{} links", self.links[link].name),
            ResourceClass::Controller(at) => format!("controllers of {}", container(at)),
            ResourceClass::Requests(at) => format!("requests beyond {}", container(at)),
            ResourceClass::Port(at) => format!("ports of {}s", self.tiers[at].kind.name()),
        }
    }

    /// Bandwidth of a resource without crowding. For a link the bandwidth of all its lanes. For a request tracker the
    /// bandwidth by Little's law for the nearest memory beyond the controller. For a controller direction without a
    /// bandwidth of its own the bandwidth of all links of the controller.
    pub fn capacity(&self, resource: ResourceId) -> Bandwidth {
        match self.owner(resource) {
            Owner::Memory { node, port } => self.memory_facts(node).port_bandwidth(port),
            Owner::Wire { tier, step, .. } => {
                let carried = self.link_capacity(tier.wiring.link(step.wire)).0;
                Bandwidth(carried * f64::from(tier.wiring.multiple(step.wire)))
            }
            Owner::Uplink { uplink, .. } => self.link_capacity(uplink.link),
            Owner::Port { port, inward, .. } => port.bandwidth(inward),
            Owner::Controller { tier, uplink, .. } => {
                let links = Bandwidth(self.link_capacity(uplink.link).0 * f64::from(tier.count));
                uplink.bandwidth.unwrap_or(links)
            }
            Owner::Tracker { at, tier, uplink, child } => {
                let nearest = self.nearest_outside(at - 1, child * tier.cores);
                // With no memory beyond the controller there are no requests.
                Bandwidth(uplink.requests.zip(nearest).map_or(f64::MAX, |(requests, latency)| {
                    requests * self.memory.line.0 as f64 / latency.as_secs()
                }))
            }
        }
    }

    fn link_capacity(&self, LinkId(link): LinkId) -> Bandwidth {
        let link = &self.links[link];
        Bandwidth(link.bandwidth.0 * f64::from(link.lanes))
    }

    /// Curve of the capacity that is left under many outstanding lines. All ports of one memory have the same curve.
    pub fn crowding(&self, resource: ResourceId) -> &Crowding {
        match self.owner(resource) {
            Owner::Memory { node, .. } => self.memory_facts(node).crowding,
            Owner::Wire { tier, step, .. } => &self.links[tier.wiring.link(step.wire).0].crowding,
            Owner::Uplink { uplink, .. } => &self.links[uplink.link.0].crowding,
            Owner::Controller { uplink, .. } => &uplink.crowding,
            Owner::Tracker { .. } | Owner::Port { .. } => const { &Crowding(Vec::new()) },
        }
    }

    /// Latency of a resource under load; `None` for resources without waiting time: write ports, controllers, request
    /// trackers, ports of chips and clusters, and the port of all accesses where the busy time of the channels is a resource of its own.
    pub fn loaded_latency(&self, resource: ResourceId) -> Option<LatencyUnderLoad<'_>> {
        let mut mixed = None;
        let reads = match self.owner(resource) {
            Owner::Memory { port: MemoryPort::Write | MemoryPort::Far, .. }
            | Owner::Tracker { .. }
            | Owner::Controller { .. }
            | Owner::Port { .. } => {
                return None;
            }
            // Waiting depends on the busy time of the channels, which includes turning the bus.
            Owner::Memory { node, port: MemoryPort::Total } if self.memory_facts(node).turns() => {
                return None;
            }
            Owner::Memory { node, port } => {
                let facts = self.memory_facts(node);
                mixed = match port {
                    MemoryPort::Total | MemoryPort::Turning => facts.mixed(),
                    // Waiting behind writes is charged at the port that counts reads and writes together.
                    MemoryPort::Read | MemoryPort::Write | MemoryPort::Random | MemoryPort::Far => None,
                };
                facts.loaded_latency
            }
            Owner::Wire { tier, step, .. } => &self.links[tier.wiring.link(step.wire).0].loaded_latency,
            Owner::Uplink { uplink, .. } => &self.links[uplink.link.0].loaded_latency,
        };
        Some(LatencyUnderLoad { idle: self.crossing(resource), reads, mixed })
    }

    /// The other direction of the same controller; `None` for other resources. Crowding depends on the direction with
    /// fewer outstanding lines.
    pub fn opposite(&self, resource: ResourceId) -> Option<ResourceId> {
        let Owner::Controller { uplink, container, outward, .. } = self.owner(resource) else { return None };
        uplink.controller(container, !outward).map(ResourceId)
    }

    /// Time that a line takes to cross a link once; for memory, the idle latency of a local miss; zero for
    /// controllers, request trackers, and ports of chips and clusters.
    pub fn crossing(&self, resource: ResourceId) -> Span {
        match self.owner(resource) {
            Owner::Memory { port: MemoryPort::Far, .. } => Span::ZERO,
            Owner::Memory { node, .. } => self.memory_latency(node),
            Owner::Wire { tier, step, .. } => self.links[tier.wiring.link(step.wire).0].latency,
            Owner::Uplink { uplink, .. } => uplink.latency,
            Owner::Tracker { .. } | Owner::Controller { .. } | Owner::Port { .. } => Span::ZERO,
        }
    }

    /// Ends of a link direction, from and to; `None` if the resource is no link.
    pub fn ends(&self, resource: ResourceId) -> Option<(LinkEnd, LinkEnd)> {
        match self.owner(resource) {
            Owner::Memory { .. } | Owner::Tracker { .. } | Owner::Controller { .. } | Owner::Port { .. } => {
                None
            }
            Owner::Wire { at, tier, container, step } => {
                let place = |port| match port {
                    WireEnd::Child(child) => {
                        LinkEnd::Unit(Unit { kind: tier.kind, index: container * tier.count + child })
                    }
                    WireEnd::Switch(index) => {
                        LinkEnd::Switch { within: self.container(at, container), index }
                    }
                };
                let (from, to) = tier.wiring.ends(step.wire);
                let (from, to) = if step.forward { (from, to) } else { (to, from) };
                Some((place(from), place(to)))
            }
            Owner::Uplink { at, tier, child, outward, .. } => {
                let unit = LinkEnd::Unit(Unit { kind: tier.kind, index: child });
                let controller = self.container(at, child / tier.count).map(LinkEnd::Controller)?;
                Some(if outward { (unit, controller) } else { (controller, unit) })
            }
        }
    }

    /// The unit that is container `index` of tier `at`; `None` for the machine.
    fn container(&self, at: usize, index: u32) -> Option<Unit> {
        let kind = self.tiers[at.checked_sub(1)?].kind;
        Some(Unit { kind, index })
    }

    /// Name of a resource in tables and pictures, such as `memory of node 3 (reads)` or `xqpi board 0
    /// -> board 2`.
    pub fn name(&self, resource: ResourceId) -> String {
        let link = match self.owner(resource) {
            Owner::Memory { node, port } => {
                let kind = self.memory_only(node).map_or(String::new(), |kind| format!("{} ", kind.name));
                let index = node.0;
                return match port {
                    MemoryPort::Total => format!("{kind}memory of node {index}"),
                    MemoryPort::Read => format!("{kind}memory of node {index} (reads)"),
                    MemoryPort::Write => format!("{kind}memory of node {index} (writes)"),
                    MemoryPort::Random => format!("{kind}memory of node {index} (random)"),
                    MemoryPort::Turning => format!("{kind}memory of node {index} (turning round)"),
                    MemoryPort::Far => format!("{kind}memory of node {index} (farther nodes)"),
                };
            }
            Owner::Wire { tier, step, .. } => tier.wiring.link(step.wire),
            Owner::Uplink { uplink, .. } => uplink.link,
            Owner::Controller { at, container, outward, .. } => {
                let way = if outward { "out of" } else { "into" };
                // The container is a unit: the machine itself has no controller.
                return self.container(at, container).map_or(String::new(), |unit| format!("{way} {unit}"));
            }
            Owner::Port { tier, child, inward, .. } => {
                let unit = Unit { kind: tier.kind, index: child };
                return format!("{} {unit}", if inward { "into" } else { "out of" });
            }
            Owner::Tracker { at, tier, child, .. } => {
                let unit = Unit { kind: tier.kind, index: child };
                return match self.container(at, child / tier.count) {
                    Some(board) => format!("requests of {unit} beyond {board}"),
                    None => format!("requests of {unit}"),
                };
            }
        };
        let link = &self.links[link.0];
        let arrow = if link.is_half_duplex() { "<->" } else { "->" };
        match self.ends(resource) {
            Some((from, to)) => format!("{} {from} {arrow} {to}", link.name),
            None => link.name.clone(),
        }
    }
}
