//! Blocks of several arrays, accessed side by side in ascending order, simulated in one step.
//!
//! A core that goes through uncached data hits only the line that a block shares with the block
//! before it. So the server of every block is known in advance, and so are the final contents of
//! the caches: the blocks in the order of access, as many as fit. The result equals that of single
//! accesses; if that is not certain, `sweep` does nothing.

use super::contents::Contents;
use super::level::CacheLevel;
use super::lru::{Interval, Mark};
use super::walk::{Evicted, Scratch};
use super::{AccessKind, Caches};
use numalab_machine::CoreId;
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct SweptArray {
    /// Number of the array's region, as the caller counts.
    pub region: usize,
    /// Kind of all accesses to the array.
    pub kind: AccessKind,
    /// Borders of the blocks: the start of each block, and the end of the last block. The first block has been
    /// accessed; all further blocks are still to be accessed.
    pub bounds: Vec<u64>,
}

impl SweptArray {
    /// True if accesses to the array bring its lines into the caches.
    fn cached(&self) -> bool {
        match self.kind {
            AccessKind::Read | AccessKind::Write => true,
            AccessKind::Stream => false,
        }
    }

    /// Number of blocks still to be accessed.
    fn blocks(&self) -> usize {
        self.bounds.len().saturating_sub(2)
    }

    /// Bytes of the blocks still to be accessed.
    fn bytes(&self) -> Range<u64> {
        self.bounds.get(1).zip(self.bounds.last()).map_or(0..0, |(start, end)| *start..*end)
    }
}

impl Caches {
    /// Simulates accesses of `core` to the second block of each array, then to the third of each array, and so on,
    /// right after accesses to the first blocks. `shared` gets each part that a cache of the core serves: the index
    /// of the array, the cache level and the number of bytes. Memory serves all other bytes. Does nothing and returns
    /// false if the fast path does not apply.
    pub fn sweep(
        &mut self,
        core: CoreId,
        arrays: &[SweptArray],
        shared: impl FnMut(usize, usize, u64),
    ) -> bool {
        if !self.can_sweep(core.0, arrays) {
            return false;
        }
        self.tell_shared(arrays, shared);
        let first = self.now + 1;
        self.sweep_last(core.0, arrays, first);
        self.sweep_inner(core.0);
        self.sweep_owners(core.0, arrays, first);
        self.now += (arrays.len() * arrays[0].blocks()) as u64;
        true
    }

    /// True if the accesses hit nothing but lines shared between adjacent blocks, and `sweep` can simulate them
    /// exactly.
    fn can_sweep(&self, core: u32, arrays: &[SweptArray]) -> bool {
        let Some((last, inner)) = self.levels.split_last() else { return false };
        let cores = |level: &CacheLevel| level.cores(level.of(core));
        // All inner caches serve the same cores, so that an eviction from one invalidates nothing in another.
        let alike = inner.windows(2).all(|pair| cores(&pair[0]) == cores(&pair[1]));
        let blocks = arrays.first().map_or(0, SweptArray::blocks);
        let cached = || arrays.iter().filter(|array| array.cached());
        if self.victims || self.tracks() || !alike || blocks == 0 || cached().count() < 2 {
            return false;
        }
        let alone =
            |array: &SweptArray| arrays.iter().filter(|other| other.region == array.region).count() == 1;
        let lengths =
            |array: &SweptArray| array.bounds.windows(2).all(|pair| pair[0] + 2 * self.line <= pair[1]);
        if !arrays.iter().all(|array| array.blocks() == blocks && lengths(array) && alone(array)) {
            return false;
        }
        // Number of new intervals: all blocks, or as many as fit. Each loses the line that it shares with
        // the next.
        let pairs = cached().flat_map(|array| array.bounds.windows(2));
        let least = pairs.map(|pair| pair[1] - pair[0]).min().unwrap_or(0) - self.line;
        let intervals = (cached().count() * (blocks + 1)) as u64;
        let exact = self.levels.iter().all(|level| {
            let lru = level.used(level.of(core)).and_then(Contents::lru);
            lru.is_some_and(|lru| lru.has_room(intervals.min(lru.capacity() / least + 2)))
        });
        // The line shared by two blocks is still in the last-level cache at the second access if this cache has room
        // for two blocks and two lines of every array.
        let two = |array: &SweptArray| array.bounds.windows(3).map(|three| three[2] - three[0]).max();
        let most: u64 = cached().map(|array| two(array).unwrap_or(0) + 2 * self.line).sum();
        exact && most <= last.capacity() && arrays.iter().all(|array| self.is_untouched(core, array))
    }

    /// True if accesses to the further blocks of an array hit no cache, except for the line shared with the first
    /// block, which the last-level cache of `core` holds.
    fn is_untouched(&self, core: u32, array: &SweptArray) -> bool {
        let Some(Some(region)) = self.regions.get(array.region) else { return false };
        let Some(last) = self.levels.last() else { return false };
        let Some(lru) = last.used(last.of(core)).and_then(Contents::lru) else { return false };
        let before = self.shared_line(array);
        let rest = before.end..self.lines(&array.bytes()).end;
        if !region.owners.uniform(last.of(core), rest.clone(), array.kind) {
            return false;
        }
        let mark = Mark { sole: core, dirty: array.kind == AccessKind::Write };
        !array.cached()
            || !lru.overlaps_any(region.name, rest)
                && (before.is_empty() || lru.mark(region.name, before.start) == Some(mark))
    }

