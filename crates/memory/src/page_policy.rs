//! Requests of a program about its pages: a policy and a page size.

// Glossary: first touch: Rule that a page is placed on the node of the thread that accesses it first.

use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::sync::Arc;

// Glossary: page policy: Rule by which a page gets its node: first touch, bind, preferred or interleave.
/// Policy by which a region's fresh pages find their nodes, named as `mbind(2)` and `numactl` name them. Lists of
/// nodes are not empty; sets are sorted and without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PagePolicy {
    /// The node of the thread that touches the page first, and when it is full its zone list.
    #[default]
    FirstTouch,
    /// The nearest node of the set with room, as seen from the toucher. Never a node outside.
    Bind(Arc<[NodeId]>),
    /// This node, and when it is full its zone list.
    Preferred(NodeId),
    /// The nearest node of the set with room, as seen from the toucher, and when all of them are full the toucher's zone
    /// list.
    PreferredMany(Arc<[NodeId]>),
    /// The node at the place of the toucher's own number in the list, and when it is full its zone list.
    Nearby(Arc<[NodeId]>),
    /// Page k goes to node k modulo the number of nodes, and when that is full to its zone list.
    /// A node comes as often as its weight, one time after the other.
    Interleave(Arc<[NodeId]>),
}

/// Page size of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageSize {
    /// Pages of the size that the machine's kernel uses.
    #[default]
    Base,
    /// Pages of a larger size, reserved and mapped explicitly (hugetlbfs). A power of two.
    Explicit(Bytes),
    /// Transparent huge pages: an aligned block of this size becomes one page at its first touch if it
    /// lies inside the region and its node has room; everything else is base pages. A power of two.
    Transparent {
        /// Bytes of a huge page.
        huge: Bytes,
    },
}
