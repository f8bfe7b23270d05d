//! Caches for bulk data: which cache, or memory, serves the bytes of an access.
//!
//! No time passes here. An access says which bytes of which region a core touches, and hears who serves them.
//!
//! A cache holds the lines used last, up to its size, as intervals of regions: an access costs in proportion to the
//! intervals that it meets, not to its bytes. An access runs upwards through whole lines, and each line that comes
//! in drives the oldest out, so that a long access may drive out what it would have come to. Every level sees every
//! access as a whole, the outermost first, and what an outer cache loses leaves the caches inside it.
//!
//! Last-level caches share by these rules. A write by one makes the copies of all others invalid. What is dirty in
//! another comes from there, and is clean in both then, if it is only read. So no line is dirty in two. Invalid
//! copies are recognised when they are met (`owners.rs`); until then they keep their place. Inside a last-level
//! cache, a write by a core takes the line out of the private caches of the other cores at once.
//!
//! A cache that does not include those inside it takes what they drive out. It is kept as one list together with them,
//! as long as all their lines; who of them serves a line is what the inner list says.
//!
//! A cache may also replace lines at random (`random/`): then a share of what was used is there, on average over all draws, and
//! parts of an access say how many bytes of theirs they serve. What such a cache loses does not leave the caches inside: of
//! what these have, as much is theirs as is still in it. One that takes what the caches inside drive out hears of that
//! (`Contents::take`).
//!
//! A node's directory may cover only so many bytes of its memory. Whoever calls says which node delivered what
//! (`fill`); what came earliest leaves all caches when there are more (`directory.rs`).
//!
//! Accesses that cut a cache into very many intervals make it less exact: see `lru/bound.rs`.

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
use numalab_base::Bytes;
use numalab_machine::{Cache, CoreId, NodeId};
use owners::Owners;
pub use random::decay::{drawn, swept};
use std::ops::Range;
pub use sweep::SweptArray;
use walk::Scratch;

/// Kind of an access, by what it does to the copies of other caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Loads.
    Read,
    /// Stores that fetch first and leave the bytes dirty in the caches.
    Write,
    /// Streaming stores, past the caches: they make every copy invalid.
    Stream,
}

/// Server of some bytes.
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
    /// The innermost first.
    levels: Vec<CacheLevel>,
    /// Node of each last-level cache.
    nodes: Vec<NodeId>,
    /// Whether some cache takes what those inside it drive out.
    victims: bool,
    /// Most bytes of an access that are looked at together.
    together: u64,
    directories: Directories,
    /// By the caller's number.
    regions: Vec<Option<RegionCopies>>,
    /// Regions so far, those forgotten among them.
    known: u32,
    /// Accesses so far.
    now: u64,
    scratch: Scratch,
}

/// State of a region that its caches share.
#[derive(Clone, Debug)]
struct RegionCopies {
    /// Never used again once the region is forgotten: what caches still hold of it is nothing's.
    name: u32,
    owners: Owners,
}

impl Caches {
    /// Empty caches of a machine with so many `cores`; `node_of` says where each core is. `caches` are the
    /// machine's, innermost first; there may be none.
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

    /// The same caches, of which so many bytes may be of the memory of one node.
    #[must_use]
    pub fn covered(mut self, coverage: Option<Bytes>) -> Caches {
        self.directories = Directories::new(coverage, self.line);
        self
    }

    /// Whether what memory delivers has to be told.
    pub fn tracks(&self) -> bool {
        self.directories.limited() && !self.levels.is_empty()
    }

    /// Memory of a node delivered these bytes to the caches. What its directory can no longer cover leaves all caches.
    pub fn fill(&mut self, home: NodeId, region: usize, bytes: Range<u64>) {
        let lines = self.lines(&bytes);
        let Some(Some(region)) = self.regions.get(region) else { return };
        let Caches { directories, levels, now, .. } = self;
        directories.fill(home, region.name, lines, *now, |region, bytes| {
            levels.iter_mut().for_each(|level| level.remove_everywhere(region, &bytes));
        });
    }

    /// `core` touches `bytes` of `region` in address order. `visit` hears who serves each part, and how many bytes of
    /// it: all, where no cache replaces at random; the parts then are in address order, do not overlap and cover `bytes`. Otherwise
    /// several may serve bytes of one stretch, spread evenly over it. Amounts always add up to `bytes`. A stream is served by memory.
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

    /// Segments of caches, and gaps between them, that accesses met so far: what the accesses cost, in a unit that
    /// no host changes.
    pub fn visits(&self) -> u64 {
        self.levels.iter().map(CacheLevel::met).sum()
    }

    /// The last-level caches forget nothing from now on.
    pub fn unlimit(&mut self) {
        if let Some(last) = self.levels.last_mut() {
            last.unlimit();
        }
        self.directories = Directories::default();
    }

    /// Between two repetitions of the same: caches that are cut up forget the order that gives way, and with it when it last did.
    /// Else that would go on in a rhythm of its own, and what repeats would never leave what it found.
    pub fn settle(&mut self) {
        self.levels.iter_mut().for_each(CacheLevel::settle);
        self.directories.settle();
    }

    /// All caches are empty, after something that nobody followed drove everything out.
    pub fn clear(&mut self) {
        self.levels.iter_mut().for_each(CacheLevel::clear);
        self.directories.clear();
        self.regions.clear();
    }

    /// The region is freed: nothing of it is served by a cache again. Its bytes keep their place until others drive
    /// them out, as the hardware knows nothing of freeing.
    pub fn forget(&mut self, region: usize) {
        if let Some(region) = self.regions.get_mut(region) {
            *region = None;
        }
    }

    /// A victim cache has room for what the caches inside it hold from the first time on that one of them is used.
    fn widen(&mut self, core: u32) {
        // The outermost first: widening makes a cache, and so it is used.
        for at in (1..self.levels.len()).rev() {
            // Never more than a cache further out holds.
            let most = self.levels.get(at + 1).map_or(u64::MAX, CacheLevel::capacity);
            let [.., inner, outer] = &mut self.levels[..=at] else { continue };
            if outer.is_victim() && inner.used(inner.of(core)).is_none() {
                let cache = outer.of(core);
                let more = inner.capacity();
                outer.get(cache).widen(more, most);
            }
        }
    }

    /// Have a region ready.
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

    /// Outwards to whole lines.
    fn lines(&self, bytes: &Range<u64>) -> Range<u64> {
        let mask = self.line - 1;
        bytes.start & !mask..bytes.end.checked_add(mask).map_or(u64::MAX, |end| end & !mask)
    }
}

/// Bytes that are few for a cache whose lines go to one that takes them at random: of a longer access, what goes there has an
/// effect on what is found there later on.
fn together(levels: &[CacheLevel], line: u64) -> u64 {
    /// Part of the cache.
    const PART: u64 = 8;
    let inside = levels.iter().zip(levels.iter().skip(1)).filter(|(_, outer)| outer.takes());
    let least = inside.map(|(inner, _)| (inner.capacity() / PART / line * line).max(line)).min();
    least.unwrap_or(u64::MAX)
}
