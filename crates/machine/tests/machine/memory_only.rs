//! Memory-only nodes: their numbers, location, routes, latencies and resources.

use crate::builders::machine;
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{
    CoreId, Fabric, LevelKind, Machine, MemoryOnly, NodeId, ReaderId, ResourceClass, ResourceId, Route,
    totals,
};
use proptest::prelude::*;

fn kind(name: &str, near: LevelKind, only_at: Option<u32>) -> MemoryOnly {
    MemoryOnly {
        name: name.to_owned(),
        near,
        only_at,
        read_bandwidth: Some(Bandwidth(60e9)),
        ..MemoryOnly::new(Bytes(1 << 30), Span(300_000), Bandwidth(80e9))
    }
}

/// Two boards of two sockets of two nodes; a node of `hbm` next to every node (8-15), one of `cxl`
/// next to socket 1 (16), one of `far` next to each board (17-18).
fn kinds() -> Machine {
    let mut machine = machine("board:2 socket:2 node:2 core:2");
    machine.memory_only = vec![
        kind("hbm", LevelKind::Node, None),
        kind("cxl", LevelKind::Socket, Some(1)),
        kind("far", LevelKind::Board, None),
    ];
    machine
}

#[test]
fn memory_only_nodes_are_numbered_last() {
    let machine = kinds();
    let fabric = Fabric::new(&machine).unwrap();
    assert_eq!((fabric.nodes(), fabric.memory_nodes()), (8, 19));
    assert_eq!(machine.nodes_named("hbm"), Some(8..16));
    assert_eq!(machine.nodes_named("cxl"), Some(16..17));
    assert_eq!(machine.nodes_named("far"), Some(17..19));
    assert_eq!(machine.nodes_named("nvm"), None);
    // The second node of socket 1 of board 1 is node 7; socket 1 starts with node 2, board 1 with node
    // 4.
    let hosts: Vec<u32> = [15, 16, 17, 18, 3].map(|node| fabric.host(NodeId(node)).0).into();
    assert_eq!(hosts, [7, 2, 0, 4, 3]);
    let all = totals(&machine);
    assert_eq!((all.nodes, all.memory_only), (8, 11));
    let own = machine.memory.capacity.0 * 8;
    assert_eq!(all.memory, Bytes(own + (11 << 30)));
}

/// From a core to a memory-only node: the round trip to its host, and its own 300 ns.
#[test]
fn routes_equal_those_of_the_host() {
    let fabric = Fabric::new(&kinds()).unwrap();
    let mut routes = [Route::default(), Route::default()];
    for (alone, beside) in [(15, 7), (16, 2), (18, 4)] {
        for reader in 0..8 {
            let way =
                fabric.latency(NodeId(beside), ReaderId(reader)).0 - fabric.memory_latency(NodeId(beside)).0;
            assert_eq!(fabric.latency(NodeId(alone), ReaderId(reader)), Span(300_000 + way));
            for (node, route) in [alone, beside].into_iter().zip(&mut routes) {
                fabric.route(NodeId(node), ReaderId(reader), route);
            }
            assert_eq!(routes[0], routes[1], "{alone} from {reader}");
        }
    }
}

#[test]
fn resources_are_their_own() {
    let machine = kinds();
    let plain = Machine { memory_only: Vec::new(), ..machine.clone() };
    let (fabric, plain) = (Fabric::new(&machine).unwrap(), Fabric::new(&plain).unwrap());
    // Two ports each, after all other resources, whose numbers do not change.
    assert_eq!(fabric.resources(), plain.resources() + 2 * 11);
    for resource in (0..plain.resources()).map(ResourceId) {
        assert_eq!(fabric.name(resource), plain.name(resource));
    }
    let ports = fabric.memory(NodeId(16));
    assert_eq!(fabric.name(ports.total), "cxl memory of node 16");
    assert_eq!(fabric.name(ports.read.unwrap()), "cxl memory of node 16 (reads)");
    assert_eq!(ports.write, None);
    assert_eq!((fabric.capacity(ports.total).0, fabric.capacity(ports.read.unwrap()).0), (80e9, 60e9));
    assert_eq!(fabric.crossing(ports.total), Span(300_000));
    assert_eq!(fabric.class(ports.total), ResourceClass::MemoryOnly(1));
    assert_eq!(fabric.class_name(ResourceClass::MemoryOnly(1)), "cxl memory");
}

