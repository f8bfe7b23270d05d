//! Events of pages that nodes share in software.

use numalab_counts::PageFaults;
use numalab_dsm::{NodeCounts, PageRow, Stop};

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

/// Faults of all nodes.
pub(crate) fn faults(nodes: &[NodeCounts]) -> PageFaults {
    let sum = |part: fn(&NodeCounts) -> u64| nodes.iter().map(part).sum();
    PageFaults {
        read: sum(|node| node.read_faults),
        write: sum(|node| node.write_faults),
        upgrade: sum(|node| node.upgrades),
    }
}
