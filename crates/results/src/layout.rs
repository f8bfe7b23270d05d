//! Nesting of a machine's nodes: enough to find the smallest part that contains two nodes, without the machine file.

use serde::{Deserialize, Serialize};

/// Numbers of boards, sockets and nodes of the machine. Nodes are numbered in the order of the hierarchy, and all
/// boards and sockets hold equally many, so the numbers give each node's location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Number of boards; 0 if the machine has no boards.
    pub boards: u32,
    /// Number of sockets; 0 for an unknown layout.
    pub sockets: u32,
    /// Number of NUMA nodes with processors; 0 for an unknown layout.
    pub nodes: u32,
}

/// The smallest part of the machine that contains two nodes, ordered from near to far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// Both are one node.
    Node,
    /// Different nodes of one socket.
    Socket,
    /// Different sockets of one board.
    Board,
    /// Different boards, or different sockets on a machine without boards.
    Machine,
    /// The second node is memory-only, wherever it is.
    MemoryOnly,
}

impl Layout {
    /// The smallest part of the machine that contains nodes `a` and `b`. If the layout is unknown and the nodes
    /// differ, this is the machine.
    pub fn sharing(self, a: u32, b: u32) -> Sharing {
        if self.nodes > 0 && b >= self.nodes {
            Sharing::MemoryOnly
        } else if a == b {
            Sharing::Node
        } else if self.same(self.sockets, a, b) {
            Sharing::Socket
        } else if self.same(self.boards, a, b) {
            Sharing::Board
        } else {
            Sharing::Machine
        }
    }

    /// Number of a node's board, or of its socket on a machine without boards.
    pub fn outermost(self, node: u32) -> u32 {
        let groups = if self.boards > 0 { self.boards } else { self.sockets };
        node.checked_div(self.nodes_in_each(groups)).unwrap_or(0)
    }

    fn same(self, containers: u32, a: u32, b: u32) -> bool {
        let each = self.nodes_in_each(containers);
        each > 0 && a / each == b / each
    }

    fn nodes_in_each(self, containers: u32) -> u32 {
        self.nodes.checked_div(containers).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_boards_of_two_sockets_of_two_nodes() {
        // Nodes 0 1 | 2 3 || 4 5 | 6 7 || …: a bar between sockets, two between boards.
        let layout = Layout { boards: 4, sockets: 8, nodes: 16 };
        assert_eq!(layout.sharing(2, 2), Sharing::Node);
        assert_eq!(layout.sharing(2, 3), Sharing::Socket);
        assert_eq!(layout.sharing(1, 2), Sharing::Board);
        assert_eq!(layout.sharing(3, 4), Sharing::Machine);
        assert_eq!(layout.outermost(7), 1);
    }

    /// Memory-only nodes are numbered after the others.
    #[test]
    fn nodes_beyond_processors_are_memory_only() {
        let layout = Layout { boards: 0, sockets: 2, nodes: 2 };
        assert_eq!(
            [0, 1, 2].map(|node| layout.sharing(0, node)),
            [Sharing::Node, Sharing::Machine, Sharing::MemoryOnly]
        );
    }

    #[test]
    fn without_boards_another_socket_is_far() {
        let layout = Layout { boards: 0, sockets: 2, nodes: 8 };
        assert_eq!(layout.sharing(0, 3), Sharing::Socket);
        assert_eq!(layout.sharing(3, 4), Sharing::Machine);
        assert_eq!(layout.outermost(4), 1);
    }

    #[test]
    fn an_unknown_layout_knows_only_the_node_itself() {
        assert_eq!(Layout::default().sharing(1, 1), Sharing::Node);
        assert_eq!(Layout::default().sharing(0, 1), Sharing::Machine);
        assert_eq!(Layout::default().outermost(5), 0);
    }
}
