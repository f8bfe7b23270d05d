//! Directories of nodes that cover only a part of what caches could hold.
//!
//! A directory (AMD: probe filter) sits at the home of the lines and hears of each that leaves memory for a cache, not
//! of hits. It has room for so many; a new one takes the place of the one that came earliest, whose copies are then
//! taken back from all caches. What caches drop silently keeps its place, as in hardware.
//!
//! Lines of interleaved pages are not counted: they are spread over all directories.

use super::lru::{Lru, Touch};
use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::ops::Range;

/// The directories of all nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Directories {
    /// Bytes that each covers; all if `None`.
    coverage: Option<u64>,
    /// By node, once its memory delivered something.
    of: Vec<Option<Lru>>,
    evicted: Vec<(u32, Range<u64>)>,
}

impl Directories {
    pub fn new(coverage: Option<Bytes>, line: u64) -> Directories {
        let coverage = coverage.map(|bytes| (bytes.0 / line * line).max(line));
        Directories { coverage, ..Directories::default() }
    }

    /// Whether they may be too small for anything.
    pub fn limited(&self) -> bool {
        self.coverage.is_some()
    }

    /// Nothing is covered.
    pub fn clear(&mut self) {
        self.of.clear();
    }

    /// Those that are cut up give way now.
    pub fn settle(&mut self) {
        self.of.iter_mut().flatten().for_each(Lru::settle);
    }

    /// The directories, and `None` for each that never had to cover anything.
    pub fn each(&self) -> impl Iterator<Item = Option<&Lru>> {
        self.of.iter().map(Option::as_ref)
    }

    /// Lines of a node's memory are delivered. `lost` hears what is no longer covered.
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
        let directory = self.of[at].get_or_insert_with(|| Lru::new(coverage));
        let touch = Touch { region, bytes: lines, stamp, core: 0, write: false };
        let evicted = &mut self.evicted;
        evicted.clear();
        directory.touch(
            &touch,
            |_| true,
            |_, _| {},
            |segment, bytes, _| evicted.push((segment.region, bytes)),
        );
        for (region, bytes) in evicted.drain(..) {
            lost(region, bytes);
        }
    }
}
