//! Counts of pages that nodes share in software.

use numalab_counts::{Count, NodeCounts, PageFaults};
use numalab_dsm::{PageRow, Stop};

/// Counts of a run's shared pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSharing {
    /// Counts of each node.
    pub nodes: Vec<NodeCounts>,
    /// Stops of each thread, by parts.
    pub stops: Vec<Stop>,
    /// Rows of pages, by which faults of nodes are counted.
    pub rows: Vec<PageRow>,
}

pub(crate) fn faults(nodes: &[NodeCounts]) -> PageFaults {
    let mut sum = PageFaults::default();
    nodes.iter().for_each(|node| sum.add(&node.faults));
    sum
}
