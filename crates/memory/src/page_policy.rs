//! Page policy and page size that a program requests for a region.

// Glossary: first touch: Rule that a page is placed on the node of the thread that accesses it first.

use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::sync::Arc;

// Glossary: page policy: Rule by which a page gets its node: first touch, bind, preferred or interleave.
/// How a region's new pages find their nodes, in the terms of `mbind(2)` and `numactl`. Lists of
/// nodes are not empty; sets are sorted and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PagePolicy {
    /// The node of the thread that touches the page first. When it is full, the next node of its zone
    /// list.
    #[default]
    FirstTouch,
    /// The node of the set with room that is nearest to the touching thread. Nodes outside are never
    /// used.
    Bind(Arc<[NodeId]>),
    /// This node. When it is full, the next node of its zone list.
    Preferred(NodeId),
    /// The node of the set with room that is nearest to the touching thread. When all are full, the
    /// zone list of the thread's node.
    PreferredMany(Arc<[NodeId]>),
    /// Entry `n` of the list for a thread on node `n`. When that node is full, the next node of its
    /// zone list.
    Nearby(Arc<[NodeId]>),
    /// Page `k` goes to `list[k % list.len()]`, and when that node is full to the next one of its zone
    /// list. For weighted interleaving a node is listed as often as its weight says, in adjacent
    /// entries.
    Interleave(Arc<[NodeId]>),
}

/// Page size of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageSize {
    /// The base page size of the machine's kernel.
    #[default]
    Base,
    /// Larger pages, reserved and mapped explicitly (hugetlbfs). A power of two.
    Explicit(Bytes),
    /// Transparent huge pages: an aligned block of this size becomes one page at its first touch if it
    /// lies inside the region and its node has room. Everything else is base pages. A power of two.
    Transparent {
        /// Bytes of a huge page.
        huge: Bytes,
    },
}
