//! Closeness of two nodes: the smallest unit that contains both.

use crate::builders::{fabric, machine};
use numalab_machine::Closeness::{self, Board, Machine, Node, Socket};
use numalab_machine::NodeId;

fn from_first(spec: &str) -> Vec<Closeness> {
    let fabric = fabric(&machine(spec));
    (0..fabric.nodes()).map(|other| fabric.closest(NodeId(0), NodeId(other))).collect()
}

#[test]
fn every_level_counts() {
    assert_eq!(
        from_first("board:2 socket:2 node:2 core:1"),
        [Node, Socket, Board, Board, Machine, Machine, Machine, Machine]
    );
}

#[test]
fn without_nodes_a_socket_is_a_node() {
    assert_eq!(from_first("board:2 socket:2 core:4"), [Node, Board, Machine, Machine]);
}

#[test]
fn without_boards_sockets_share_the_machine() {
    assert_eq!(from_first("socket:2 node:2 core:4"), [Node, Socket, Machine, Machine]);
    assert_eq!(from_first("socket:2 core:4"), [Node, Machine]);
}

#[test]
fn without_sockets_too() {
    assert_eq!(from_first("board:2 core:4"), [Node, Machine]);
    assert_eq!(from_first("board:2 node:2 core:4"), [Node, Board, Machine, Machine]);
    assert_eq!(from_first("cluster:2 core:4"), [Node]);
}
