//! Properties of a node's memory, with and without processors; location of memory-only nodes.
//!
//! A memory-only node is attached to a host: the first node with processors of the unit next to it. Lines from the
//! memory-only node cross the same links as lines from the host's memory. Its latency is counted from the host.

use super::Fabric;
use super::resources::MemoryPort;
use crate::own_memory::OwnMemory;
use crate::{Crowding, LoadedLatency, Machine, Memory, MemoryOnly, NodeId, ResourceId};
use numalab_base::{Bandwidth, Bytes, Span};
use std::ops::Range;

/// All memory-only nodes of one kind.
#[derive(Debug)]
pub(super) struct Pool {
    kind: MemoryOnly,
    /// Numbers of the nodes of this kind.
    nodes: Range<u32>,
    /// Node with processors to which the first memory-only node of the kind is attached.
    host: u32,
    /// Number of levels down to the units next to which a node of this kind is.
    depth: usize,
    /// Number of nodes with processors from the host of a memory-only node to the host of the next.
    step: u32,
    /// Resource numbers of all memory ports of the kind, node by node.
    pub ports: Range<u32>,
}

/// Properties of a node's memory, for nodes with and without processors.
#[derive(Clone, Copy)]
pub(super) struct MemoryFacts<'a> {
    pub bandwidth: Bandwidth,
    pub read_bandwidth: Option<Bandwidth>,
    pub write_bandwidth: Option<Bandwidth>,
    pub random_bandwidth: Option<Bandwidth>,
    pub far_bandwidth: Option<Bandwidth>,
    pub write_cost: Option<f64>,
    pub crowding: &'a Crowding,
    pub loaded_latency: &'a LoadedLatency,
    pub mixed_latency: &'a LoadedLatency,
}

