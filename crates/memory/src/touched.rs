//! Effects of page operations, for which the simulator charges time.

use numalab_base::Bytes;
use numalab_machine::NodeId;

/// Effects of an access on the pages that it touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Pages placed by the access.
    pub fresh: Fresh,
    /// Result of next touch for the accessed pages that were marked.
    pub next_touch: Moved,
    /// Number of hint faults: accessed pages that the balancing scanner had unmapped.
    pub hints: u64,
    /// Pages that balancing moved at the second hint fault in a row from one node. Pages that stayed because the node
    /// was full are in `refused`.
    pub migrated: Moved,
    /// Pages of slower memory that were promoted to the thread's node.
    pub promoted: Moved,
}

/// Pages placed at their first touch, one page fault each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fresh {
    /// Number of pages of the region's ordinary size: base pages, or explicit huge pages.
    pub pages: u64,
    /// Number of transparent huge pages.
    pub huge: u64,
    /// Bytes that the kernel zeroed.
    pub zeroed: Bytes,
}

/// Predicted effect of a touch after which all touched bytes are on one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Node of all touched bytes after the touch.
    pub home: NodeId,
    /// Number of pages that the touch would place, in the region's ordinary size.
    pub pages: u64,
    /// Bytes of pages that the touch would place.
    pub fresh: Bytes,
}

/// Result of moving pages to one node. A transparent huge page counts as one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Number of pages that moved.
    pub pages: u64,
    /// Bytes that moved.
    pub bytes: Bytes,
    /// Number of pages that were on the target node already.
    pub checked: u64,
    /// Number of pages that stay because the target node is full: each is an `ENOMEM` of `move_pages(2)`.
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
