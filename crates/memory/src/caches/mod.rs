//! Caches for bulk data: which cache, or memory, serves the bytes of an access.
//!
//! No time passes here. An access says which bytes of which region a core touches, and hears who serves them.

use numalab_machine::{Cache, CoreId, NodeId};
use numalab_units::Bytes;
use std::ops::Range;

/// What an access does to the copies of other caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Loads.
    Read,
    /// Stores that fetch first and leave the bytes dirty in the caches.
    Write,
    /// Streaming stores, past the caches: they invalidate every copy.
    Stream,
}

/// Who serves some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Served {
    /// A cache of the core: the index into `Machine::caches`, 0 is innermost.
    Cache(usize),
    /// They are dirty in another last-level cache, whose first core is on this node.
    Peer(NodeId),
    /// The memory that is their home.
    Memory,
}

/// All caches of a machine and what they hold.
#[derive(Clone, Debug)]
pub struct Caches {
    line: u64,
}

impl Caches {
    /// Empty caches of a machine with so many `cores`; `node_of` says where each core is.
    pub fn new(caches: &[Cache], cores: u32, line: Bytes, node_of: impl Fn(CoreId) -> NodeId) -> Caches {
        let _ = (caches, cores, node_of);
        Caches { line: line.0 }
    }

    /// `core` touches `bytes` of `region` in address order. `visit` hears who serves each part: the parts are in
    /// address order, do not overlap and cover `bytes`.
    pub fn access(
        &mut self,
        core: CoreId,
        region: usize,
        bytes: Range<u64>,
        kind: Kind,
        mut visit: impl FnMut(Served, Range<u64>),
    ) {
        let _ = (core, region, kind, self.line);
        if !bytes.is_empty() {
            visit(Served::Memory, bytes);
        }
    }

    /// The region is freed: no cache holds any of it, and nothing of it is written back.
    pub fn forget(&mut self, region: usize) {
        let _ = region;
    }
}
