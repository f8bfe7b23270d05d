//! Bounds the number of intervals of a cache that tiny or interleaved accesses cut up.
//!
//! Up to [`MANY`] intervals ([`WITH_ROOM`] while the cache is not full) the LRU order is exact.
//! Above it, two things become approximate, one after the other:
//!
//! 1. The order inside a share of the cache (a 64th, a 32nd, down to an 8th) is dropped: intervals
//!    that are adjacent by address merge. That suits several arrays streamed side by side, and the
//!    cache holds no byte that was not used.
//! 2. If that does not suffice, more intervals are allowed, up to one for every 2 KiB of the cache (at most 16 384).
//!    While more than half of this number are left after a merge, the region with most of them is cut into extents of
//!    4 KiB (less in small caches, more in huge ones). Accesses then use whole extents, until the cache has few
//!    intervals again.
//!
//! The point at which this happens depends on earlier contents. So that a repeated phase can end in
//! the state in which it began, only the extents survive between two repetitions (`settle`).

use super::{Interval, Lru, Mark, Touch};
use numalab_base::Snapshot;
use std::ops::Range;

/// Number of intervals up to which the LRU order is exact.
const MANY: usize = 128;

/// Number of intervals up to which the order is exact while the cache has room. Nothing is evicted
/// yet, so merging would only save time, and intervals merged and cut again in every repetition
/// never return to the same state. Their keys take 16 KiB.
const WITH_ROOM: usize = 8 * MANY;

/// Merging stops at this number of intervals.
const ENOUGH: usize = MANY / 2;

/// Below this number of intervals the LRU order and all regions become exact again.
const FEW: usize = MANY / 16;

/// Number of intervals that a merge sorts and copies in the time of a visit: 32 ns each, beside 0.1 µs.
const MERGED: u64 = 4;

/// Upper limit of the number of intervals of any cache.
const MOST: u64 = 16_384;

/// Denominators of the share of the cache inside which the LRU order is dropped, at first and at last.
const SHARES: (u64, u64) = (64, 8);

/// Approximations of a cache's contents: limits on the number of intervals, and regions cut into extents.
#[derive(Clone, Debug)]
pub(super) struct Coarse {
    /// Upper limit of the number of intervals.
    most: usize,
    /// Number of intervals at which the next merge is tried.
    pub limit: usize,
    /// Denominator of the share of the cache inside which the next merge drops the LRU order.
    shares: u64,
    /// log2 of the extent size. The cache holds half as many extents as intervals are allowed.
    shift: u32,
    regions: Vec<u32>,
}

impl Coarse {
    pub fn new(capacity: u64) -> Coarse {
        let most = (capacity / 2048).clamp(MANY as u64, MOST);
        let shift = (capacity * 2).div_ceil(most).max(1).next_power_of_two().ilog2();
        Coarse { most: most as usize, limit: MANY, shares: SHARES.0, shift, regions: Vec::new() }
    }

    /// Number of intervals at which some of them are merged; larger while the cache is not full.
    pub fn limit(&self, has_room: bool) -> usize {
        if has_room { self.limit.max(WITH_ROOM.min(self.most / 2)) } else { self.limit }
    }

    /// True if the LRU order is exact and no region is cut into extents.
    pub fn is_exact(&self) -> bool {
        self.regions.is_empty() && (self.limit, self.shares) == (MANY, SHARES.0)
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Coarse { most: _, limit, shares, shift: _, regions } = self;
        into.add(&(limit, shares, regions));
    }

    /// Bytes of a touch, rounded to extents if its region is cut into extents. If the cache has few `intervals`, the
    /// order and all regions become exact again first.
    pub fn round(&mut self, touch: &Touch, intervals: usize) -> Range<u64> {
        if intervals < FEW {
            self.regions.clear();
            self.shares = SHARES.0;
            self.limit = MANY;
        }
        self.extents(touch)
    }

    /// Bytes of a touch, rounded to extents if its region is cut into extents. The granularity does not change.
    pub fn extents(&self, touch: &Touch) -> Range<u64> {
        round(&touch.bytes, self.shift(touch.region))
    }

    fn shift(&self, region: u32) -> u32 {
        if self.regions.contains(&region) { self.shift } else { 0 }
    }
}

/// Rounds a range of bytes outwards to whole extents of `1 << shift` bytes.
fn round(bytes: &Range<u64>, shift: u32) -> Range<u64> {
    let mask = (1u64 << shift) - 1;
    bytes.start & !mask..bytes.end.checked_add(mask).map_or(u64::MAX, |end| end & !mask)
}

