//! Placement of a piece of a region.

// Glossary: home node: Node whose memory holds a page.

use numalab_machine::NodeId;
use std::sync::Arc;

/// Node or nodes that hold a piece of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home<'a> {
    /// The whole piece is on one node.
    Node(NodeId),
    /// Page `k` of the piece is on `nodes[(first + k) % nodes.len()]`. The piece is whole pages. A node
    /// may be listed more than once: it then replaces a full one.
    Cycle {
        nodes: &'a Arc<[NodeId]>,
        /// Index of the node of the first page.
        first: u32,
        /// Bytes of a page.
        page: u64,
    },
}
