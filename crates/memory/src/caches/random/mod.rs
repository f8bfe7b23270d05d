//! One cache with random replacement.
//!
//! No random numbers are drawn: the model keeps the expected share of each extent that is present.
//! A clock counts the bytes that evicted others. An extent stores its use times on this clock, and
//! its share falls with the bytes that came in since (`decay.rs`). So an access costs in proportion
//! to the extents that it meets, as in an LRU cache.
//!
//! A victim cache knows which of its extents the caches inside hold: it does not evict these until
//! they come back ([`Random::take`]).

mod bound;
pub(in crate::caches) mod decay;
mod extent;

use super::lru::{Interval, Mark, Touch};
use bound::{MANY, bend, continues, join};
use extent::{Age, Extent};
use numalab_base::Snapshot;
use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) struct Random {
    capacity: u64,
    /// Bytes present up to which new bytes evict nothing: the capacity, or `u64::MAX` if unlimited.
    room: u64,
    /// Bytes present, without bytes that a cache inside holds.
    used: u64,
    /// Clock that counts the bytes that evicted others. It starts at 64 times the capacity, because merged extents
    /// get a calculated use time, which may lie before the first eviction.
    clock: u64,
    /// True if the cache takes the lines that the caches inside evict.
    victim: bool,
    /// Bytes that the present access moves to the cache inside. Only for victim caches.
    leaving: u64,
    /// Extents of all regions, sorted by region and start, disjoint.
    extents: Vec<Extent>,
    /// Number of extents at which merging starts.
    limit: usize,
    /// Number of extents and gaps visited since the last call of [`Random::take_met`].
    met: u64,
    /// Buffer for the extents that an access leaves.
    fresh: Vec<Extent>,
}

impl Random {
    /// An empty cache of `capacity` bytes.
    pub fn new(capacity: u64, victim: bool) -> Random {
        /// Nothing of earlier contents is left after this many times the capacity came in.
        const FORGOTTEN: u64 = 64;
        let (room, clock) = (capacity, capacity.saturating_mul(FORGOTTEN));
        let (extents, fresh) = (Vec::new(), Vec::new());
        Random { capacity, room, used: 0, clock, victim, leaving: 0, extents, limit: MANY, met: 0, fresh }
    }

    /// Removes the capacity limit: bytes that come in evict nothing from now on.
    pub fn unlimit(&mut self) {
        self.room = u64::MAX;
    }

    /// Number of extents and gaps visited since the last call.
    pub fn take_met(&mut self) -> u64 {
        std::mem::take(&mut self.met)
    }

