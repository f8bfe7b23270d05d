//! Routes and latencies of each shape, worked out by hand. Local memory takes 135 ns, a wire 10 ns.

use crate::builders::{controlled, edge, fabric, joined, level, link, machine, sockets, way};
use numalab_base::Span;
use numalab_machine::{Duplex, Fabric, LevelKind, Machine, NodeId, ReaderId, Route, Shape};

/// The siblings on a route, without link names: `0 -> 1 -> 2` as `[0, 1, 2]`.
fn visited(fabric: &Fabric, home: u32, reader: u32) -> Vec<String> {
    let mut places = Vec::new();
    for name in way(fabric, home, reader) {
        let (from, to) = name.strip_prefix("wire ").unwrap().split_once(" -> ").unwrap();
        match places.last() {
            None => places.push(from.to_owned()),
            Some(last) => assert_eq!(last, from, "the way breaks"),
        }
        places.push(to.to_owned());
    }
    places.iter().map(|place| place.replace("socket ", "")).collect()
}

fn nanoseconds(fabric: &Fabric, home: u32, reader: u32) -> u64 {
    let Span(ps) = fabric.latency(NodeId(home), ReaderId(reader));
    ps / 1000
}

#[test]
fn a_mesh_is_one_step() {
    let fabric = fabric(&sockets(5, Shape::Mesh));
    assert_eq!(way(&fabric, 4, 1), ["wire socket 4 -> socket 1"]);
    assert_eq!(way(&fabric, 2, 2), [""; 0]);
    // 135 + 2 * 10
    assert_eq!(nanoseconds(&fabric, 4, 1), 155);
    assert_eq!(nanoseconds(&fabric, 2, 2), 135);
}

#[test]
fn a_ring_goes_the_shorter_way_and_up_when_both_are_equal() {
    let fabric = fabric(&sockets(6, Shape::Ring));
    assert_eq!(visited(&fabric, 5, 1), ["5", "0", "1"]);
    assert_eq!(visited(&fabric, 1, 5), ["1", "0", "5"]);
    assert_eq!(visited(&fabric, 1, 4), ["1", "2", "3", "4"]);
    assert_eq!(visited(&fabric, 4, 1), ["4", "5", "0", "1"]);
    // 135 + 2 * 3 * 10
    assert_eq!(nanoseconds(&fabric, 4, 1), 195);
}

#[test]
fn a_ring_of_two_has_one_wire() {
    let fabric = fabric(&sockets(2, Shape::Ring));
    // Three memory ports for each socket, and two directions.
    assert_eq!(fabric.resources(), 2 * 3 + 2);
    assert_eq!(visited(&fabric, 1, 0), ["1", "0"]);
}

#[test]
fn a_torus_settles_one_dimension_after_the_other() {
    // Sibling x + 3 y + 18 z. From (2, 0, 0) to (0, 5, 2): up round x, down round y, up z twice (a tie).
    let fabric = fabric(&sockets(72, Shape::Torus(vec![3, 6, 4])));
    assert_eq!(visited(&fabric, 2, 51), ["2", "0", "15", "33", "51"]);
    assert_eq!(nanoseconds(&fabric, 2, 51), 135 + 2 * 4 * 10);
    // Each sibling has a wire upwards in each dimension.
    assert_eq!(fabric.resources(), 72 * 3 + 72 * 3 * 2);
}

#[test]
fn a_hypercube_corrects_the_lowest_bit_first() {
    let fabric = fabric(&sockets(8, Shape::Hypercube));
    assert_eq!(visited(&fabric, 0, 6), ["0", "2", "6"]);
    assert_eq!(visited(&fabric, 7, 0), ["7", "6", "4", "0"]);
    // 8 * 3 / 2 wires
    assert_eq!(fabric.resources(), 8 * 3 + 2 * 12);
}

#[test]
fn a_star_goes_through_its_switch() {
    let fabric = fabric(&sockets(5, Shape::Star));
    assert_eq!(way(&fabric, 3, 0), ["wire socket 3 -> switch 0", "wire switch 0 -> socket 0"]);
    assert_eq!(nanoseconds(&fabric, 3, 0), 175);
}

