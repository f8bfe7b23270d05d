//! Software shared memory in results: page faults, threads stopped by faults, messages.

use crate::NodeCounts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of software shared memory in the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSharing {
    /// Counters of each node, in the order of the nodes.
    pub nodes: Vec<NodeCounts>,
    /// Time for which page faults stopped each thread, in thread order: a part of its waiting for memory.
    pub stops: Vec<PageStop>,
    /// Page ranges by which pictures group faults; not in files.
    #[serde(skip)]
    pub rows: Vec<PageRow>,
}

/// A range of consecutive pages of one region: one row of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRow {
    /// Name of the allocation, as in the workload file.
    pub region: String,
    /// Number of the range's first page within the region.
    pub first: u64,
    /// Number of pages in the range.
    pub pages: u64,
}

/// Time for which page faults stopped one thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStop {
    /// Total stopped time.
    pub stop_ps: u64,
    /// Components of `stop_ps`, by the activity of the protocol.
    pub by_part_ps: BTreeMap<String, u64>,
}

impl NodeCounts {
    /// True if the node received messages or had faults.
    pub fn took_part(&self) -> bool {
        self.received > 0 || self.faults.total() > 0
    }

    /// Pages that the node received without a request and never used.
    pub fn ahead_unused(&self) -> u64 {
        self.ahead.saturating_sub(self.ahead_used + self.ahead_late)
    }
}
