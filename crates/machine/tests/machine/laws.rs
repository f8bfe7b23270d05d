//! Laws that hold on every machine, tested on random small ones.

use crate::oracle::Oracle;
use crate::random::{any_machine, spoilt_machine};
use numalab_base::Span;
use numalab_machine::{
    CoreId, EdgeRole, Fabric, Hop, LevelKind, LinkEnd, Machine, NodeId, ProcessorId, ReaderId, ResourceId,
    Route, Wire,
};
use petgraph::graph::NodeIndex;
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Calls `check` with every pair of a home and a reader.
fn each_pair(fabric: &Fabric, mut check: impl FnMut(NodeId, ReaderId)) {
    for home in (0..fabric.nodes()).map(NodeId) {
        for reader in (0..fabric.readers()).map(ReaderId) {
            check(home, reader);
        }
    }
}

/// True if a machine has at most 64 cores. Larger machines take long and test nothing more.
fn small(machine: &Machine) -> bool {
    machine.levels.iter().map(|level| level.count).product::<u32>() <= 64
}

/// Fabric and graph of one machine, to compare them.
struct Both<'a> {
    machine: &'a Machine,
    fabric: &'a Fabric,
    oracle: Oracle<'a>,
    /// True if an interconnect connects cores inside a node.
    inside: bool,
}

