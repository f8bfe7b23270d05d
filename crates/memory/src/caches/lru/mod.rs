//! One LRU cache, kept as intervals.
//!
//! The result is that of a list of lines from which the oldest is evicted when a new one comes in,
//! with accesses in ascending order. The cost is in proportion to the intervals that the access
//! meets, not to its lines.

mod at_once;
mod bound;
mod intervals;
pub(super) mod sets;

use bound::Coarse;
pub(super) use intervals::{Interval, Mark};
use intervals::{Intervals, Place};
use numalab_base::Snapshot;
use sets::Sets;
use std::ops::Range;

/// One access as a cache sees it.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub region: u32,
    /// Accessed bytes, rounded outwards to whole lines.
    pub bytes: Range<u64>,
    /// Sequence number of the access.
    pub stamp: u64,
    pub core: u32,
    pub write: bool,
}

impl Touch {
    /// Mark of bytes after the access; `before` is their earlier mark if they were present.
    pub fn mark(&self, before: Option<Mark>) -> Mark {
        match before {
            Some(mark) if !self.write => Mark { sole: mark.join(self.core), ..mark },
            _ => Mark { sole: self.core, dirty: self.write },
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Lru {
    /// Bytes that the list keeps: the cache's own, or with sets those of which more than nothing is left.
    capacity: u64,
    /// Sets of lines; `None` if any line can be in any place.
    sets: Option<Sets>,
    used: u64,
    intervals: Intervals,
    coarse: Coarse,
    /// Number of intervals and gaps visited since the last call of [`Lru::take_met`].
    met: u64,
}

impl Lru {
    /// An empty cache of `capacity` bytes.
    pub fn new(capacity: u64, ways: Option<u32>) -> Lru {
        let sets = ways.map(|ways| Sets::new(capacity, ways));
        let coarse = Coarse::new(capacity);
        let capacity = sets.as_ref().map_or(capacity, Sets::reach);
        Lru { capacity, sets, used: 0, intervals: Intervals::new(), coarse, met: 0 }
    }

    /// Adds capacity, up to `most` in total.
    pub fn widen(&mut self, more: u64, most: u64) {
        let Lru { capacity, sets, .. } = self;
        match sets {
            Some(sets) => *capacity = sets.widen(more, most),
            None => *capacity = capacity.saturating_add(more).min(most),
        }
    }

    pub fn unlimit(&mut self) {
        self.capacity = u64::MAX / 4;
        self.sets = None;
    }

    /// Number of intervals and gaps visited since the last call.
    pub fn take_met(&mut self) -> u64 {
        std::mem::take(&mut self.met)
    }

    /// Accesses bytes in address order. `found` gets the stretches that were present (cut where their marks differ,
    /// possibly longer than the access), each with the number of bytes present. `evicted` gets the stretches that fell out, with `true` if this access had
    /// used them. `fresh`: true if an interval of the region is still valid, so that it may be extended by bytes used
    /// now.
    pub fn touch(
        &mut self,
        touch: &Touch,
        fresh: impl Fn(&Interval) -> bool,
        found: impl FnMut(&Interval, Range<u64>, u64),
        evicted: impl FnMut(&Interval, Range<u64>, bool),
    ) {
        let touch = Touch { bytes: self.coarse.round(touch, self.intervals.len()), ..*touch };
        self.place(&touch, fresh, found, evicted);
    }

    /// As [`Lru::touch`], for bytes that are already rounded to extents.
    fn place(
        &mut self,
        touch: &Touch,
        fresh: impl Fn(&Interval) -> bool,
        found: impl FnMut(&Interval, Range<u64>, u64),
        mut evicted: impl FnMut(&Interval, Range<u64>, bool),
    ) {
        self.walk(touch, |before| touch.mark(before), fresh, found, &mut evicted);
        if self.intervals.len() > self.coarse.limit(self.used < self.capacity) {
            self.bound(evicted);
        }
    }

    /// All intervals, oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = Interval> + '_ {
        self.intervals.by_age()
    }

    /// Adds the granularity of the contents to a snapshot.
    pub fn snapshot_granularity(&self, into: &mut Snapshot) {
        self.coarse.snapshot(into);
    }

    /// Invalidates bytes. Directories call this for all caches, most of which hold none.
    #[inline]
    pub fn remove(&mut self, region: u32, bytes: Range<u64>) {
        if !self.intervals.may_hold(region, &bytes) {
            return;
        }
        let mut at = bytes.start;
        while at < bytes.end {
            self.met += 1;
            match self.intervals.find(region, at) {
                Ok(place) => {
                    let end = self.intervals.get(place).end.min(bytes.end);
                    self.intervals.cut(place, at..end);
                    self.used -= end - at;
                    at = end;
                }
                Err(next) => at = next,
            }
        }
    }

    /// The intervals that overlap some bytes, in address order, each with the number of bytes present.
    pub fn overlaps(&self, region: u32, bytes: Range<u64>, mut each: impl FnMut(&Interval, Range<u64>, u64)) {
        let mut at = bytes.start;
        while at < bytes.end {
            at = match self.intervals.find(region, at) {
                Ok(place) => {
                    let interval = self.intervals.get(place);
                    let end = interval.end.min(bytes.end);
                    each(&interval, at..end, self.left(place, interval.end - (at + end) / 2, end - at));
                    interval.end
                }
                Err(next) => next,
            };
        }
    }

    /// Makes present bytes the most recent, and brings in the others, which evicts old ones. `mark`: new mark of
    /// bytes, from their earlier mark if they were present. A gap does not change while it is filled, so it is filled
    /// in one step; the interval behind it may be evicted by then.
    fn walk(
        &mut self,
        touch: &Touch,
        mark: impl Fn(Option<Mark>) -> Mark,
        fresh: impl Fn(&Interval) -> bool,
        mut found: impl FnMut(&Interval, Range<u64>, u64),
        evicted: &mut impl FnMut(&Interval, Range<u64>, bool),
    ) {
        let mut at = touch.bytes.start;
        while at < touch.bytes.end {
            self.met += 1;
            match self.intervals.find(touch.region, at) {
                Ok(place) => {
                    let interval = self.intervals.get(place);
                    let end = interval.end.min(touch.bytes.end);
                    let amount = self.left(place, interval.end - at, end - at);
                    found(&interval, at..end, amount);
                    let mark = mark(Some(interval.mark));
                    if (at, end) == (interval.start, interval.end)
                        && !self.grows(place, touch, at, mark, &fresh)
                    {
                        self.intervals.renew(place, touch.stamp, mark);
                    } else {
                        self.intervals.cut(place, at..end);
                        self.push(touch, at..end, mark, &fresh);
                    }
                    at = end;
                }
                Err(next) => {
                    let end = self.lose_ahead(touch, at..next.min(touch.bytes.end), evicted);
                    let start = self.make_room(touch, at..end, evicted);
                    self.push(touch, start..end, mark(None), &fresh);
                    self.used += end - start;
                    at = end;
                }
            }
        }
    }

    /// Evicts the intervals right behind a gap that would be evicted while it is filled. They then
    /// belong to the gap, and filling them evicts more. Returns the new end of the gap.
    fn lose_ahead(
        &mut self,
        touch: &Touch,
        gap: Range<u64>,
        evicted: &mut impl FnMut(&Interval, Range<u64>, bool),
    ) -> u64 {
        let mut end = gap.end;
        if self.used + (gap.end - gap.start) <= self.capacity {
            return end;
        }
        while end < touch.bytes.end
            && let Some((place, oldest)) = self.intervals.oldest()
            && (oldest.region, oldest.start) == (touch.region, end)
        {
            self.met += 1;
            let lost = end..oldest.end.min(touch.bytes.end);
            evicted(&oldest, lost.clone(), false);
            self.intervals.cut(place, lost.clone());
            self.used -= lost.end - lost.start;
            end = lost.end;
        }
        end
    }

    /// True if the interval at `place` is not the newest and can be merged into the newest.
    fn grows(
        &mut self,
        place: Place,
        touch: &Touch,
        at: u64,
        mark: Mark,
        fresh: &impl Fn(&Interval) -> bool,
    ) -> bool {
        !self.intervals.is_newest(place) && joins(&self.intervals, touch, at, mark, fresh)
    }

    /// Adds bytes that are in no interval as the newest, merged with the newest interval if possible.
    fn push(&mut self, touch: &Touch, bytes: Range<u64>, mark: Mark, fresh: &impl Fn(&Interval) -> bool) {
        if bytes.is_empty() {
            return;
        }
        let Range { start, end } = bytes;
        match joins(&self.intervals, touch, start, mark, fresh) {
            true => self.intervals.extend_newest(end, touch.stamp, mark),
            false => {
                self.intervals.append(Interval {
                    region: touch.region,
                    start,
                    end,
                    stamp: touch.stamp,
                    mark,
                });
            }
        }
    }

    /// Evicts the oldest intervals until `bytes` fit. Returns the start of the part that fits: if the
    /// bytes exceed the capacity, the first of them are evicted, too.
    fn make_room(
        &mut self,
        touch: &Touch,
        bytes: Range<u64>,
        evicted: &mut impl FnMut(&Interval, Range<u64>, bool),
    ) -> u64 {
        let wanted = (bytes.end - bytes.start).min(self.capacity);
        let mut excess = (self.used + wanted).saturating_sub(self.capacity);
        self.used -= excess;
        while excess > 0
            && let Some((place, oldest)) = self.intervals.oldest()
        {
            self.met += 1;
            let mut start = oldest.start;
            let end = oldest.end.min(start + excess);
            let used = oldest.region == touch.region && start < bytes.start && end > touch.bytes.start;
            if used && start < touch.bytes.start {
                evicted(&oldest, start..touch.bytes.start, false);
                start = touch.bytes.start;
            }
            evicted(&oldest, start..end, used);
            self.intervals.cut(place, oldest.start..end);
            excess -= end - oldest.start;
        }
        bytes.end - wanted
    }
}

/// True if bytes used now, from `at` on, may be merged into the newest interval.
fn joins(
    intervals: &Intervals,
    touch: &Touch,
    at: u64,
    mark: Mark,
    fresh: &impl Fn(&Interval) -> bool,
) -> bool {
    intervals.newest_until(touch.region, at).is_some_and(|(stamp, before)| {
        before == mark && (stamp == touch.stamp || intervals.newest().is_some_and(|newest| fresh(&newest)))
    })
}

#[cfg(test)]
impl Lru {
    /// All intervals, oldest first. Panics if their bytes do not add up to `used` or exceed the capacity.
    pub fn contents(&self) -> Vec<Interval> {
        let contents: Vec<Interval> = self.intervals.by_age().collect();
        assert_eq!(contents.iter().map(|interval| interval.end - interval.start).sum::<u64>(), self.used);
        assert!(self.used <= self.capacity);
        contents
    }
}