#[test]
fn a_fat_tree_climbs_to_the_least_common_switch() {
    // Leaves 0 to 4, switches of two: 0 = {0, 1}, 1 = {2, 3}, 2 = {4}; then 3 = {0, 1}, 4 = {2}; 5 = root.
    let fabric = fabric(&sockets(5, Shape::FatTree { arity: 2 }));
    assert_eq!(visited(&fabric, 2, 3), ["2", "switch 1", "3"]);
    assert_eq!(visited(&fabric, 2, 1), ["2", "switch 1", "switch 3", "switch 0", "1"]);
    assert_eq!(
        visited(&fabric, 0, 4),
        ["0", "switch 0", "switch 3", "switch 5", "switch 4", "switch 2", "4"]
    );
    assert_eq!(nanoseconds(&fabric, 0, 4), 135 + 2 * 6 * 10);
}

#[test]
fn a_fat_tree_has_lanes_for_every_leaf() {
    let fabric = fabric(&sockets(5, Shape::FatTree { arity: 2 }));
    let mut route = Route::default();
    fabric.route(NodeId(0), ReaderId(4), &mut route);
    let lanes: Vec<f64> =
        route.toward_reader.iter().map(|hop| fabric.capacity(hop.resource).0 / 10e9).collect();
    // Up from leaf 0, from {0, 1}, from {0, 1, 2, 3}; down to {4} three times.
    assert_eq!(lanes, [1.0, 2.0, 4.0, 1.0, 1.0, 1.0]);
}

#[test]
fn listed_edges_are_routed_by_latency_then_hops_then_number() {
    // 0 to 3: directly 40 ns; over 1 or 2, 20 + 20 ns in two hops; over 4 and 5, 10 + 10 + 10 ns.
    let edges = vec![
        edge(0, 3, 2),
        edge(2, 0, 1),
        edge(2, 3, 1),
        edge(0, 1, 1),
        edge(1, 3, 1),
        edge(0, 4, 0),
        edge(4, 5, 0),
        edge(5, 3, 0),
    ];
    let mut square = sockets(6, Shape::Edges(edges));
    square.links = vec![link("wire", 10), link("wire2", 20), link("wire4", 40)];
    let names = |square: &Machine| way(&fabric(square), 0, 3);
    assert_eq!(
        names(&square),
        ["wire socket 0 -> socket 4", "wire socket 4 -> socket 5", "wire socket 5 -> socket 3"]
    );
    // With 20 ns in place of 10, all other routes take 40 ns: the one with the fewest hops wins.
    square.links[0].latency = Span(20_000);
    assert_eq!(names(&square), ["wire4 socket 0 -> socket 3"]);
    // With a longer direct link, the lower neighbour wins, wherever the list has it.
    square.links[2].latency = Span(41_000);
    assert_eq!(names(&square), ["wire2 socket 0 -> socket 1", "wire2 socket 1 -> socket 3"]);
    assert_eq!(nanoseconds(&fabric(&square), 0, 3), 135 + 2 * 40);
}

#[test]
fn a_hierarchy_climbs_crosses_and_descends() {
    let fabric = fabric(&machine("board:4 socket:4 core:8"));
    assert_eq!(way(&fabric, 4, 5), ["socket-link socket 4 -> socket 5"]);
    assert_eq!(
        way(&fabric, 4, 11),
        [
            "controller-link socket 4 -> controller of board 1",
            "board-link board 1 -> board 2",
            "controller-link controller of board 2 -> socket 11",
        ]
    );
    // 135 + 2 * 25, and 135 + 2 * (25 + 150 + 25)
    assert_eq!(nanoseconds(&fabric, 4, 5), 185);
    assert_eq!(nanoseconds(&fabric, 4, 11), 535);
    assert_eq!(fabric.line_latency(NodeId(11), NodeId(4)), Span(535_000));
}