impl<'a> Both<'a> {
    fn new(machine: &'a Machine, fabric: &'a Fabric) -> Both<'a> {
        let mut within_nodes = machine.levels.iter().filter(|level| level.kind > LevelKind::Node);
        let inside = within_nodes.any(|level| level.interconnect.is_some());
        Both { machine, fabric, oracle: Oracle::new(machine), inside }
    }

    fn first_core(&self, node: NodeId) -> u32 {
        node.0 * self.fabric.cores_per_node()
    }

    /// Load-to-use latency, computed with the oracle.
    fn latency(&self, home: NodeId, reader: ReaderId) -> u64 {
        let memory = self.machine.memory.latency.0;
        let (from, to) = (self.first_core(home), self.first_core(self.fabric.node_of_reader(reader)));
        if self.inside && from == to {
            let (stops, cores) = (self.machine.memory.stops, self.fabric.cores_per_node());
            let ways = (0..stops).map(|stop| from + stop * cores / stops);
            let sum: u64 = ways.map(|stop| self.oracle.latency(stop, reader.0, true)).sum();
            return memory + (2.0 * sum as f64 / f64::from(stops)).round() as u64;
        }
        let inside = if self.inside { self.oracle.latency(to, reader.0, true) } else { 0 };
        memory + 2 * (self.oracle.latency(from, to, false) + inside)
    }

    /// Follows hops through the graph from one core to another, or between their nodes unless `inside`. Each hop must
    /// be an edge that a line between the cores may cross; between two hops only edges without cost are allowed.
    fn follow<'h>(&self, mut hops: impl Iterator<Item = &'h Hop>, from: u32, to: u32, inside: bool) {
        let graph = &self.oracle.graph;
        let mut free = UnionFind::<usize>::new(graph.node_count());
        for edge in graph.edge_references() {
            if edge.weight().link.is_none() && self.oracle.may_cross(edge.weight(), from, to) {
                free.union(edge.source().index(), edge.target().index());
            }
        }
        let meet = |a: NodeIndex, b: NodeIndex| free.equiv(a.index(), b.index());
        let (mut at, goal) = (self.oracle.end(from, inside), self.oracle.end(to, inside));
        while !meet(at, goal) {
            let hop = hops.next().expect("the route ends before the reader");
            let name = self.fabric.name(hop.resource);
            let (a, b) = self.fabric.ends(hop.resource).unwrap();
            let (a, b) = (self.oracle.vertex(a), self.oracle.vertex(b));
            let back = name.contains("<->") && !meet(at, a);
            let (a, b) = if back { (b, a) } else { (a, b) };
            assert!(meet(at, a), "{name} does not begin at {}", graph[at]);
            let mut edges = graph.edges_connecting(a, b).map(|edge| edge.weight());
            assert!(edges.any(|edge| self.is_edge(hop.resource, edge, from, to)), "{name} is not drawn");
            at = b;
        }
    }

    fn is_edge(&self, hop: ResourceId, edge: &Wire, from: u32, to: u32) -> bool {
        let Some(link) = edge.link else { return false };
        let (carried, drawn) = (self.fabric.capacity(hop).0, edge.bandwidth.0);
        self.fabric.name(hop).starts_with(&format!("{} ", self.machine.links[link.0].name))
            && self.oracle.may_cross(edge, from, to)
            // The limit of a controller's requests may be below the link's bandwidth.
            && (carried == drawn || carried < drawn && edge.role == EdgeRole::WayOut)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn latencies_equal_shortest_paths(machine in any_machine().prop_filter("small", small)) {
        prop_assert_eq!(machine.check(), []);
        let fabric = Fabric::new(&machine).unwrap();
        let both = Both::new(&machine, &fabric);
        each_pair(&fabric, |home, reader| {
            assert_eq!(fabric.latency(home, reader).0, both.latency(home, reader), "{home:?} {reader:?}");
        });
    }

    #[test]
    fn routes_lead_from_home_to_reader_and_back(machine in any_machine().prop_filter("small", small)) {
        let fabric = Fabric::new(&machine).unwrap();
        let both = Both::new(&machine, &fabric);
        let mut route = Route::default();
        each_pair(&fabric, |home, reader| {
            fabric.route(home, reader, &mut route);
            let node = fabric.node_of_reader(reader);
            if both.inside && home == node && machine.memory.stops > 1 {
                return;
            }
            let (from, entry) = (both.first_core(home), both.first_core(node));
            let mut there = route.toward_reader.iter();
            both.follow(&mut there, from, entry, false);
            let mut back = route.toward_home.iter();
            if both.inside {
                both.follow(&mut there, entry, reader.0, true);
                both.follow(&mut back, reader.0, entry, true);
            }
            both.follow(&mut back, entry, from, false);
            assert_eq!((there.next(), back.next()), (None, None), "{home:?} {reader:?}");
        });
    }

    #[test]
    fn routes_and_latencies_agree(machine in any_machine().prop_filter("small", small)) {
        let fabric = Fabric::new(&machine).unwrap();
        let mut route = Route::default();
        each_pair(&fabric, |home, reader| {
            fabric.route(home, reader, &mut route);
            for hops in [&route.toward_reader, &route.toward_home] {
                let weighted = hops.iter().map(|hop| {
                    let name = fabric.name(hop.resource);
                    let link = machine.links.iter().find(|link| name.starts_with(&format!("{} ", link.name)));
                    hop.share * link.unwrap().latency.0 as f64
                });
                let expected = machine.memory.latency.0 as f64 + 2.0 * weighted.sum::<f64>();
                assert!((fabric.latency(home, reader).0 as f64 - expected).abs() < 0.51);
                let distinct: BTreeSet<_> = hops.iter().map(|hop| hop.resource).collect();
                assert_eq!(distinct.len(), hops.len(), "a resource appears twice");
            }
        });
    }

    #[test]
    fn distance_is_mutual(machine in any_machine().prop_filter("small", small)) {
        let fabric = Fabric::new(&machine).unwrap();
        for a in (0..fabric.nodes()).map(NodeId) {
            prop_assert_eq!(fabric.line_latency(a, a), machine.memory.latency);
            for b in (0..fabric.nodes()).map(NodeId) {
                prop_assert_eq!(fabric.line_latency(a, b), fabric.line_latency(b, a));
                prop_assert_eq!(fabric.closest(a, b), fabric.closest(b, a));
            }
        }
    }

    #[test]
    fn joined_nodes_are_linked(machine in any_machine().prop_filter("small", small)) {
        let joined = machine.levels.iter().all(|level| level.interconnect.is_some() || level.count == 1);
        let fabric = Fabric::new(&machine).unwrap();
        let mut route = Route::default();
        each_pair(&fabric, |home, reader| {
            fabric.route(home, reader, &mut route);
            if joined && home != fabric.node_of_reader(reader) {
                assert!(!route.toward_reader.is_empty() && !route.toward_home.is_empty());
            }
        });
    }

    #[test]
    fn every_resource_has_one_name_and_owner(machine in any_machine()) {
        let fabric = Fabric::new(&machine).unwrap();
        let all = || (0..fabric.resources()).map(ResourceId);
        let names: BTreeSet<String> = all().map(|resource| fabric.name(resource)).collect();
        prop_assert_eq!(names.len(), fabric.resources() as usize);
        for resource in all() {
            let capacity = fabric.capacity(resource).0;
            prop_assert!(capacity.is_finite() && capacity > 0.0);
            let (from, to) = fabric.ends(resource).unzip();
            prop_assert!(from.is_none() || from != to);
            let junction = |place: Option<LinkEnd>| matches!(place, Some(LinkEnd::Junction(_) | LinkEnd::Exit(_)));
            prop_assert!(!junction(from) && !junction(to));
        }
        for (index, node) in (0..fabric.nodes()).map(|node| (node, NodeId(node))) {
            prop_assert_eq!(fabric.name(fabric.memory(node).total), format!("memory of node {index}"));
        }
    }

    #[test]
    fn request_limit_uses_nearest_outside_memory(
        machine in any_machine().prop_filter("small", small),
    ) {
        let fabric = Fabric::new(&machine).unwrap();
        let mut nearest: BTreeMap<ResourceId, Span> = BTreeMap::new();
        let mut route = Route::default();
        for home in (0..fabric.nodes()).map(NodeId) {
            for reader in (0..fabric.nodes()).map(NodeId) {
                let core = CoreId(reader.0 * fabric.cores_per_node());
                fabric.route(home, fabric.reader_of(core), &mut route);
                for hop in &route.requests {
                    let latency = fabric.line_latency(home, reader);
                    let least = nearest.entry(hop.resource).or_insert(latency);
                    *least = latency.min(*least);
                }
            }
        }
        let requests = || machine.levels.iter().filter_map(|level| level.controller.as_ref()?.requests);
        for (resource, latency) in nearest {
            let lines = fabric.capacity(resource).0 * latency.as_secs() / machine.memory.line.0 as f64;
            let near = |asked: f64| (asked - lines).abs() < 1e-9 * asked;
            prop_assert!(requests().any(near), "{}: {} lines", fabric.name(resource), lines);
        }
    }

    #[test]
    fn invalid_machines_never_panic(machine in spoilt_machine()) {
        // Neither the check nor a fabric of a valid machine may panic.
        if let Ok(fabric) = Fabric::new(&machine) {
            let last = ReaderId(fabric.readers() - 1);
            fabric.route(NodeId(0), last, &mut Route::default());
            fabric.latency(NodeId(0), last);
            fabric.capacity(ResourceId(fabric.resources() - 1));
        }
    }

    #[test]
    fn processors_are_numbered_once(machine in any_machine()) {
        let fabric = Fabric::new(&machine).unwrap();
        let mut seen = BTreeSet::new();
        for number in ProcessorId::first(fabric.processors()) {
            let processor = fabric.processor(number);
            prop_assert!(processor.core.0 < fabric.cores() && processor.thread < fabric.threads_per_core());
            prop_assert!(seen.insert((processor.core, processor.thread)));
            prop_assert_eq!(fabric.os_number(processor.core, processor.thread), number);
        }
    }
}