impl<'a> MemoryFacts<'a> {
    /// Memory of a node with processors; `own`: its values where they differ.
    fn of_processors(memory: &'a Memory, own: Option<&OwnMemory>) -> MemoryFacts<'a> {
        let times = own.map_or(1.0, |own| own.bandwidth.0 / memory.bandwidth.0);
        let scaled = |part: Option<Bandwidth>| part.map(|rate| Bandwidth(rate.0 * times));
        MemoryFacts {
            bandwidth: own.map_or(memory.bandwidth, |own| own.bandwidth),
            read_bandwidth: scaled(memory.read_bandwidth),
            write_bandwidth: scaled(memory.write_bandwidth),
            random_bandwidth: scaled(memory.random_bandwidth),
            far_bandwidth: None,
            write_cost: memory.write_cost,
            crowding: &memory.crowding,
            loaded_latency: &memory.loaded_latency,
            mixed_latency: &memory.mixed_latency,
        }
    }

    fn alone(memory: &'a MemoryOnly) -> MemoryFacts<'a> {
        MemoryFacts {
            bandwidth: memory.bandwidth,
            read_bandwidth: memory.read_bandwidth,
            write_bandwidth: memory.write_bandwidth,
            random_bandwidth: memory.random_bandwidth,
            far_bandwidth: memory.far_bandwidth,
            write_cost: None,
            crowding: &memory.crowding,
            loaded_latency: &memory.loaded_latency,
            mixed_latency: const { &LoadedLatency(Vec::new()) },
        }
    }

    /// Ports besides the port that counts all accesses, each with its bandwidth, in the order of their resources.
    pub fn named_ports(&self) -> impl Iterator<Item = (MemoryPort, Bandwidth)> + use<> {
        let named = [
            (MemoryPort::Read, self.read_bandwidth),
            (MemoryPort::Write, self.write_bandwidth),
            (MemoryPort::Random, self.random_bandwidth),
            (MemoryPort::Turning, self.turns().then_some(self.bandwidth)),
            (MemoryPort::Far, self.far_bandwidth),
        ];
        named.into_iter().filter_map(|(port, bandwidth)| Some((port, bandwidth?)))
    }

    /// True if channels lose time by turning the bus between reads and writes.
    pub fn turns(&self) -> bool {
        self.write_cost.is_some_and(|cost| cost > 1.0)
    }

    /// Latency factors for equal amounts of reads and writes, and the fraction of the busy time that writes take in
    /// this mix; `None` if the memory has no curve for the mix.
    pub fn mixed(&self) -> Option<(&'a LoadedLatency, f64)> {
        let curve = Some(self.mixed_latency).filter(|curve| !curve.0.is_empty())?;
        let cost = self.write_cost.unwrap_or(1.0);
        Some((curve, cost / (1.0 + cost)))
    }

    pub fn ports(&self) -> u32 {
        1 + self.named_ports().count() as u32
    }

    pub fn port_bandwidth(&self, port: MemoryPort) -> Bandwidth {
        let of_port = match port {
            MemoryPort::Total | MemoryPort::Turning => None,
            MemoryPort::Read => self.read_bandwidth,
            MemoryPort::Write => self.write_bandwidth,
            MemoryPort::Random => self.random_bandwidth,
            MemoryPort::Far => self.far_bandwidth,
        };
        of_port.unwrap_or(self.bandwidth)
    }
}

impl Fabric {
    pub(super) fn add_pools(&mut self, machine: &Machine) {
        let mut first = self.nodes;
        for kind in &machine.memory_only {
            // The check refuses kinds whose level does not exist.
            let Some(depth) = machine.depth_near(kind) else { continue };
            let step = self.nodes / machine.units(depth);
            let count = machine.memory_only_nodes(kind);
            let ports = self.take_resources(count * MemoryFacts::alone(kind).ports());
            let host = kind.only_at.unwrap_or(0) * step;
            self.pools.push(Pool {
                kind: kind.clone(),
                nodes: first..first + count,
                host,
                depth,
                step,
                ports,
            });
            first += count;
        }
    }

    /// Number of NUMA nodes, with and without processors; numbers of home nodes are below this number.
    pub fn memory_nodes(&self) -> u32 {
        self.pools.last().map_or(self.nodes, |pool| pool.nodes.end)
    }

    pub(super) fn pool_of(&self, NodeId(node): NodeId) -> Option<&Pool> {
        // Fast path: most machines have no such nodes, and this is called for every line.
        if node < self.nodes {
            return None;
        }
        self.pools.iter().find(|pool| pool.nodes.contains(&node))
    }

    pub(super) fn pool_number(&self, NodeId(node): NodeId) -> Option<usize> {
        self.pools.iter().position(|pool| pool.nodes.contains(&node))
    }

    pub(super) fn pool_name(&self, at: usize) -> &str {
        self.pools.get(at).map_or("", |pool| &pool.kind.name)
    }

    /// The kind of a memory-only node; `None` for nodes with processors.
    pub fn memory_only(&self, node: NodeId) -> Option<&MemoryOnly> {
        self.pool_of(node).map(|pool| &pool.kind)
    }

    /// The node with processors to which a memory-only node is attached; a node with processors is its own host.
    pub fn host(&self, node: NodeId) -> NodeId {
        self.pool_of(node).map_or(node, |pool| NodeId(pool.host + (node.0 - pool.nodes.start) * pool.step))
    }

    /// Memory size of a node, with or without processors.
    pub fn memory_capacity(&self, node: NodeId) -> Bytes {
        match self.memory_only(node) {
            Some(kind) => kind.capacity,
            None => self.own_memory.get(&node.0).map_or(self.memory.capacity, |own| own.capacity),
        }
    }

    /// Stated idle latency of a memory-only node from cores of a node outside of the unit next to it. `None` inside of
    /// this unit, or if it follows from the links.
    pub(super) fn far_latency(&self, from: NodeId, to: NodeId) -> Option<Span> {
        let pool = self.pool_of(from)?;
        let stated = pool.kind.far_latency.filter(|_| self.is_far(pool, from, to))?;
        let (host, reader) = (self.first_core(from), self.first_core(to));
        let outside = (0..pool.depth).filter(|tier| self.tiers[*tier].count > 1);
        let nearest = outside.map(|tier| self.way_to_nearest(tier, host)).min().unwrap_or_default();
        let farther = Span(self.between(host, reader).0.saturating_sub(nearest.0));
        Some(stated + farther + farther)
    }

    /// True if a node with processors is outside of the unit next to the memory-only node `from`.
    fn is_far(&self, pool: &Pool, from: NodeId, to: NodeId) -> bool {
        let parting = self.parting(self.first_core(from), self.first_core(to));
        parting.is_some_and(|parting| parting < pool.depth)
    }

    /// Resource of a memory-only node that limits readers outside of the unit next to it, for the reader `to`; `None` if
    /// the node has no such limit, or if the reader is next to it.
    pub(super) fn far_port(&self, from: NodeId, to: NodeId) -> Option<ResourceId> {
        let pool = self.pool_of(from)?;
        let facts = MemoryFacts::alone(&pool.kind);
        let place = facts.named_ports().position(|(port, _)| matches!(port, MemoryPort::Far))?;
        self.is_far(pool, from, to).then(|| ResourceId(self.first_port(from) + 1 + place as u32))
    }

    /// Idle latency of a node's memory for the cores next to it.
    pub fn memory_latency(&self, node: NodeId) -> Span {
        self.memory_only(node).map_or(self.memory.latency, |kind| kind.latency)
    }

    pub(super) fn memory_facts(&self, node: NodeId) -> MemoryFacts<'_> {
        match self.memory_only(node) {
            Some(kind) => MemoryFacts::alone(kind),
            None => MemoryFacts::of_processors(&self.memory, self.own_memory.get(&node.0)),
        }
    }

    /// First resource of a node's memory, which counts all reads and writes.
    pub(super) fn first_port(&self, node: NodeId) -> u32 {
        match self.pool_of(node) {
            None => node.0 * self.ports_per_node(),
            Some(pool) => {
                pool.ports.start + (node.0 - pool.nodes.start) * MemoryFacts::alone(&pool.kind).ports()
            }
        }
    }

    /// The node and port of a memory resource.
    pub(super) fn port_of(&self, resource: u32) -> (NodeId, MemoryPort) {
        let pool = self.pools.iter().find(|pool| pool.ports.contains(&resource));
        let (first_node, local, facts) = match pool {
            Some(pool) => (pool.nodes.start, resource - pool.ports.start, MemoryFacts::alone(&pool.kind)),
            None => (0, resource, MemoryFacts::of_processors(&self.memory, None)),
        };
        let ports = facts.ports();
        let named = (local % ports).checked_sub(1).and_then(|at| facts.named_ports().nth(at as usize));
        (NodeId(first_node + local / ports), named.map_or(MemoryPort::Total, |(port, _)| port))
    }
}
