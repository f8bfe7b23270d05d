//! Effects of page operations. The simulator charges time for them.

use numalab_base::Bytes;
use numalab_machine::NodeId;

/// Effects of an access on the pages that it touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Pages placed by the access.
    pub fresh: Fresh,
    /// Pages that were marked for next touch.
    pub next_touch: Moved,
    /// Hint faults: pages that the balancing scanner had unmapped.
    pub hints: u64,
    /// Pages that balancing moved at the second hint fault from one node. Pages that stayed because the
    /// node was full are in `refused`.
    pub migrated: Moved,
    /// Hot pages of slower memory that moved to the thread's node.
    pub promoted: Moved,
}

/// Pages placed at their first touch, one page fault each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fresh {
    /// Pages of the region's ordinary size: base pages, or explicit huge ones.
    pub pages: u64,
    /// Number of transparent huge pages.
    pub huge: u64,
    /// Bytes that the kernel zeroed.
    pub zeroed: Bytes,
}

/// Predicted effect of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Node of all the bytes afterwards.
    pub home: NodeId,
    /// Pages to be placed, in the region's ordinary size.
    pub pages: u64,
    /// Bytes to be placed.
    pub fresh: Bytes,
}

/// Result of moving pages to one node. A transparent huge page counts as one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Pages that moved.
    pub pages: u64,
    /// Bytes that moved.
    pub bytes: Bytes,
    /// Pages that were on the node already.
    pub checked: u64,
    /// Pages that stay because the node is full: each is an `ENOMEM` of `move_pages(2)`.
    pub refused: u64,
    /// Number of moved pages by their former node, sorted by node.
    pub from: Vec<(NodeId, u64)>,
}

impl Moved {
    /// Counts pages of `unit` bytes that left a node.
    pub(crate) fn add(&mut self, from: NodeId, pages: u64, unit: u64) {
        self.pages += pages;
        self.bytes += Bytes(pages * unit);
        match self.from.binary_search_by_key(&from, |entry| entry.0) {
            Ok(at) => self.from[at].1 += pages,
            Err(at) => self.from.insert(at, (from, pages)),
        }
    }
}
