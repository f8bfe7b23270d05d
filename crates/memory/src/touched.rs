//! Effects of an operation, for the simulator to price.

use numalab_base::Bytes;
use numalab_machine::NodeId;

/// Effects of an access on the pages that it touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Pages that had no node.
    pub fresh: Fresh,
    /// Pages marked for next touch.
    pub next_touch: Moved,
    /// Hint faults taken: pages that the balancing scanner had unmapped.
    pub hints: u64,
    /// Pages that balancing moved after the second hint fault from one node. Pages that it would have
    /// moved to a full node stay and count nowhere.
    pub migrated: Moved,
    /// Pages of slower memory that were hot and moved to the thread's node.
    pub promoted: Moved,
}

/// Pages placed at their first touch. Each took one fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fresh {
    /// Pages of the region's ordinary size: base pages, or explicit ones.
    pub pages: u64,
    /// Transparent huge pages.
    pub huge: u64,
    /// Bytes zeroed.
    pub zeroed: Bytes,
}

/// Effects that a touch would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The node of all bytes afterwards.
    pub home: NodeId,
    /// Pages to be placed, of the region's ordinary size.
    pub pages: u64,
    /// Their bytes.
    pub fresh: Bytes,
}

/// Pages moved to one node. A transparent huge page counts as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Pages that really moved.
    pub pages: u64,
    /// Their bytes.
    pub bytes: Bytes,
    /// Pages looked at that were on the node already.
    pub checked: u64,
    /// Pages that stay where they are since the node is full: each is an `ENOMEM` of `move_pages(2)`.
    pub refused: u64,
    /// The nodes that the moved pages left, and how many left each, by node.
    pub from: Vec<(NodeId, u64)>,
}

impl Moved {
    /// Pages of `unit` bytes left a node.
    pub(crate) fn add(&mut self, from: NodeId, pages: u64, unit: u64) {
        self.pages += pages;
        self.bytes += Bytes(pages * unit);
        match self.from.binary_search_by_key(&from, |entry| entry.0) {
            Ok(at) => self.from[at].1 += pages,
            Err(at) => self.from.insert(at, (from, pages)),
        }
    }
}