/// `core_to_core` is measured between sockets of a board, and between boards. In a ring of boards, opposite boards
/// are one hop further apart.
#[test]
fn measured_hand_over_sets_peer_latency() {
    let mut machine = machine("board:4 socket:4 core:8");
    let peer = |machine: &Machine, owner: u32, reader: u32| {
        let fabric = fabric(machine);
        fabric.peer_latency(NodeId(owner), ReaderId(reader)).0 / 1000
    };
    // Without a measured value, the latency is that of memory, as above.
    assert_eq!([peer(&machine, 5, 4), peer(&machine, 11, 4)], [185, 535]);
    machine.levels[1].core_to_core = Some(Span(400_000));
    assert_eq!([peer(&machine, 4, 4), peer(&machine, 5, 4), peer(&machine, 11, 4)], [135, 400, 535]);
    machine.levels[0].core_to_core = Some(Span(900_000));
    machine.levels[0].interconnect.as_mut().unwrap().shape = Shape::Ring;
    // Board 2 is one link of 150 ns farther from board 0 than board 1 is. The request and the line each cross this
    // link.
    assert_eq!([peer(&machine, 1, 0), peer(&machine, 4, 0), peer(&machine, 8, 0)], [400, 900, 1200]);
}

#[test]
fn write_backs_take_the_other_direction() {
    let fabric = fabric(&machine("board:4 socket:4 core:8"));
    let mut route = Route::default();
    fabric.route(NodeId(4), ReaderId(11), &mut route);
    let names: Vec<String> = route.toward_home.iter().map(|hop| fabric.name(hop.resource)).collect();
    assert_eq!(
        names,
        [
            "controller-link socket 11 -> controller of board 2",
            "board-link board 2 -> board 1",
            "controller-link controller of board 1 -> socket 4",
        ]
    );
}

#[test]
fn a_half_duplex_link_is_one_resource() {
    let mut bus = sockets(3, Shape::Mesh);
    bus.links[0].duplex = Duplex::Half;
    let fabric = fabric(&bus);
    assert_eq!(fabric.resources(), 3 * 3 + 3);
    let mut route = Route::default();
    fabric.route(NodeId(2), ReaderId(0), &mut route);
    assert_eq!(route.toward_reader, route.toward_home);
    assert_eq!(way(&fabric, 2, 0), ["wire socket 0 <-> socket 2"]);
}

#[test]
fn levels_without_links_cost_nothing() {
    // Boards in a mesh, with sockets that have no interconnect.
    let free = Machine {
        levels: vec![
            level(LevelKind::Board, 2, joined(Shape::Mesh, 0)),
            level(LevelKind::Socket, 2, None),
            level(LevelKind::Core, 2, None),
        ],
        links: vec![link("wire", 10)],
        ..machine("core:1")
    };
    let fabric = fabric(&free);
    assert_eq!(way(&fabric, 0, 1), [""; 0]);
    assert_eq!(nanoseconds(&fabric, 0, 1), 135);
    assert_eq!(way(&fabric, 0, 3), ["wire board 0 -> board 1"]);
}

#[test]
fn controllers_stand_at_every_level() {
    // Three levels of 1, 2 and 4 ns inside boards connected by 10 ns.
    let deep = Machine {
        levels: vec![
            level(LevelKind::Board, 2, joined(Shape::Mesh, 0)),
            controlled(level(LevelKind::Socket, 2, None), 1, None),
            controlled(level(LevelKind::Node, 2, joined(Shape::Mesh, 0)), 2, None),
            level(LevelKind::Core, 1, None),
        ],
        links: vec![link("wire", 10), link("hub", 1), link("mesh", 2)],
        ..machine("core:1")
    };
    let fabric = fabric(&deep);
    assert_eq!(
        way(&fabric, 7, 0),
        [
            "mesh node 7 -> controller of socket 3",
            "hub socket 3 -> controller of board 1",
            "wire board 1 -> board 0",
            "hub controller of board 0 -> socket 0",
            "mesh controller of socket 0 -> node 0",
        ]
    );
    assert_eq!(nanoseconds(&fabric, 7, 0), 135 + 2 * (2 + 1 + 10 + 1 + 2));
    // Two sockets of a board meet at no cost, but their nodes still have exit costs.
    assert_eq!(
        way(&fabric, 0, 2),
        ["mesh node 0 -> controller of socket 0", "mesh controller of socket 1 -> node 2"]
    );
}
