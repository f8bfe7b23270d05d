//! Pages in software shared memory: faults, stops, messages.

use crate::NodeCounts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Software shared memory in the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSharing {
    /// One entry for each node.
    pub nodes: Vec<NodeCounts>,
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

/// Times that a thread was stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStop {
    /// Total time.
    pub stop_ps: u64,
    /// Time by the activity that it was spent on.
    pub by_part_ps: BTreeMap<String, u64>,
}

impl NodeCounts {
    /// True if it had threads or pages.
    pub fn took_part(&self) -> bool {
        self.received > 0 || self.faults.total() > 0
    }

    /// Pages that it received without a request and never used.
    pub fn ahead_unused(&self) -> u64 {
        self.ahead.saturating_sub(self.ahead_used + self.ahead_late)
    }
}
