//! Keeps the number of segments of a cache bounded when tiny or interleaved accesses cut it up.
//!
//! Below [`MANY`] segments ([`WITH_ROOM`] while the cache is not full) the order of recency is exact. Above it, two things
//! give way, one after the other:
//!
//! 1. The order inside a share of the cache (a 64th, a 32nd, down to an 8th) is forgotten: neighbours by address
//!    join. That is what several arrays streamed side by side need, and no byte is held that was not used.
//! 2. Where that does not help, more segments may be. When there is one for every 2 KiB of the cache (or 16 384),
//!    the region with most of them is cut into extents of 4 KiB (less in small caches, more in huge ones). An access
//!    uses whole extents from then on, until the cache is no longer cut up.
//!
//! When this happens depends on what the cache held the last time. So that a program's rounds may leave what they found, all
//! that is left of it between two repetitions is the extents (`settle`).

use super::{Lru, Mark, Segment, Segments, Touch};
use numalab_base::Snapshot;
use std::ops::Range;

/// Segments that a cache may have before the order gives way.
const MANY: usize = 128;

/// Segments that a cache with room left may have: nothing falls out of it, so joining them would be for the sake of speed
/// alone, and what is joined and cut again at every turn never is as it was before. Their keys take 16 KiB.
const WITH_ROOM: usize = 8 * MANY;

/// Segments that are few enough afterwards.
const ENOUGH: usize = MANY / 2;

/// Fewer segments than this: everything is exact again.
const FEW: usize = MANY / 16;

/// Segments that no cache has more of.
const MOST: u64 = 16_384;

/// Shares of the cache inside which the order is forgotten, at first and at last.
const SHARES: (u64, u64) = (64, 8);

/// Granularity at which a cache looks at its contents.
#[derive(Clone, Debug)]
pub(super) struct Coarse {
    /// Segments that the cache may have at all.
    most: usize,
    /// Segments that it may have before the next attempt to join some.
    pub limit: usize,
    /// Shares to begin that with.
    shares: u64,
    /// log2 of the extents. The cache holds half as many as it may have segments.
    shift: u32,
    /// Regions cut into extents.
    regions: Vec<u32>,
}

impl Coarse {
    pub fn new(capacity: u64) -> Coarse {
        let most = (capacity / 2048).clamp(MANY as u64, MOST);
        let shift = (capacity * 2).div_ceil(most).max(1).next_power_of_two().ilog2();
        Coarse { most: most as usize, limit: MANY, shares: SHARES.0, shift, regions: Vec::new() }
    }

    /// Segments that the cache may have before some are joined; more while it is not full.
    pub fn limit(&self, has_room: bool) -> usize {
        if has_room { self.limit.max(WITH_ROOM.min(self.most / 2)) } else { self.limit }
    }

    /// Whether nothing gave way, or what did is forgotten.
    pub fn is_exact(&self) -> bool {
        self.regions.is_empty() && (self.limit, self.shares) == (MANY, SHARES.0)
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Coarse { most: _, limit, shares, shift: _, regions } = self;
        into.add(&(limit, shares, regions));
    }

    /// The bytes that an access uses in a cache of so many segments.
    pub fn round(&mut self, touch: &Touch, segments: usize) -> Range<u64> {
        if segments < FEW {
            self.regions.clear();
            self.shares = SHARES.0;
            self.limit = MANY;
        }
        self.extents(touch)
    }

    /// The same, whatever the number of segments.
    pub fn extents(&self, touch: &Touch) -> Range<u64> {
        round(&touch.bytes, self.shift(touch.region))
    }

    fn shift(&self, region: u32) -> u32 {
        if self.regions.contains(&region) { self.shift } else { 0 }
    }
}

/// Outwards to whole extents.
fn round(bytes: &Range<u64>, shift: u32) -> Range<u64> {
    let mask = (1u64 << shift) - 1;
    bytes.start & !mask..bytes.end.checked_add(mask).map_or(u64::MAX, |end| end & !mask)
}

