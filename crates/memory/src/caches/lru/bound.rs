//! Keeps the number of segments of a cache bounded when tiny or interleaved accesses cut it up.
//!
//! Below [`MOST`] segments the order of recency is exact. Above it, two things give way, one after the other:
//!
//! 1. The order inside a share of the cache (a 64th, a 32nd, … all of it) is forgotten: neighbours by address join.
//!    That is what several arrays streamed side by side need, and no byte is held that was not used.
//! 2. The region with most segments is cut into extents: 4 KiB, then twice that, up to a size of which the cache
//!    holds a quarter of [`MOST`]. An access uses whole extents from then on, until the cache is no longer cut up.

use super::{Lru, Mark, Segment, Segments, Touch};
use std::ops::Range;

/// Segments that a cache may have.
pub(super) const MOST: usize = 1024;

/// Segments that are left when there were too many.
const ENOUGH: usize = MOST / 2;

/// Fewer segments than this: everything is exact again.
const FEW: usize = MOST / 16;

/// Shares of the cache inside which the order is forgotten first.
const SHARES: u64 = 64;

/// The first extents are of 4 KiB.
const FIRST: u32 = 12;

/// How coarsely a cache looks at its contents.
#[derive(Clone, Debug)]
pub(super) struct Coarse {
    /// log2 of the largest extent.
    largest: u32,
    /// Where to begin forgetting the order.
    shares: u64,
    /// Regions cut into extents, with the log2 of their size.
    extents: Vec<(u32, u32)>,
}

impl Coarse {
    pub fn new(capacity: u64) -> Coarse {
        let largest = (capacity / (MOST as u64 / 4)).max(1).ilog2() + 1;
        Coarse { largest, shares: SHARES, extents: Vec::new() }
    }

    /// The bytes that an access uses in a cache of so many segments.
    pub fn round(&mut self, touch: &Touch, segments: usize) -> Range<u64> {
        if segments < FEW {
            self.extents.clear();
            self.shares = SHARES;
        }
        match self.shift(touch.region) {
            Some(shift) => round(&touch.bytes, shift),
            None => touch.bytes.clone(),
        }
    }

    fn shift(&self, region: u32) -> Option<u32> {
        self.extents.iter().find(|(of, _)| *of == region).map(|(_, shift)| *shift)
    }

    /// Twice the extents for a region; false if they cannot grow.
    fn grow(&mut self, region: u32) -> bool {
        match self.extents.iter_mut().find(|(of, _)| *of == region) {
            Some((_, shift)) if *shift >= self.largest => return false,
            Some((_, shift)) => *shift += 1,
            None => self.extents.push((region, FIRST.min(self.largest))),
        }
        true
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
        let mut shares = self.coarse.shares;
        loop {
            self.forget_order(self.capacity / shares);
            if self.segments.len() <= ENOUGH {
                break self.coarse.shares = (shares * 2).min(SHARES);
            }
            match shares {
                1 if !self.coarsen(&mut evicted) => break,
                1 => {}
                _ => shares /= 2,
            }
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

    /// Look at the region with most segments in coarser extents; false if that is not possible for any.
    fn coarsen(&mut self, evicted: &mut impl FnMut(&Segment, Range<u64>, bool)) -> bool {
        let mut counts: Vec<(usize, u32)> = Vec::new();
        for segment in self.segments.by_address() {
            match counts.last_mut() {
                Some((count, region)) if *region == segment.region => *count += 1,
                _ => counts.push((1, segment.region)),
            }
        }
        counts.sort_unstable_by_key(|(count, region)| (std::cmp::Reverse(*count), *region));
        let Some(region) = counts.iter().map(|(_, region)| *region).find(|region| self.coarse.grow(*region))
        else {
            return false;
        };
        let old: Vec<Segment> = self.segments.by_age().collect();
        self.segments.clear();
        self.used = 0;
        for Segment { region: of, start, end, stamp, mark } in old {
            let shift = if of == region { self.coarse.shift(of).unwrap_or(0) } else { 0 };
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
    match segments.newest() {
        Some(newest)
            if newest.region == segment.region
                && newest.end == segment.start
                && newest.mark.dirty == segment.mark.dirty =>
        {
            newest.end = segment.end;
            newest.stamp = newest.stamp.min(segment.stamp);
            newest.mark.sole = newest.mark.join(segment.mark.sole);
        }
        _ => segments.append(segment),
    }
}
