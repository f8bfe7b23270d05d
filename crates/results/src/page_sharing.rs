//! Pages in software shared memory: faults, stops, messages.

use crate::PageFaults;
use crate::counts::is_none;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Software shared memory in the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSharing {
    /// One entry for each node.
    pub nodes: Vec<NodePages>,
    /// Times that each thread was stopped by faults, in thread order: a part of its waiting for memory.
    pub stops: Vec<PageStop>,
    /// Rows of pages in which pictures count faults; not in files.
    #[serde(skip)]
    pub rows: Vec<PageRow>,
}

/// A stretch of pages of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRow {
    /// Name of the region.
    pub region: String,
    /// Number of its first page in the region.
    pub first: u64,
    /// Number of pages.
    pub pages: u64,
}

/// Counters of one node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodePages {
    /// Faults of its threads.
    pub faults: PageFaults,
    /// Faults by the row of their page, up to the last row with any; not in files.
    #[serde(skip)]
    pub faults_by_row: Vec<u64>,
    /// Faults on pages that the node had, but that were marked to learn their use.
    #[serde(default, skip_serializing_if = "is_none")]
    pub marked_faults: u64,
    /// Pages that it sent without a request (pre-sends).
    #[serde(default, skip_serializing_if = "is_none")]
    pub presends: u64,
    /// Pages that were sent to it unasked. Those of them that it neither used nor faulted on while they were on their way
    /// were sent in vain.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ahead: u64,
    /// Pages among `ahead` that it used.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ahead_used: u64,
    /// Pages among `ahead` that it faulted on while they were under way.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ahead_late: u64,
    /// Copies that it was told to drop.
    pub invalidations: u64,
    /// Twins that it made before writing, under lazy consistency.
    #[serde(default, skip_serializing_if = "is_none")]
    pub twins: u64,
    /// Number of diffs that it computed of its writes to pages.
    #[serde(default, skip_serializing_if = "is_none")]
    pub diffs: u64,
    /// Write notices received: pages that other nodes have written.
    #[serde(default, skip_serializing_if = "is_none")]
    pub notices: u64,
    /// Messages that it sent, by kind.
    pub messages: BTreeMap<String, u64>,
    /// Bytes that it sent.
    pub bytes: u64,
    /// Messages that it received.
    pub received: u64,
    /// Bytes that it received.
    pub bytes_received: u64,
    /// Messages that it sent again because they were lost.
    #[serde(default, skip_serializing_if = "is_none")]
    pub resent: u64,
    /// Time in which its daemon served messages.
    pub daemon_busy_ps: u64,
}

/// Times that a thread was stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStop {
    /// Total time.
    pub stop_ps: u64,
    /// Time by the activity that it was spent on.
    pub by_part_ps: BTreeMap<String, u64>,
}

impl NodePages {
    /// True if it had threads or pages.
    pub fn took_part(&self) -> bool {
        self.received > 0 || self.faults.total() > 0
    }

    /// Pages that it received without a request and never used.
    pub fn ahead_unused(&self) -> u64 {
        self.ahead.saturating_sub(self.ahead_used + self.ahead_late)
    }
}
