//! Size of a fabric: it depends only on what the machine file describes.

use crate::builders::{fabric, machine, way};
use numalab_base::Span;
use numalab_machine::{NodeId, ReaderId};

#[test]
fn resources_are_ports_and_link_directions() {
    for boards in [2, 32, 512] {
        let fabric = fabric(&machine(&format!("board:{boards} socket:4 core:16")));
        let sockets = 4 * boards;
        let ports = 3 * sockets;
        let board_links = boards * (boards - 1);
        let socket_links = boards * 4 * 3;
        let controller_links = 2 * sockets;
        assert_eq!(fabric.resources(), ports + board_links + socket_links + controller_links);
    }
}

#[test]
fn the_last_board_is_as_close_as_any() {
    let fabric = fabric(&machine("board:512 socket:4 core:16"));
    assert_eq!((fabric.nodes(), fabric.cores()), (2048, 32_768));
    assert_eq!(
        way(&fabric, 0, 2047),
        [
            "controller-link socket 0 -> controller of board 0",
            "board-link board 0 -> board 511",
            "controller-link controller of board 511 -> socket 2047",
        ]
    );
    assert_eq!(fabric.latency(NodeId(0), ReaderId(2047)), Span(535_000));
}

#[test]
fn the_largest_machines_are_built() {
    let torus = fabric(&machine("board:128x128x64 core:4"));
    assert_eq!(torus.nodes(), 1 << 20);
    // Half the ring in each dimension.
    let far = NodeId(64 + 128 * 64 + 128 * 128 * 32);
    assert_eq!(torus.latency(NodeId(0), ReaderId(far.0)), Span(135_000 + 2 * (64 + 64 + 32) * 150_000));
}
