//! The checker: every kind of problem, with its path and message.

use crate::builders::{controlled, edge, joined, level, link, machine, sockets};
use numalab_base::{Bandwidth, Bytes, Frequency, Span};
use numalab_machine::{Crowding, Fabric, LevelKind, LinkId, Machine, NodePort, Replacement, Shape};

/// Problems of a valid machine after one change.
fn changed(change: impl FnOnce(&mut Machine)) -> Vec<String> {
    let mut machine = machine("board:4 socket:4 core:8");
    change(&mut machine);
    messages(&machine)
}

fn messages(machine: &Machine) -> Vec<String> {
    let problems = machine.check();
    assert_eq!(Fabric::new(machine).map(|_| ()).map_err(|refused| refused == problems), Err(true));
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_sound_machine_has_no_problems() {
    assert_eq!(machine("board:4 socket:4 core:8").check(), []);
}

#[test]
fn problems_of_every_kind_are_reported_together() {
    let problems = changed(|m| {
        m.core.clock = Frequency(0.0);
        m.memory.stops = 2;
    });
    assert_eq!(problems.len(), 2, "{problems:?}");
    let problems = changed(|m| {
        m.levels[0].count = 0;
        m.levels[1].interconnect.as_mut().unwrap().link = LinkId(3);
        m.core.clock = Frequency(0.0);
    });
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn levels_end_with_cores() {
    assert_eq!(changed(|m| m.levels.clear())[0], "level: there must be at least one level, the cores");
    let without = changed(|m| drop(m.levels.pop()));
    assert_eq!(without[0], "level[1].kind: the last level must be core, not socket");
}

#[test]
fn levels_nest() {
    assert_eq!(
        changed(|m| m.levels[0].kind = LevelKind::Node),
        ["level[1].kind: socket cannot lie inside node; from the outside in the order is board, socket, \
             node, cluster, core"]
    );
    assert_eq!(
        changed(|m| m.levels[1].kind = LevelKind::Board),
        ["level[1].kind: board appears twice; each kind of level may appear once"]
    );
}

#[test]
fn counts_are_at_least_one_and_not_too_many() {
    assert_eq!(changed(|m| m.levels[0].count = 0), ["level[0].count: must be at least 1"]);
    assert_eq!(changed(|m| m.core.threads = 0), ["core.threads: must be at least 1, not 0"]);
    assert_eq!(
        changed(|m| m.levels[1].count = 1 << 20),
        ["level[1].count: the machine would have 33554432 hardware threads; the limit is 4194304"]
    );
    let threads = changed(|m| m.core.threads = u32::MAX);
    assert!(threads[0].starts_with("core.threads: the machine would have"), "{threads:?}");
}

#[test]
fn resources_are_not_too_many() {
    assert_eq!(
        changed(|m| m.levels[0].count = 8192),
        ["level[0].interconnect: needs 67100672 of the machine's 67362816 memory ports and link \
             directions; the limit is 16777216"]
    );
}

#[test]
fn shapes_fit_their_counts() {
    assert_eq!(
        messages(&sockets(8, Shape::Torus(vec![2, 3]))),
        ["level[0].interconnect.dims: 2 x 3 makes 6 siblings, but the count is 8"]
    );
    assert_eq!(
        messages(&sockets(8, Shape::Torus(vec![2, 0]))),
        ["level[0].interconnect.dims[1]: must be at least 1"]
    );
    assert_eq!(
        messages(&sockets(8, Shape::Torus(vec![]))),
        ["level[0].interconnect.dims: expected at least one dimension, such as [4, 4]"]
    );
    assert_eq!(messages(&sockets(8, Shape::Torus(vec![u32::MAX; 3]))).len(), 1, "products may not overflow");
    assert_eq!(
        messages(&sockets(6, Shape::Hypercube)),
        ["level[0].interconnect.shape: a hypercube joins a power of two, not 6; a fat tree or a torus \
             joins any number"]
    );
    assert_eq!(
        messages(&sockets(6, Shape::FatTree { arity: 1 })),
        ["level[0].interconnect.arity: must be at least 2, not 1"]
    );
}

#[test]
fn listed_edges_connect_all_siblings_once() {
    let edges = vec![edge(0, 1, 0), edge(1, 1, 0), edge(1, 0, 0), edge(2, 3, 7)];
    assert_eq!(
        messages(&sockets(4, Shape::Edges(edges))),
        [
            "level[0].interconnect.edges[1]: joins socket 1 to itself",
            "level[0].interconnect.edges[2]: joins socket 0 and 1 again, as edges[0] does; use lanes",
            "level[0].interconnect.edges[3]: there is no link 7; the machine has 1",
            "level[0].interconnect.edges: no path of edges leads from socket 0 to socket 2; add an edge",
        ]
    );
    assert_eq!(
        messages(&sockets(2, Shape::Edges(vec![edge(0, 2, 0)]))),
        ["level[0].interconnect.edges[0]: there is no socket 2; they are numbered 0 to 1"]
    );
    assert_eq!(
        messages(&sockets(2000, Shape::Edges(vec![]))),
        [
            "level[0].interconnect.edges: a list of edges joins at most 1024 siblings, not 2000; name a regular shape"
        ]
    );
}

#[test]
fn links_exist() {
    assert_eq!(
        changed(|m| m.levels[0].interconnect.as_mut().unwrap().link = LinkId(3)),
        ["level[0].interconnect.link: there is no link 3; the machine has 3"]
    );
    assert_eq!(
        changed(|m| m.levels[1].controller.as_mut().unwrap().link = LinkId(9)),
        ["level[1].controller.link: there is no link 9; the machine has 3"]
    );
}

#[test]
fn ports_lie_inside_nodes() {
    let port = |read| Some(NodePort { read_bandwidth: Some(Bandwidth(read)), write_bandwidth: None });
    let mut sound = machine("socket:2 cluster:2 core:4");
    sound.levels[1].port = port(10e9);
    assert_eq!(sound.check(), []);
    assert_eq!(
        changed(|m| m.levels[1].port = port(10e9)),
        [
            "level[1].port: a socket cannot have a port: only levels inside a NUMA node can; a controller or an interconnect limits the traffic of this level"
        ]
    );
    assert_eq!(
        changed(|m| m.levels[2].port = port(0.0)),
        ["level[2].port.read_bandwidth: must be a finite number above 0, not 0.00 B/s"]
    );
}

#[test]
fn hand_over_takes_at_least_a_round_trip() {
    let given = |at: usize, ns: u64| {
        changed(move |m: &mut Machine| m.levels[at].core_to_core = Some(Span(ns * 1000)))
    };
    assert_eq!(
        given(2, 40),
        [
            "level[2].core_to_core: the L3 cache is shared by 8 cores; set `core_to_core` of that cache instead"
        ]
    );
    assert_eq!(
        given(1, 40),
        ["level[1].core_to_core: 40.0 ns is less than a round trip over socket-link; at least 50.0 ns"]
    );
    let mut least = machine("board:4 socket:4 core:8");
    least.levels[1].core_to_core = Some(Span(50_000));
    assert_eq!(least.check(), Vec::new());
}

#[test]
fn controllers_need_an_outside() {
    let levels = vec![
        controlled(level(LevelKind::Socket, 2, joined(Shape::Mesh, 0)), 0, Some(f64::NAN)),
        controlled(level(LevelKind::Core, 2, None), 0, None),
    ];
    let odd = Machine { levels, links: vec![link("wire", 10)], ..machine("core:2") };
    assert_eq!(
        messages(&odd),
        [
            "level[0].controller: the outermost level cannot have a controller: nothing is outside it",
            "level[0].controller.requests: must be a finite number above 0, not NaN",
            "level[1].controller: a core cannot have a controller: only levels down to the NUMA node can",
        ]
    );
}

#[test]
fn links_have_bandwidth() {
    assert_eq!(
        changed(|m| {
            m.links[0].bandwidth = Bandwidth(f64::INFINITY);
            m.links[0].latency = Span(2_000_000_000_000);
            m.links[1].lanes = 0;
            m.links[2].name = m.links[1].name.clone();
        }),
        [
            "link.board-link.bandwidth: must be a finite number above 0, not inf TB/s",
            "link.board-link.latency: must be at most 1.00 s, not 2.00 s",
            "link.socket-link.lanes: must be at least 1, not 0",
            "link.socket-link: there are two links of this name",
        ]
    );
}

#[test]
fn crowding_curves_are_curves() {
    let points = vec![(-1.0, 1.0), (8.0, 0.0), (8.0, 1.5), (f64::NAN, 0.5)];
    assert_eq!(
        changed(|m| m.memory.crowding = Crowding(points)),
        [
            "memory.crowding[0]: outstanding lines must be a finite number of at least 0, not -1",
            "memory.crowding[1]: the capacity left must be above 0 and at most 1, not 0",
            "memory.crowding[2]: outstanding lines must increase: 8 comes after 8",
            "memory.crowding[2]: the capacity left must be above 0 and at most 1, not 1.5",
            "memory.crowding[3]: outstanding lines must be a finite number of at least 0, not NaN",
        ]
    );
}

#[test]
fn core_values_are_checked() {
    assert_eq!(
        changed(|m| {
            m.core.clock = Frequency(0.0);
            m.core.flops_per_cycle = -4.0;
            m.core.instructions_per_cycle = f64::NAN;
            m.core.outstanding = f64::INFINITY;
            m.core.copy_bandwidth = Some(Bandwidth(0.0));
        }),
        [
            "core.clock: must be a finite number above 0, not 0.00 Hz",
            "core.flops_per_cycle: must be a number from 1e-9 to 1e9, not -4",
            "core.instructions_per_cycle: must be a number from 1e-9 to 1e9, not NaN",
            "core.outstanding: must be a number from 1e-9 to 1e9, not inf",
            "core.copy_bandwidth: must be a finite number above 0, not 0.00 B/s",
        ]
    );
}

#[test]
fn caches_grow_outwards() {
    assert_eq!(
        changed(|m| {
            m.caches[0].level = 0;
            m.caches[1].shared_by = 4;
            m.caches[1].size = Bytes(32);
            m.caches[2].level = 2;
            m.caches[2].shared_by = 3;
            m.caches[2].bandwidth = Bandwidth(-1.0);
        }),
        [
            "cache[0].level: must be between 1 and 9, not 0",
            "cache[1].size: must be at least a line, 64.0 B, not 32.0 B",
            "cache[2].bandwidth: must be a finite number above 0, not -1.00 B/s",
            "cache[2].shared_by: must divide the 8 cores of a node, which 3 does not",
            "cache[2].level: levels increase from the core outwards: 2 comes after 2",
            "cache[2].shared_by: must be a multiple of the cores that share the cache inside it, which 3 is not of 4",
        ]
    );
}

/// Random replacement gives evictions as expected values only, so another random cache cannot take
/// them line by line.
#[test]
fn random_victims_need_lru_inside() {
    let both = |m: &mut Machine| {
        m.caches[1].replacement = Replacement::Random;
        m.caches[2].replacement = Replacement::Random;
    };
    let mut inclusive = machine("board:4 socket:4 core:8");
    both(&mut inclusive);
    assert!(Fabric::new(&inclusive).is_ok());
    assert_eq!(
        changed(|m| {
            both(m);
            m.caches[2].inclusive = false;
        }),
        [
            "cache[2].replacement: a victim cache (inclusive = false) may replace at random only what caches with lru drive \
             out, and the one inside it has random, too",
        ]
    );
}

#[test]
fn memory_holds_pages_of_lines() {
    assert_eq!(
        changed(|m| {
            m.memory.latency = Span(0);
            m.memory.read_bandwidth = Some(Bandwidth(30e9));
            m.memory.line = Bytes(48);
            m.memory.page = Bytes(32);
            m.memory.capacity = Bytes(0);
            m.memory.stops = 0;
        }),
        [
            "memory.latency: must be above 0 and at most 1.00 s, not 0.00 ps",
            "memory.stops: must be at least 1, not 0",
            "memory.read_bandwidth: 30.0 GB/s is more than the total bandwidth, 21.6 GB/s",
            "memory.line: a cache line is a power of two of bytes, not 48",
            "memory.page: a page of 32 bytes is smaller than a line of 48",
            "memory.capacity: must be at least a page, 32.0 B, not 0.00 B",
        ]
    );
    assert_eq!(
        changed(|m| m.memory.capacity = Bytes(4095)),
        ["memory.capacity: must be at least a page, 4.10 kB, not 4.09 kB"]
    );
    assert_eq!(
        changed(|m| m.memory.capacity = Bytes(1 << 57)),
        ["memory.capacity: 16 nodes of 144115 TB have more than the limit of 1 EiB"]
    );
}

#[test]
fn stops_lie_on_an_interconnect() {
    assert_eq!(
        changed(|m| m.memory.stops = 2),
        ["memory.stops: must be 1 where no interconnect joins the cores of a node"]
    );
    assert_eq!(
        changed(|m| {
            m.levels[2].interconnect = joined(Shape::Ring, 0);
            m.memory.stops = 9;
        }),
        ["memory.stops: 9 stops are more than the 8 cores of a node"]
    );
}