impl Lru {
    /// Bring the number of segments down.
    pub(super) fn bound(&mut self, mut evicted: impl FnMut(&Segment, Range<u64>, bool)) {
        self.forget_orders();
        while self.segments.len() > self.coarse.most / 2 && self.coarsen(&mut evicted) {}
        self.coarse.limit = (self.segments.len() * 2).clamp(MANY, self.coarse.most);
        self.segments.shrink(self.coarse.limit(self.used < self.capacity) + 1);
    }

    /// Where order gave way, it does so now, and the next access decides anew when: see [`super::super::Caches::settle`].
    pub fn settle(&mut self) {
        if self.coarse.is_exact() {
            return;
        }
        self.coarse.shares = SHARES.0;
        self.forget_orders();
        (self.coarse.shares, self.coarse.limit) = (SHARES.0, MANY);
    }

    /// Join neighbours inside larger and larger shares of the order, until there are few enough segments or the last share
    /// is reached.
    fn forget_orders(&mut self) {
        loop {
            self.forget_order(self.capacity / self.coarse.shares);
            if self.segments.len() <= ENOUGH {
                // The next time, less may do.
                self.coarse.shares = (self.coarse.shares * 2).min(SHARES.0);
                break;
            }
            if self.coarse.shares == SHARES.1 {
                break;
            }
            self.coarse.shares /= 2;
        }
    }

    /// Join neighbours by address inside every share of the order.
    fn forget_order(&mut self, share: u64) {
        let mut old: Vec<Segment> = self.segments.by_age().collect();
        self.segments.clear();
        let mut rest = old.as_mut_slice();
        while !rest.is_empty() {
            let mut bytes = 0;
            let inside = |segment: &&Segment| {
                let first = bytes == 0;
                bytes += segment.end - segment.start;
                first || bytes <= share
            };
            let count = rest.iter().take_while(inside).count();
            let (group, others) = rest.split_at_mut(count);
            group.sort_unstable_by_key(|segment| (segment.region, segment.start));
            group.iter().for_each(|segment| join(&mut self.segments, *segment));
            rest = others;
        }
    }

    /// Cut the region with most segments into extents; false if all are.
    fn coarsen(&mut self, evicted: &mut impl FnMut(&Segment, Range<u64>, bool)) -> bool {
        let mut counts: Vec<(usize, u32)> = Vec::new();
        for segment in self.segments.by_address() {
            match counts.last_mut() {
                Some((count, region)) if *region == segment.region => *count += 1,
                _ => counts.push((1, segment.region)),
            }
        }
        counts.sort_unstable_by_key(|(count, region)| (std::cmp::Reverse(*count), *region));
        let mut regions = counts.iter().map(|(_, region)| *region);
        let Some(region) = regions.find(|region| !self.coarse.regions.contains(region)) else {
            return false;
        };
        self.coarse.regions.push(region);
        let old: Vec<Segment> = self.segments.by_age().collect();
        self.segments.clear();
        self.used = 0;
        for Segment { region: of, start, end, stamp, mark } in old {
            let shift = if of == region { self.coarse.shift } else { 0 };
            let touch =
                Touch { region: of, bytes: round(&(start..end), shift), stamp, core: 0, write: false };
            let both = |before: Option<Mark>| match before {
                Some(before) => Mark { sole: mark.join(before.sole), dirty: mark.dirty || before.dirty },
                None => mark,
            };
            self.walk(&touch, both, |_| false, |_, _| {}, &mut |segment, bytes, _| {
                evicted(segment, bytes, false);
            });
        }
        true
    }
}

/// Append a segment, to the newest one if it continues that. The earlier stamp and any core: what may have become
/// invalid is not valid, what may be in an inner cache is looked for there.
fn join(segments: &mut Segments, segment: Segment) {
    let Segment { region, start, end, stamp, mark } = segment;
    match segments.newest_until(region, start) {
        Some((before, Mark { sole, dirty })) if dirty == mark.dirty => {
            let mark = Mark { sole: mark.join(sole), dirty };
            segments.extend_newest(end, stamp.min(before), mark);
        }
        _ => segments.append(segment),
    }
}