impl Lru {
    /// Reduces the number of intervals: drops the order inside shares, then cuts regions into extents if too many
    /// intervals are left.
    pub(super) fn bound(&mut self, mut evicted: impl FnMut(&Interval, Range<u64>, bool)) {
        self.met += self.intervals.len() as u64 / MERGED;
        self.forget_orders();
        while self.intervals.len() > self.coarse.most / 2 && self.coarsen(&mut evicted) {}
        // Extents that other cores write into are cut up, and a merge finds nothing to join. Half as many intervals
        // more before the next merge keep its cost below that of the accesses.
        let left = self.intervals.len();
        self.coarse.limit = (left * 2).clamp(MANY, self.coarse.most).max(left + left / 2);
        self.intervals.shrink(self.coarse.limit(self.used < self.capacity) + 1);
    }

    /// If the order was coarsened, coarsen it fully now, see [`super::super::Caches::settle`].
    pub fn settle(&mut self) {
        if self.coarse.is_exact() {
            return;
        }
        self.coarse.shares = SHARES.0;
        self.forget_orders();
        (self.coarse.shares, self.coarse.limit) = (SHARES.0, MANY);
    }

    /// Merges adjacent intervals inside larger and larger shares of the order, until at most [`ENOUGH`] are left or
    /// the largest share is reached.
    fn forget_orders(&mut self) {
        let mut intervals = self.intervals.drain_by_age();
        loop {
            forget_order(&mut intervals, self.capacity / self.coarse.shares);
            if intervals.len() <= ENOUGH {
                // The next merge starts with a smaller share.
                self.coarse.shares = (self.coarse.shares * 2).min(SHARES.0);
                break;
            }
            if self.coarse.shares == SHARES.1 {
                break;
            }
            self.coarse.shares /= 2;
        }
        self.intervals.append_all(&intervals);
    }

    /// Cuts the region with most intervals into extents. Returns false if all regions with intervals are cut already.
    fn coarsen(&mut self, evicted: &mut impl FnMut(&Interval, Range<u64>, bool)) -> bool {
        let mut counts: Vec<(usize, u32)> = Vec::new();
        for interval in self.intervals.by_address() {
            match counts.last_mut() {
                Some((count, region)) if *region == interval.region => *count += 1,
                _ => counts.push((1, interval.region)),
            }
        }
        counts.sort_unstable_by_key(|(count, region)| (std::cmp::Reverse(*count), *region));
        let mut regions = counts.iter().map(|(_, region)| *region);
        let Some(region) = regions.find(|region| !self.coarse.regions.contains(region)) else {
            return false;
        };
        self.coarse.regions.push(region);
        let old: Vec<Interval> = self.intervals.by_age().collect();
        self.intervals.clear();
        self.used = 0;
        for Interval { region: of, start, end, stamp, mark } in old {
            let shift = if of == region { self.coarse.shift } else { 0 };
            let touch =
                Touch { region: of, bytes: round(&(start..end), shift), stamp, core: 0, write: false };
            let both = |before: Option<Mark>| match before {
                Some(before) => Mark { sole: mark.join(before.sole), dirty: mark.dirty || before.dirty },
                None => mark,
            };
            self.walk(&touch, both, |_| false, |_, _, _| {}, &mut |interval, bytes, _| {
                evicted(interval, bytes, false);
            });
        }
        true
    }
}

/// Divides intervals, oldest first, into groups of at most `share` bytes and, inside each group, merges intervals that
/// are adjacent by address.
fn forget_order(intervals: &mut Vec<Interval>, share: u64) {
    let (mut from, mut kept) = (0, 0);
    while from < intervals.len() {
        let mut bytes = 0;
        let inside = |interval: &&Interval| {
            let first = bytes == 0;
            bytes += interval.end - interval.start;
            first || bytes <= share
        };
        let until = from + intervals[from..].iter().take_while(inside).count();
        intervals[from..until].sort_unstable_by_key(|interval| (interval.region, interval.start));
        for at in from..until {
            let interval = intervals[at];
            match intervals[..kept].last_mut() {
                Some(newest) if joins(newest, &interval) => join(newest, &interval),
                _ => {
                    intervals[kept] = interval;
                    kept += 1;
                }
            }
        }
        from = until;
    }
    intervals.truncate(kept);
}

/// True if `next` continues an interval and both are equally dirty.
fn joins(interval: &Interval, next: &Interval) -> bool {
    (interval.region, interval.end, interval.mark.dirty) == (next.region, next.start, next.mark.dirty)
}

/// Appends `next` to an interval. The merged interval gets the earlier stamp, so bytes that may be invalid count as
/// invalid. It gets the cores of both, so every copy in inner caches is found.
fn join(interval: &mut Interval, next: &Interval) {
    interval.end = next.end;
    interval.stamp = interval.stamp.min(next.stamp);
    interval.mark.sole = next.mark.join(interval.mark.sole);
}
