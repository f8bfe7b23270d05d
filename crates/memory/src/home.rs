//! Home of a piece of a region.

// Glossary: home node: Node whose memory holds a page.

use numalab_machine::NodeId;
use std::sync::Arc;

/// Home of a piece of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home<'a> {
    /// All of it is on one node.
    Node(NodeId),
    /// Page `k` of the piece is on `nodes[(first + k) % nodes.len()]`. The piece is whole pages. A node
    /// may be listed more than once: it stands in for one that was full.
    Cycle {
        /// The nodes in order.
        nodes: &'a Arc<[NodeId]>,
        /// Index of the node whose turn the first page is.
        first: u32,
        /// Bytes of a page.
        page: u64,
    },
}
