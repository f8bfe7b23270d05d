//! Placement of a piece of a region.

// Glossary: home node: Node whose memory holds a page.

use numalab_machine::NodeId;
use std::sync::Arc;

/// Node or nodes that hold a piece of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home<'a> {
    /// The whole piece is on one node.
    Node(NodeId),
    /// Page `k` of the piece is on `nodes[(first + k) % nodes.len()]`. The piece has whole pages only. A node is
    /// listed more than once if its weight is above 1, or if it takes the turns of a full node, too.
    Cycle {
        nodes: &'a Arc<[NodeId]>,
        /// Index in `nodes` of the node that holds the first page of the piece.
        first: u32,
        /// Bytes of a page.
        page: u64,
    },
}
