//! Coherence directories that cover only a part of what the caches can hold.
//!
//! A directory (AMD: probe filter) is at the home node of the lines. It sees each line that memory delivers to a
//! cache, but no hits. When it is full, a new entry replaces the earliest one, whose line is invalidated in all
//! caches. Lines that caches drop silently keep their entries, as in hardware.
//!
//! Lines of interleaved pages are not counted: they are spread over all directories.

use super::lru::{Lru, Touch};
use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub(super) struct Directories {
    /// Bytes of memory that each directory covers; `None` for no limit.
    coverage: Option<u64>,
    /// Directory of each node, by node number; `None` until the node's memory delivers a line.
    of: Vec<Option<Lru>>,
    evicted: Vec<(u32, Range<u64>)>,
}

impl Directories {
    pub fn new(coverage: Option<Bytes>, line: u64) -> Directories {
        let coverage = coverage.map(|bytes| (bytes.0 / line * line).max(line));
        Directories { coverage, ..Directories::default() }
    }

    /// True if coverage is limited.
    pub fn limited(&self) -> bool {
        self.coverage.is_some()
    }

    pub fn clear(&mut self) {
        self.of.clear();
    }

    /// Restores approximated order to a repeatable state, see [`super::Caches::settle`].
    pub fn settle(&mut self) {
        self.of.iter_mut().flatten().for_each(Lru::settle);
    }

    /// The directory of each node, by node number; `None` for an empty directory.
    pub fn each(&self) -> impl Iterator<Item = Option<&Lru>> {
        self.of.iter().map(Option::as_ref)
    }

    /// Adds lines that a node's memory delivers to a cache. `lost` is called with the region and the bytes of lines
    /// that are no longer covered.
    pub fn fill(
        &mut self,
        home: NodeId,
        region: u32,
        lines: Range<u64>,
        stamp: u64,
        mut lost: impl FnMut(u32, Range<u64>),
    ) {
        let Some(coverage) = self.coverage else { return };
        let at = home.0 as usize;
        if at >= self.of.len() {
            self.of.resize_with(at + 1, || None);
        }
        let directory = self.of[at].get_or_insert_with(|| Lru::new(coverage, None));
        let touch = Touch { region, bytes: lines, stamp, core: 0, write: false };
        let evicted = &mut self.evicted;
        evicted.clear();
        directory.touch(
            &touch,
            |_| true,
            |_, _, _| {},
            |interval, bytes, _| evicted.push((interval.region, bytes)),
        );
        for (region, bytes) in evicted.drain(..) {
            lost(region, bytes);
        }
    }
}
