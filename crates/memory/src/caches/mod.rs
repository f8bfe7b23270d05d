//! Caches for bulk data: which cache, or memory, serves the bytes of an access.
//!
//! This is a state model without time: an access names a byte range of a region and a core, and is
//! answered with the servers of its parts.
//!
//! A cache holds the most recently used lines, up to its size, as intervals of regions. An access
//! costs in proportion to the intervals that it meets, not to its bytes. It runs upwards through
//! whole lines, and each line that comes in evicts the oldest one, so a long access may evict lines
//! that it has still to reach. Every level sees every access as a whole, outermost level first, and
//! what an outer cache evicts also leaves the caches inside it.
//!
//! Last-level caches share lines by these rules. A write in one invalidates the copies in all
//! others. A line that is dirty in another cache comes from there; after a read it is clean in
//! both. So no line is dirty in two caches. Invalid copies are recognised when they are met
//! (`owners.rs`); until then they occupy space. Within one last-level cache, a write by a core
//! removes the line from the private caches of the other cores at once.
//!
//! An LRU victim cache shares one list with the caches inside it, as long as the capacities of all of them together.
//! The list of the inner cache tells which of them serves a line.
//!
//! A cache may also replace lines at random (`random/`). Then a share of the bytes used before is present, on average
//! over all draws, and parts of an access say how many of their bytes the cache serves. Lines that such a cache
//! evicts are not invalidated in the caches inside: these count as holding at most the bytes that are left in the
//! outer one. A random victim cache gets a call for each eviction inside ([`contents::Contents::take`]).
//!
//! A node's directory may cover a limited number of bytes of its memory. The caller reports what
//! memory delivers (`fill`); the earliest lines leave all caches when the limit is exceeded
//! (`directory.rs`).
//!
//! Accesses that cut a cache into very many intervals make the model less exact: see
//! `lru/bound.rs`.

mod contents;
mod directory;
mod level;
mod lru;
mod owners;
mod parts;
mod random;
mod snapshot;
mod sweep;
#[cfg(test)]
mod tests;
mod walk;

use directory::Directories;
use level::{CacheId, CacheLevel};
pub use lru::sets::{held, kept};
use numalab_base::Bytes;
use numalab_machine::{Cache, CoreId, NodeId};
use owners::Owners;
pub use random::decay::{drawn, swept};
use std::ops::Range;
pub use sweep::SweptArray;
use walk::Scratch;

/// Kind of an access, by its effect on the copies in other caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    Read,
    /// Stores that fetch the line first and leave it dirty in the caches.
    Write,
    /// Streaming stores that bypass the caches and invalidate every copy.
    Stream,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Served {
    /// A cache of the core, as an index into `Machine::caches`; 0 is innermost.
    Cache(usize),
    /// Another last-level cache in which the bytes are dirty, by the node of the first core of that cache.
    Peer(NodeId),
    /// The memory of the bytes' home node.
    Memory,
}

/// All caches of a machine and their contents.
#[derive(Clone, Debug)]
pub struct Caches {
    line: u64,
    /// The caches of each level, innermost level first.
    levels: Vec<CacheLevel>,
    /// Node of the first core of each last-level cache.
    nodes: Vec<NodeId>,
    /// True if any cache is a victim cache.
    victims: bool,
    /// Longest part of an access that is simulated in one step, in bytes.
    together: u64,
    directories: Directories,
    /// Last writers and cache name of each region, by the caller's region number; `None` until first use and after
    /// `forget`.
    regions: Vec<Option<RegionCopies>>,
    /// Number of names given to regions so far, which is the next name.
    known: u32,
    /// Number of accesses so far, which is the stamp of the latest access.
    now: u64,
    scratch: Scratch,
}

#[derive(Clone, Debug)]
struct RegionCopies {
    /// Number by which the caches know the region. Names are never reused, so contents of a forgotten region are
    /// never served.
    name: u32,
    owners: Owners,
}

impl Caches {
    /// Empty caches for `cores` cores. `caches` are the levels of the machine, innermost first,
    /// possibly none. `node_of` gives the node of each core.
    pub fn new(caches: &[Cache], cores: u32, line: Bytes, node_of: impl Fn(CoreId) -> NodeId) -> Caches {
        let line = line.0.max(1).next_power_of_two();
        let levels = CacheLevel::all(caches, cores, line);
        let nodes = levels.last().map_or(Vec::new(), |last| {
            CacheId::first(last.count() as u32)
                .map(|cache| node_of(CoreId(last.cores(cache).start)))
                .collect()
        });
        let scratch = Scratch::default();
        let victims = caches.iter().any(|cache| !cache.inclusive);
        let directories = Directories::default();
        let together = together(&levels, line);
        let regions = Vec::new();
        Caches { line, levels, nodes, victims, together, directories, regions, known: 0, now: 0, scratch }
    }

    /// Limits the bytes of one node's memory that all caches may hold together; `None` for no limit.
    #[must_use]
    pub fn covered(mut self, coverage: Option<Bytes>) -> Caches {
        self.directories = Directories::new(coverage, self.line);
        self
    }

    /// True if directories are limited, so that the caller must report deliveries of memory with `fill`.
    pub fn tracks(&self) -> bool {
        self.directories.limited() && !self.levels.is_empty()
    }

