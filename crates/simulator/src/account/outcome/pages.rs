//! Events of pages that nodes share in software.

use numalab_counts::{Count, NodeCounts, PageFaults};
use numalab_dsm::{PageRow, Stop};

/// The shared pages of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSharing {
    /// One for each node.
    pub nodes: Vec<NodeCounts>,
    /// Stops of each thread by their parts.
    pub stops: Vec<Stop>,
    /// The rows of pages that faults of nodes are counted by.
    pub rows: Vec<PageRow>,
}

pub(crate) fn faults(nodes: &[NodeCounts]) -> PageFaults {
    let mut sum = PageFaults::default();
    nodes.iter().for_each(|node| sum.add(&node.faults));
    sum
}
