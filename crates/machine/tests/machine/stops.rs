//! An interconnect inside a node: each core is a reader, and memory is at stops.

use crate::builders::{fabric, joined, level, link, machine, way};
use numalab_base::Span;
use numalab_machine::{CoreId, LevelKind, Machine, NodeId, ReaderId, Route, Shape};

/// `sockets` nodes with `cores` on a ring of 3 ns a step and memory at `stops`.
fn rings(sockets: u32, cores: u32, stops: u32) -> Machine {
    let mut rings = Machine {
        levels: vec![
            level(LevelKind::Socket, sockets, joined(Shape::Mesh, 1)),
            level(LevelKind::Core, cores, joined(Shape::Ring, 0)),
        ],
        links: vec![link("ring", 3), link("qpi", 20)],
        ..machine("core:1")
    };
    rings.memory.stops = stops;
    rings
}

#[test]
fn every_core_is_a_reader() {
    let fabric = fabric(&rings(2, 6, 1));
    assert_eq!(fabric.readers(), 12);
    assert_eq!(fabric.reader_of(CoreId(7)), ReaderId(7));
    assert_eq!(fabric.node_of_reader(ReaderId(7)), NodeId(1));
}

#[test]
fn one_stop_is_the_first_core() {
    let fabric = fabric(&rings(2, 6, 1));
    assert_eq!(way(&fabric, 0, 0), [""; 0]);
    assert_eq!(way(&fabric, 0, 2), ["ring core 0 -> core 1", "ring core 1 -> core 2"]);
    assert_eq!(way(&fabric, 1, 11), ["ring core 6 -> core 11"]);
    // 135 + 2 * 2 * 3
    assert_eq!(fabric.latency(NodeId(0), ReaderId(2)), Span(147_000));
}

#[test]
fn lines_are_interleaved_over_the_stops() {
    // Stops at 0 and 2 of 4. Reader 1: one step from either. Reader 0: none, or two steps upwards (a
    // tie of both directions), from 2 over 3.
    let fabric = fabric(&rings(1, 4, 2));
    let mut route = Route::default();
    let mut shares = |reader| {
        fabric.route(NodeId(0), ReaderId(reader), &mut route);
        let hops = route.toward_reader.iter();
        hops.map(|hop| (fabric.name(hop.resource), hop.share)).collect::<Vec<_>>()
    };
    assert_eq!(
        shares(1),
        [("ring core 0 -> core 1".to_owned(), 0.5), ("ring core 2 -> core 1".to_owned(), 0.5)]
    );
    assert_eq!(
        shares(0),
        [("ring core 2 -> core 3".to_owned(), 0.5), ("ring core 3 -> core 0".to_owned(), 0.5)]
    );
    // 135 + 2 * (3 + 3) / 2, and 135 + 2 * (0 + 6) / 2
    assert_eq!(fabric.latency(NodeId(0), ReaderId(1)), Span(141_000));
    assert_eq!(fabric.latency(NodeId(0), ReaderId(0)), Span(141_000));
}

#[test]
fn equal_links_are_merged() {
    // Stops at all 8 cores. Reader 4 gets lines upwards from 0 (by the tie), 1, 2 and 3, and downwards from 5, 6 and
    // 7: the last step upwards carries half of all lines.
    let mut ring = rings(1, 8, 8);
    ring.memory.stops = 8;
    let fabric = fabric(&ring);
    let mut route = Route::default();
    fabric.route(NodeId(0), ReaderId(4), &mut route);
    let names: Vec<_> = route.toward_reader.iter().map(|hop| fabric.name(hop.resource)).collect();
    let share = |name: &str| route.toward_reader[names.iter().position(|other| other == name).unwrap()].share;
    assert_eq!(share("ring core 3 -> core 4"), 0.5);
    assert_eq!(share("ring core 0 -> core 1"), 0.125);
    assert_eq!(share("ring core 5 -> core 4"), 0.375);
    assert_eq!(names.len(), 7);
    // Steps: 4 + 3 + 2 + 1 + 0 + 1 + 2 + 3 = 16, over 8 stops a mean of 2.
    assert_eq!(fabric.latency(NodeId(0), ReaderId(4)), Span(135_000 + 2 * 2 * 3_000));
}

#[test]
fn remote_lines_enter_at_the_first_core() {
    let fabric = fabric(&rings(2, 6, 2));
    assert_eq!(way(&fabric, 1, 5), ["qpi socket 1 -> socket 0", "ring core 0 -> core 5"]);
    // 135 + 2 * (20 + 3)
    assert_eq!(fabric.latency(NodeId(1), ReaderId(5)), Span(181_000));
    assert_eq!(fabric.line_latency(NodeId(1), NodeId(0)), Span(175_000));
}