    /// Reports that a node's memory delivered these bytes to the caches. Lines that the node's
    /// directory can no longer cover leave all caches.
    pub fn fill(&mut self, home: NodeId, region: usize, bytes: Range<u64>) {
        let lines = self.lines(&bytes);
        let Some(Some(region)) = self.regions.get(region) else { return };
        let Caches { directories, levels, now, .. } = self;
        directories.fill(home, region.name, lines, *now, |region, bytes| {
            levels.iter_mut().for_each(|level| level.remove_everywhere(region, &bytes));
        });
    }

    /// `core` touches `bytes` of `region` in address order. `visit` gets the server of each part and
    /// the number of bytes that it serves. Without random replacement that is the whole part, and parts
    /// are in address order, disjoint and cover `bytes`. With random replacement several servers may
    /// share one stretch, spread evenly over it. The amounts always add up to the length of `bytes`.
    /// Memory serves streaming stores.
    pub fn access(
        &mut self,
        core: CoreId,
        region: usize,
        bytes: Range<u64>,
        kind: AccessKind,
        mut visit: impl FnMut(Served, Range<u64>, u64),
    ) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.end - bytes.start;
        if self.levels.is_empty() {
            return visit(Served::Memory, bytes, length);
        }
        self.now += 1;
        self.know(region);
        let lines = self.lines(&bytes);
        if kind == AccessKind::Stream {
            if let Some(region) = &mut self.regions[region] {
                region.owners.write(None, lines, self.now);
            }
            return visit(Served::Memory, bytes, length);
        }
        if self.victims {
            self.widen(core.0);
        }
        let mut at = lines.start;
        while at < lines.end {
            let end = lines.end.min(at.saturating_add(self.together));
            self.walk(core.0, region, at..end, kind == AccessKind::Write);
            self.scratch.parts.visit(&(bytes.start.max(at)..bytes.end.min(end)), &mut visit);
            at = end;
        }
    }

    /// Number of intervals and gaps that accesses have visited: a measure of simulation cost that does
    /// not depend on the host.
    pub fn visits(&self) -> u64 {
        self.levels.iter().map(CacheLevel::met).sum()
    }

    /// Removes the capacity limit of the last-level caches and the coverage limit of directories from now on.
    pub fn unlimit(&mut self) {
        if let Some(last) = self.levels.last_mut() {
            last.unlimit();
        }
        self.directories = Directories::default();
    }

    /// Call between two repetitions of a phase: LRU lists that gave up exact order give it up
    /// completely now, and random caches round their ages. Otherwise the approximation would follow a
    /// period of its own and a repetition would never end in the state in which it began.
    pub fn settle(&mut self) {
        self.levels.iter_mut().for_each(CacheLevel::settle);
        self.directories.settle();
    }

    /// Empties all caches after untracked traffic.
    pub fn clear(&mut self) {
        self.levels.iter_mut().for_each(CacheLevel::clear);
        self.directories.clear();
        self.regions.clear();
    }

    /// Frees a region: no cache serves its bytes again. They occupy space until other lines evict them,
    /// as hardware does not know of the release.
    pub fn forget(&mut self, region: usize) {
        if let Some(region) = self.regions.get_mut(region) {
            *region = None;
        }
    }

    /// At the first use of a cache, enlarges the victim caches outside it by its capacity.
    fn widen(&mut self, core: u32) {
        // Outermost first: `change` allocates a cache, which then counts as used.
        for at in (1..self.levels.len()).rev() {
            // A cache never holds more than the next one further out.
            let most = self.levels.get(at + 1).map_or(u64::MAX, CacheLevel::capacity);
            let [.., inner, outer] = &mut self.levels[..=at] else { continue };
            if outer.is_victim() && inner.used(inner.of(core)).is_none() {
                let cache = outer.of(core);
                let more = inner.capacity();
                outer.change(cache, |contents| contents.widen(more, most));
            }
        }
    }

    /// Gives a region a name at its first use.
    fn know(&mut self, region: usize) {
        if region >= self.regions.len() {
            self.regions.resize_with(region + 1, || None);
        }
        if self.regions[region].is_none() {
            self.regions[region] =
                Some(RegionCopies { name: self.known, owners: Owners::new(self.nodes.len()) });
            self.known += 1;
        }
    }

    /// Rounds a range of bytes outwards to whole lines.
    fn lines(&self, bytes: &Range<u64>) -> Range<u64> {
        let mask = self.line - 1;
        bytes.start & !mask..bytes.end.checked_add(mask).map_or(u64::MAX, |end| end & !mask)
    }
}

/// Upper limit of the bytes simulated in one step: an eighth of the smallest cache whose evictions go to a random
/// victim cache, since within a longer access early evictions affect what is found later. No limit without such
/// caches.
fn together(levels: &[CacheLevel], line: u64) -> u64 {
    /// Divisor of the cache size that gives the limit.
    const PART: u64 = 8;
    let inside = levels.iter().zip(levels.iter().skip(1)).filter(|(_, outer)| outer.takes());
    let least = inside.map(|(inner, _)| (inner.capacity() / PART / line * line).max(line)).min();
    least.unwrap_or(u64::MAX)
}