    /// The line that the first and the second block share; empty if they share none.
    fn shared_line(&self, array: &SweptArray) -> Range<u64> {
        let Range { start, .. } = array.bytes();
        self.lines(&(start..start))
    }

    /// Reports the cache level that serves each line shared by two adjacent blocks: the innermost one that holds all
    /// bytes accessed between the two accesses to the line.
    fn tell_shared(&self, arrays: &[SweptArray], mut shared: impl FnMut(usize, usize, u64)) {
        let mask = self.line - 1;
        let last = self.levels.len() - 1;
        let length = |array: &SweptArray, block: usize| {
            let lines = self.lines(&(array.bounds[block]..array.bounds[block + 1]));
            if array.cached() { lines.end - lines.start } else { 0 }
        };
        for (at, array) in arrays.iter().enumerate().filter(|(_, array)| array.cached()) {
            for block in 1..=array.blocks() {
                let bytes = (self.line - (array.bounds[block] & mask)) & mask;
                if bytes == 0 {
                    continue;
                }
                let since = arrays[at + 1..].iter().map(|array| length(array, block - 1));
                let since = since.chain(arrays[..at].iter().map(|array| length(array, block)));
                let since = since.sum::<u64>() + self.line;
                let level = self.levels.iter().position(|level| since <= level.capacity());
                shared(at, level.unwrap_or(last), bytes);
            }
        }
    }

    /// Puts the blocks into the core's last-level cache. `first` is the stamp of the first access.
    fn sweep_last(&mut self, core: u32, arrays: &[SweptArray], first: u64) {
        let mask = self.line - 1;
        self.scratch.swept.clear();
        for block in 1..=arrays[0].blocks() {
            for (at, array) in arrays.iter().enumerate().filter(|(_, array)| array.cached()) {
                let Some(Some(region)) = self.regions.get(array.region) else { continue };
                let (start, end) = (array.bounds[block] & !mask, array.bounds[block + 1]);
                // A line shared with the next block belongs to the next block.
                let end = if block == array.blocks() { (end + mask) & !mask } else { end & !mask };
                let stamp = first + ((block - 1) * arrays.len() + at) as u64;
                let mark = Mark { sole: core, dirty: array.kind == AccessKind::Write };
                self.scratch.swept.push(Interval { region: region.name, start, end, stamp, mark });
            }
        }
        for array in arrays.iter().filter(|array| array.cached()) {
            let before = self.shared_line(array);
            let Some(Some(region)) = self.regions.get(array.region) else { continue };
            for level in &mut self.levels {
                let cache = level.of(core);
                level.change(cache, |contents| contents.remove(region.name, before.clone()));
            }
        }
        let Caches { levels, scratch: Scratch { evicted, swept, .. }, .. } = self;
        let Some((last, inner)) = levels.split_last_mut() else { return };
        let cache = last.of(core);
        let cores = last.cores(cache);
        let narrower = inner.first().is_some_and(|first| first.is_inside(&cores));
        evicted.clear();
        last.change(cache, |contents| {
            let Some(lru) = contents.lru_mut() else { return };
            lru.sweep(swept, |interval, bytes| {
                if narrower && interval.mark.sole != core {
                    evicted.push(Evicted {
                        region: interval.region,
                        bytes,
                        sole: interval.mark.sole,
                        own: false,
                    });
                }
            });
        });
        evicted.iter().for_each(|evicted| evicted.leave(inner, core, &cores));
    }

    /// Puts the blocks into the core's inner caches, which keep no stamps or marks.
    fn sweep_inner(&mut self, core: u32) {
        let Caches { levels, scratch: Scratch { swept, .. }, .. } = self;
        let Some((_, inner)) = levels.split_last_mut() else { return };
        let mark = Mark { sole: 0, dirty: false };
        swept.iter_mut().for_each(|interval| (interval.stamp, interval.mark) = (0, mark));
        for level in inner {
            let cache = level.of(core);
            level.change(cache, |contents| {
                if let Some(lru) = contents.lru_mut() {
                    lru.sweep(swept, |_, _| {});
                }
            });
        }
    }

    /// Records writes and streaming stores of the blocks in the owner maps. `first` is the stamp of the first access.
    fn sweep_owners(&mut self, core: u32, arrays: &[SweptArray], first: u64) {
        let blocks = arrays[0].blocks();
        let cache = self.levels.last().map(|last| last.of(core));
        for (at, array) in arrays.iter().enumerate() {
            let lines = self.lines(&array.bytes());
            let Some(Some(region)) = self.regions.get_mut(array.region) else { continue };
            let stamp = first + ((blocks - 1) * arrays.len() + at) as u64;
            match array.kind {
                AccessKind::Read => {}
                AccessKind::Write => region.owners.write(cache, lines, stamp),
                AccessKind::Stream => region.owners.write(None, lines, stamp),
            }
        }
    }
}