/// Law: Farther readers of a memory-only node take its stated latency, and share its stated bandwidth.
///
/// Of four sockets with links of 25 ns, the node is next to socket 1: 300 ns there, and 500 ns from the neighbours
/// instead of 300 + 2 x 25.
#[test]
fn farther_readers_have_their_own_latency_and_bandwidth() {
    let mut machine = machine("socket:4 core:2");
    machine.memory_only = vec![kind("cxl", LevelKind::Socket, Some(1))];
    let way = Fabric::new(&machine).unwrap().way(CoreId(0), CoreId(2));
    let near = machine.memory_only[0].latency;
    let latencies = |machine: &Machine| {
        let fabric = Fabric::new(machine).unwrap();
        [0, 1, 3].map(|reader| fabric.latency(NodeId(4), ReaderId(reader)))
    };
    assert_eq!(latencies(&machine), [near + way + way, near, near + way + way]);
    machine.memory_only[0].far_latency = Some(Span(500_000));
    assert_eq!(latencies(&machine), [Span(500_000), near, Span(500_000)]);
    let crossed = |machine: &Machine, reader| {
        let fabric = Fabric::new(machine).unwrap();
        let mut route = Route::default();
        fabric.route(NodeId(4), ReaderId(reader), &mut route);
        route
            .toward_reader
            .iter()
            .map(|hop| (fabric.name(hop.resource), fabric.capacity(hop.resource).0))
            .collect::<Vec<_>>()
    };
    let before = crossed(&machine, 0);
    machine.memory_only[0].far_bandwidth = Some(Bandwidth(9e9));
    let limit = ("cxl memory of node 4 (farther nodes)".to_owned(), 9e9);
    assert_eq!(crossed(&machine, 0), [&[limit][..], &before].concat());
    assert_eq!(crossed(&machine, 1), []);
}

#[test]
fn impossible_memory_only_nodes_are_refused() {
    let refused = |change: &dyn Fn(&mut Machine)| {
        let mut machine = kinds();
        change(&mut machine);
        machine.check().first().map(ToString::to_string).unwrap_or_default()
    };
    assert!(
        refused(&|machine| machine.memory_only[1].only_at = Some(4)).starts_with("memory_only.cxl.only_at")
    );
    assert!(
        refused(&|machine| machine.memory_only[0].near = LevelKind::Core)
            .contains("no core that holds nodes")
    );
    assert!(
        refused(&|machine| machine.memory_only[2].name = "hbm".into()).contains("two kinds of this name")
    );
    assert!(refused(&|machine| machine.memory_only[2].name = "3x".into()).contains("begin with a letter"));
    assert!(refused(&|machine| machine.memory_only[0].capacity = Bytes(1)).contains("at least a page"));
    let too_fast = |machine: &mut Machine| machine.memory_only[0].read_bandwidth = Some(Bandwidth(90e9));
    assert!(refused(&too_fast).starts_with("memory_only.hbm.read_bandwidth"));
    assert_eq!(refused(&|_| ()), "");
}

proptest! {
    /// Every resource belongs to one memory or one link: names differ.
    #[test]
    fn names_differ(nodes in 1u32..4, only in prop::option::of(0u32..4), read in any::<bool>()) {
        let mut machine = machine(&format!("socket:{nodes} core:2"));
        let mut cxl = kind("cxl", LevelKind::Socket, only.filter(|unit| *unit < nodes));
        if !read {
            cxl.read_bandwidth = None;
        }
        machine.memory_only = vec![kind("hbm", LevelKind::Node, None), cxl];
        let fabric = Fabric::new(&machine).unwrap();
        let mut names: Vec<String> = (0..fabric.resources()).map(|at| fabric.name(ResourceId(at))).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        prop_assert_eq!(names.len(), count);
    }
}
