//! Pages that nodes share in software: faults, stops, messages.

use crate::PageFaults;
use crate::counts::is_none;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The pages that nodes shared in the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSharing {
    /// One for each node.
    pub nodes: Vec<NodePages>,
    /// Time of each thread that was stopped by faults, in thread order: a part of its waiting for memory.
    pub stops: Vec<PageStop>,
    /// Rows of pages that faults are counted by in pictures; not in files.
    #[serde(skip)]
    pub rows: Vec<PageRow>,
}

/// A stretch of pages of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRow {
    /// The region's name.
    pub region: String,
    /// The first page in it.
    pub first: u64,
    /// Number of pages.
    pub pages: u64,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodePages {
    /// Faults of its threads.
    pub faults: PageFaults,
    /// The same by the row of their page, up to the last that had any; not in files.
    #[serde(skip)]
    pub faults_by_row: Vec<u64>,
    /// Faults on pages that it had, which were marked so that their use is learned.
    #[serde(default, skip_serializing_if = "is_none")]
    pub marked_faults: u64,
    /// Pages that it sent unasked.
    #[serde(default, skip_serializing_if = "is_none")]
    pub presends: u64,
    /// Pages that were sent to it unasked. Those of them that it neither used nor faulted on while they were on their way
    /// were sent in vain.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ahead: u64,
    /// Those among them that it used.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ahead_used: u64,
    /// Those among them that it faulted on while they were on their way.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ahead_late: u64,
    /// Copies that it was told to drop.
    pub invalidations: u64,
    /// Twins that it made before it wrote, where consistency is lazy.
    #[serde(default, skip_serializing_if = "is_none")]
    pub twins: u64,
    /// Times that it found what it had written in a page.
    #[serde(default, skip_serializing_if = "is_none")]
    pub diffs: u64,
    /// Pages that it was told others have written.
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
    /// Messages that it sent again, since they were lost.
    #[serde(default, skip_serializing_if = "is_none")]
    pub resent: u64,
    /// Time that its daemon served messages.
    pub daemon_busy_ps: u64,
}

/// Stops of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStop {
    /// All of them.
    pub stop_ps: u64,
    /// The same by what they were spent on.
    pub by_part_ps: BTreeMap<String, u64>,
}

impl NodePages {
    /// Whether it had threads or pages.
    pub fn took_part(&self) -> bool {
        self.received > 0 || self.faults.total() > 0
    }

    /// Pages that were sent to it unasked and in vain.
    pub fn ahead_unused(&self) -> u64 {
        self.ahead.saturating_sub(self.ahead_used + self.ahead_late)
    }
}
