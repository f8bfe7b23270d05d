//! Counts of pages that nodes share in software.

use numalab_counts::{Count, NodeCounts, PageFaults};
use numalab_dsm::{PageRow, Stop};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSharing {
    /// Counts of each node, by node number.
    pub nodes: Vec<NodeCounts>,
    /// Time for which page faults stopped each thread, by component, in thread order.
    pub stops: Vec<Stop>,
    /// Ranges of pages by which the faults of nodes are counted.
    pub rows: Vec<PageRow>,
}

pub(crate) fn faults(nodes: &[NodeCounts]) -> PageFaults {
    let mut sum = PageFaults::default();
    nodes.iter().for_each(|node| sum.add(&node.faults));
    sum
}
