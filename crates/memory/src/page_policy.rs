//! Page policy and page size that a program requests for a region.

// Glossary: first touch: Rule that a page is placed on the node of the thread that accesses it first.

use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::sync::Arc;

// Glossary: page policy: Rule by which a page gets its node: first touch, bind, preferred or interleave.
/// Rule that gives a region's new pages their nodes, in the terms of `mbind(2)` and `numactl`. Lists of nodes are not
/// empty; sets are sorted and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PagePolicy {
    /// The node of the thread that touches the page first. If that node is full, the next node of its zone list.
    #[default]
    FirstTouch,
    /// The nearest node to the touching thread among the nodes of the set that have room. Nodes outside the set are
    /// never used.
    Bind(Arc<[NodeId]>),
    /// The given node. If that node is full, the next node of its zone list.
    Preferred(NodeId),
    /// The nearest node to the touching thread among the nodes of the set that have room. If all nodes of the set are
    /// full, the next node of the zone list of the thread's node.
    PreferredMany(Arc<[NodeId]>),
    /// For a thread on node `n`, the node at entry `n` of the list. If that node is full, the next node of its zone
    /// list.
    Nearby(Arc<[NodeId]>),
    /// For page `k` of the region, the node `list[k % list.len()]`. If that node is full, the next node of its zone
    /// list. For weighted interleaving a node is listed as often as its weight says, in adjacent entries.
    Interleave(Arc<[NodeId]>),
}

/// Page size of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageSize {
    /// The base page size of the machine's kernel.
    #[default]
    Base,
    /// Huge pages of this size, reserved and mapped explicitly (hugetlbfs). A power of two.
    Explicit(Bytes),
    /// Transparent huge pages: an aligned block of `huge` bytes becomes one page at its first touch if the block lies
    /// inside the region and its node has room. All other pages are base pages.
    Transparent {
        /// Bytes of a huge page, a power of two.
        huge: Bytes,
    },
}
