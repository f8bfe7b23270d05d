//! Capacities and names of resources.

use crate::builders::{controlled, edge, fabric, joined, level, link, machine, sockets};
use numalab_base::Bandwidth;
use numalab_machine::{
    CoreId, Crowding, Duplex, Fabric, Hop, LevelKind, Machine, NodeId, NodePort, ReaderId, ResourceId, Route,
    Shape,
};

fn named(fabric: &Fabric, name: &str) -> ResourceId {
    let mut all = (0..fabric.resources()).map(ResourceId);
    all.find(|resource| fabric.name(*resource) == name).unwrap_or_else(|| panic!("nothing is called {name}"))
}

#[test]
fn memory_has_a_port_for_each_bandwidth() {
    let mut plain = machine("socket:4 core:8");
    let all = fabric(&plain);
    let ports = all.memory(NodeId(3));
    let [read, write] = [ports.read.unwrap(), ports.write.unwrap()];
    assert_eq!(all.name(ports.total), "memory of node 3");
    assert_eq!(all.name(read), "memory of node 3 (reads)");
    assert_eq!(all.name(write), "memory of node 3 (writes)");
    assert_eq!(all.capacity(ports.total), Bandwidth(21.6e9));
    assert_eq!(all.capacity(read), Bandwidth(15.6e9));
    assert_eq!(all.capacity(write), Bandwidth(10.8e9));

    plain.memory.read_bandwidth = None;
    let writes = fabric(&plain);
    let ports = writes.memory(NodeId(3));
    assert_eq!(ports.read, None);
    assert_eq!(writes.name(ports.write.unwrap()), "memory of node 3 (writes)");
    assert_eq!(writes.capacity(ports.write.unwrap()), Bandwidth(10.8e9));

    plain.memory.write_bandwidth = None;
    let one = fabric(&plain).memory(NodeId(3));
    assert_eq!((one.total, one.read, one.write, one.random), (ResourceId(3), None, None, None));
    assert_eq!(one.turning, None);

    plain.memory.random_bandwidth = Some(Bandwidth(8e9));
    let random = fabric(&plain);
    let port = random.memory(NodeId(3)).random.unwrap();
    assert_eq!((random.name(port).as_str(), port), ("memory of node 3 (random)", ResourceId(7)));
    assert_eq!(random.capacity(port), Bandwidth(8e9));

    // Waiting depends on the busy time of the channels, not on the bytes moved.
    plain.memory.random_bandwidth = None;
    plain.memory.write_cost = Some(1.5);
    let turning = fabric(&plain);
    let ports = turning.memory(NodeId(3));
    let port = ports.turning.unwrap();
    assert_eq!(
        (turning.name(port.resource).as_str(), port.write_cost),
        ("memory of node 3 (turning round)", 1.5)
    );
    assert_eq!(turning.capacity(port.resource), turning.capacity(ports.total));
    assert!(turning.loaded_latency(ports.total).is_none() && turning.loaded_latency(port.resource).is_some());
}

#[test]
fn lanes_multiply() {
    let mut wide = sockets(3, Shape::Mesh);
    wide.links[0].lanes = 6;
    let fabric = fabric(&wide);
    assert_eq!(fabric.capacity(named(&fabric, "wire socket 2 -> socket 0")), Bandwidth(60e9));
}

/// Boards on a line, 0 - 1 - 2, the second link longer; two sockets each, behind a controller.
fn line_of_boards(requests: f64) -> Machine {
    let edges = Shape::Edges(vec![edge(0, 1, 0), edge(1, 2, 1)]);
    Machine {
        levels: vec![
            level(LevelKind::Board, 3, joined(edges, 0)),
            controlled(level(LevelKind::Socket, 2, joined(Shape::Mesh, 2)), 2, Some(requests)),
            level(LevelKind::Core, 4, None),
        ],
        links: vec![link("near", 100), link("far", 200), link("qpi", 25)],
        ..machine("core:1")
    }
}

#[test]
fn controller_requests_limit_fetches() {
    let fabric = fabric(&line_of_boards(10.0));
    let gigabytes = |name: &str| fabric.capacity(named(&fabric, name)).0 / 1e9;
    // 10 lines of 64 bytes; nearest memory of boards 0 and 1: 135 + 2 * (25 + 100 + 25) = 435 ns.
    assert!((gigabytes("requests of socket 1 beyond board 0") - 640.0 / 435.0).abs() < 1e-9);
    assert!((gigabytes("requests of socket 2 beyond board 1") - 640.0 / 435.0).abs() < 1e-9);
    // Of board 2: 135 + 2 * (25 + 200 + 25) = 635 ns.
    assert!((gigabytes("requests of socket 4 beyond board 2") - 640.0 / 635.0).abs() < 1e-9);
    // Write-backs of other nodes take the same links but no request trackers.
    assert_eq!(gigabytes("qpi controller of board 0 -> socket 1"), 10.0);
    assert_eq!(gigabytes("qpi socket 1 -> controller of board 0"), 10.0);
    assert_eq!(gigabytes("near board 1 -> board 0"), 10.0);
}