    /// Stamps of the latest access to each extent.
    pub fn stamps(&self) -> impl Iterator<Item = u64> + '_ {
        self.extents.iter().map(|extent| extent.stamp)
    }

    /// Accesses bytes in address order. `found` gets the stretches that were present, cut where their marks differ,
    /// with the number of bytes present. `current`: true if an interval of the region is still valid.
    pub fn touch(
        &mut self,
        touch: &Touch,
        current: impl Fn(&Interval) -> bool,
        mut found: impl FnMut(&Interval, Range<u64>, u64),
    ) {
        if self.capacity == 0 {
            return;
        }
        let Range { start, end } = touch.bytes;
        let first = self.first(touch.region, start);
        let inside = |extent: &Extent| extent.region == touch.region && extent.start < end;
        let high = first + self.extents[first..].partition_point(inside);
        // An extent that ends where the access begins may be extended.
        let low = match first.checked_sub(1).map(|at| &self.extents[at]) {
            Some(last) if (last.region, last.end) == (touch.region, start) => first - 1,
            _ => first,
        };
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        let left = self.extents[low..high].first().filter(|extent| extent.start < start);
        fresh.extend(left.map(|extent| extent.part(extent.start..start)));
        let right = self.extents[first..high].last().filter(|extent| extent.end > end);
        let right = right.map(|extent| extent.part(end..extent.end));
        let mut at = start;
        for index in first..high {
            let extent = self.extents[index];
            let bytes = extent.start.max(start)..extent.end.min(end);
            self.fill(touch, at..bytes.start, &current, &mut fresh);
            at = bytes.end;
            self.renew(touch, &extent, bytes, (&current, &mut found), &mut fresh);
        }
        self.fill(touch, at..end, &current, &mut fresh);
        fresh.extend(right);
        self.extents.splice(low..high, fresh.drain(..));
        self.fresh = fresh;
        self.used = self.used.saturating_sub(std::mem::take(&mut self.leaving));
        self.bound();
    }

    /// Brings absent bytes into the cache.
    fn fill(
        &mut self,
        touch: &Touch,
        gap: Range<u64>,
        current: &impl Fn(&Interval) -> bool,
        fresh: &mut Vec<Extent>,
    ) {
        if gap.is_empty() {
            return;
        }
        self.met += 1;
        let mark = touch.mark(None);
        // A victim cache passes all of them inside; otherwise those beyond the free room evict others.
        let free = if self.victim { u64::MAX } else { self.free() };
        let middle = gap.start + free.min(gap.end - gap.start);
        for bytes in [gap.start..middle, middle..gap.end] {
            let length = bytes.end - bytes.start;
            self.push(touch, bytes, mark, length, current, fresh);
        }
    }

    /// Uses bytes of an extent again: bytes still present are found, and absent bytes come in.
    fn renew(
        &mut self,
        touch: &Touch,
        extent: &Extent,
        bytes: Range<u64>,
        (current, found): (&impl Fn(&Interval) -> bool, &mut impl FnMut(&Interval, Range<u64>, u64)),
        fresh: &mut Vec<Extent>,
    ) {
        self.met += 1;
        let (interval, mark) = (extent.interval(), touch.mark(Some(extent.mark)));
        let mut at = bytes.start;
        while at < bytes.end {
            let (length, missing) = self.even(&extent.part(at..bytes.end));
            let piece = at..at + length;
            at = piece.end;
            found(&interval, piece.clone(), length - missing);
            if self.victim && extent.age != Age::Held {
                self.leaving += length - missing;
            }
            self.push(touch, piece, mark, missing, current, fresh);
        }
    }

    /// Returns the length of a front part of the extent in which missing bytes are nearly evenly spread, and the
    /// number of missing bytes in this part. Each missing byte evicts another one, unless there is free room. In a
    /// victim cache it does so through the cache inside, which evicts one byte to here.
    fn even(&self, extent: &Extent) -> (u64, u64) {
        /// Parts of at most this many bytes are not cut further.
        const LEAST: u64 = 64;
        let free = self.free();
        let missing = |length: u64| {
            let part = extent.part(extent.start..extent.start + length);
            let here = match part.stretch(self.clock) {
                Some(stretch) if free == 0 => stretch.found(self.capacity as f64).round() as u64,
                _ => part.resident(self.clock, self.capacity),
            };
            length - here.min(length)
        };
        let mut length = extent.length();
        let mut all = missing(length);
        loop {
            let half = length / 2 / LEAST * LEAST;
            if half == 0 || all == 0 {
                return (length, all);
            }
            let first = missing(half);
            let bent = (2 * first).abs_diff(all) / 2;
            if bent <= bend(self.capacity) && (free == 0 || all <= free) {
                return (length, all);
            }
            (length, all) = (half, first);
        }
    }

    /// Bytes that may come in without evicting others.
    fn free(&self) -> u64 {
        self.room.saturating_sub(self.used)
    }

    /// Records the use of bytes, of which `came` were absent and came in. Appends an extent to `fresh`, or extends
    /// the last one.
    fn push(
        &mut self,
        touch: &Touch,
        bytes: Range<u64>,
        mark: Mark,
        came: u64,
        current: &impl Fn(&Interval) -> bool,
        fresh: &mut Vec<Extent>,
    ) {
        if bytes.is_empty() {
            return;
        }
        let age = if self.victim { Age::Held } else { self.count(came) };
        let Range { start, end } = bytes;
        let extent = Extent { region: touch.region, start, end, stamp: touch.stamp, mark, age };
        match fresh.last_mut() {
            Some(last)
                if last.mark == mark
                    && (last.stamp == touch.stamp || current(&last.interval()))
                    && continues(last, &extent, bend(self.capacity)) =>
            {
                join(last, &extent);
            }
            _ => fresh.push(extent),
        }
    }

    /// Counts bytes that come in one after the other, first into free room, then in place of other bytes. Returns the
    /// use times of the bytes.
    fn count(&mut self, came: u64) -> Age {
        let first = self.clock;
        let filling = came.min(self.free());
        self.used += filling;
        self.clock += came - filling;
        Age::Used { first, last: self.clock }
    }

    /// Takes bytes that a cache inside evicts.
    pub fn take(&mut self, region: u32, bytes: Range<u64>) {
        let mut index = self.first(region, bytes.start);
        while let Some(extent) = self.extents.get(index).copied()
            && extent.region == region
            && extent.start < bytes.end
        {
            let part = extent.start.max(bytes.start)..extent.end.min(bytes.end);
            if extent.age == Age::Held {
                let taken = Extent { age: self.count(part.end - part.start), ..extent.part(part) };
                index = self.replace(index, &extent, taken);
            }
            index += 1;
        }
        self.bound();
    }

    /// Replaces a part of an extent by `new`, which may merge with the extent before. Returns the index of the new
    /// extent.
    fn replace(&mut self, index: usize, old: &Extent, new: Extent) -> usize {
        let before = (old.start < new.start).then(|| old.part(old.start..new.start));
        let after = (new.end < old.end).then(|| old.part(new.end..old.end));
        let joined = match (before, index.checked_sub(1).map(|at| &mut self.extents[at])) {
            (None, Some(last)) if last.mark == new.mark && last.stamp == new.stamp => {
                let joins = continues(last, &new, bend(self.capacity));
                if joins {
                    join(last, &new);
                }
                joins
            }
            _ => false,
        };
        let new = (!joined).then_some(new);
        let count = before.iter().count() + new.iter().count();
        self.extents.splice(index..=index, before.into_iter().chain(new).chain(after));
        (index + count).saturating_sub(1)
    }

    pub fn remove(&mut self, region: u32, bytes: Range<u64>) {
        let low = self.first(region, bytes.start);
        let mut rest: Vec<Extent> = Vec::new();
        let mut high = low;
        while let Some(extent) = self.extents.get(high)
            && extent.region == region
            && extent.start < bytes.end
        {
            self.met += 1;
            let part = extent.part(extent.start.max(bytes.start)..extent.end.min(bytes.end));
            if extent.age != Age::Held {
                self.used = self.used.saturating_sub(part.resident(self.clock, self.capacity));
            }
            if extent.start < part.start {
                rest.push(extent.part(extent.start..part.start));
            }
            if part.end < extent.end {
                rest.push(extent.part(part.end..extent.end));
            }
            high += 1;
        }
        if high > low {
            self.extents.splice(low..high, rest);
        }
    }

    /// The extents that overlap some bytes, each with the number of bytes present.
    pub fn overlaps(&self, region: u32, bytes: Range<u64>, mut each: impl FnMut(&Interval, Range<u64>, u64)) {
        for extent in &self.extents[self.first(region, bytes.start)..] {
            if extent.region != region || extent.start >= bytes.end {
                break;
            }
            let part = extent.part(extent.start.max(bytes.start)..extent.end.min(bytes.end));
            each(&extent.interval(), part.start..part.end, part.resident(self.clock, self.capacity));
        }
    }

    /// Quick test: false if certainly no byte of the access is present.
    pub fn may_hold(&self, touch: &Touch) -> bool {
        let next = self.extents.get(self.first(touch.region, touch.bytes.start));
        next.is_some_and(|extent| extent.region == touch.region && extent.start < touch.bytes.end)
    }

    /// Adds the contents to a snapshot, with use times relative to the clock. `order`: rank of a stamp.
    pub fn snapshot(&self, order: impl Fn(u64) -> usize, into: &mut Snapshot) {
        let Random {
            capacity: _,
            room: _,
            used,
            clock,
            victim: _,
            leaving: _,
            extents,
            limit,
            met: _,
            fresh: _,
        } = self;
        into.add(&(used, limit));
        for Extent { region, start, end, stamp, mark, age } in extents {
            let age = match age {
                Age::Held => None,
                Age::Used { first, last } => Some((clock - first, clock - last)),
            };
            into.add(&(region, start, end, order(*stamp), mark, age));
        }
    }

    /// Index of the first extent of a region that ends behind a byte.
    fn first(&self, region: u32, byte: u64) -> usize {
        self.extents.partition_point(|extent| (extent.region, extent.end) <= (region, byte))
    }
}