#[test]
fn a_fetch_counts_as_the_readers_request() {
    let fabric = fabric(&line_of_boards(10.0));
    let mut route = Route::default();
    // Socket 5 of board 2 reads memory of socket 0 of board 0.
    fabric.route(NodeId(0), ReaderId(5), &mut route);
    let names: Vec<String> = route.requests.iter().map(|hop| fabric.name(hop.resource)).collect();
    assert_eq!(names, ["requests of socket 5 beyond board 2"]);
    fabric.route(NodeId(0), ReaderId(1), &mut route);
    assert_eq!(route.requests, [], "nothing leaves the board");
}

#[test]
fn outermost_controller_limits_nothing() {
    let mut lonely = line_of_boards(1.0);
    lonely.levels[0] = level(LevelKind::Board, 1, None);
    let fabric = fabric(&lonely);
    assert_eq!(fabric.capacity(named(&fabric, "qpi controller of board 0 -> socket 1")), Bandwidth(10e9));
}

#[test]
fn crowding_belongs_to_the_link_or_the_memory() {
    let mut crowded = line_of_boards(10.0);
    crowded.links[2].crowding = Crowding(vec![(10.0, 1.0), (40.0, 0.5)]);
    crowded.memory.crowding = Crowding(vec![(80.0, 0.8)]);
    let fabric = fabric(&crowded);
    let points = |name: &str| fabric.crowding(named(&fabric, name)).0.len();
    assert_eq!(points("qpi controller of board 0 -> socket 1"), 2);
    assert_eq!(points("qpi socket 0 -> socket 1"), 2);
    assert_eq!(points("near board 0 -> board 1"), 0);
    assert_eq!(points("memory of node 0 (reads)"), 1);
}

#[test]
fn full_and_half_duplex_edges_mix_in_a_list() {
    let mut mixed = sockets(4, Shape::Edges(vec![edge(0, 1, 0), edge(1, 2, 1), edge(3, 2, 0)]));
    mixed.links.push(link("bus", 10));
    mixed.links[1].duplex = Duplex::Half;
    let fabric = fabric(&mixed);
    let first = 4 * 3;
    let names: Vec<_> = (first..fabric.resources()).map(|at| fabric.name(ResourceId(at))).collect();
    assert_eq!(
        names,
        [
            "wire socket 0 -> socket 1",
            "wire socket 1 -> socket 0",
            "bus socket 1 <-> socket 2",
            "wire socket 3 -> socket 2",
            "wire socket 2 -> socket 3",
        ]
    );
}

/// Clusters of four cores with ports are readers of their own. Their ports come behind the links, outermost first; a
/// direction without a bandwidth is no resource.
#[test]
fn ports_lie_between_clusters_and_their_node() {
    let mut machine = machine("socket:2 chip:2 cluster:2 core:4");
    let port = |read, write| Some(NodePort { read_bandwidth: read, write_bandwidth: write });
    machine.levels[1].port = port(Some(Bandwidth(50e9)), None);
    machine.levels[2].port = port(Some(Bandwidth(40e9)), Some(Bandwidth(20e9)));
    let fabric = fabric(&machine);
    assert_eq!(fabric.readers(), 8);
    assert_eq!(fabric.reader_of(CoreId(17)), ReaderId(4));
    assert_eq!(fabric.node_of_reader(ReaderId(4)), NodeId(1));
    // As without ports: 135 ns, and twice the 50 ns of the link for the other socket.
    assert_eq!(fabric.latency(NodeId(1), ReaderId(4)), fabric.latency(NodeId(0), ReaderId(3)));
    let mut route = Route::default();
    fabric.route(NodeId(0), ReaderId(5), &mut route);
    let names = |hops: &[Hop]| hops.iter().map(|hop| fabric.name(hop.resource)).collect::<Vec<_>>();
    assert_eq!(
        names(&route.toward_reader),
        ["socket-link socket 0 -> socket 1", "into chip 2", "into cluster 5"]
    );
    assert_eq!(names(&route.toward_home), ["socket-link socket 1 -> socket 0", "out of cluster 5"]);
    let [.., port] = &route.toward_reader[..] else { panic!("{route:?}") };
    assert_eq!(fabric.capacity(port.resource), Bandwidth(40e9));
    assert_eq!(fabric.class_name(fabric.class(port.resource)), "ports of clusters");
    assert_eq!(fabric.ends(port.resource), None);
}
