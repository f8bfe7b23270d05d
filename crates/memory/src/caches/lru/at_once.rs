//! Accesses with a predictable effect, simulated in one step, and the checks that such a step is exact.

use super::{Interval, Lru, Mark, Touch};
use std::ops::Range;

impl Lru {
    /// Accesses bytes without reporting hits or evictions. The cache must hold no stamps or marks, so that a long
    /// access leaves one interval.
    pub fn refill(&mut self, touch: &Touch) {
        let touch = Touch { bytes: self.coarse.round(touch, self.intervals.len()), ..*touch };
        let Range { start, end } = touch.bytes;
        if end - start < self.capacity {
            return self.place(&touch, |_| true, |_, _, _| {}, |_, _, _| {});
        }
        self.met += 1;
        self.used = self.capacity;
        let (start, mark) = (end - self.capacity, touch.mark(None));
        let interval = Interval { region: touch.region, start, end, stamp: touch.stamp, mark };
        match start < end {
            true => self.intervals.replace_all(interval),
            // A cache smaller than a line holds nothing.
            false => self.intervals.clear(),
        }
    }

    /// Quick test: false if certainly no byte of the access is present.
    pub fn may_hold(&self, touch: &Touch) -> bool {
        self.intervals.may_hold(touch.region, &self.coarse.extents(touch))
    }

    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// True if the LRU order is exact and `intervals` more intervals keep it exact.
    pub fn has_room(&self, intervals: u64) -> bool {
        self.coarse.is_exact() && self.intervals.len() as u64 + intervals <= self.coarse.limit as u64
    }

    /// True if any of the bytes is present.
    pub fn overlaps_any(&self, region: u32, bytes: Range<u64>) -> bool {
        match self.intervals.find(region, bytes.start) {
            Ok(_) => true,
            Err(next) => next < bytes.end,
        }
    }

    /// State of a cached byte; `None` if the byte is absent.
    pub fn mark(&self, region: u32, byte: u64) -> Option<Mark> {
        self.intervals.find(region, byte).ok().map(|place| self.intervals.get(place).mark)
    }

    /// Accesses intervals, none of which is present, one after the other. `evicted` gets the bytes that fall out.
    pub fn sweep(&mut self, intervals: &[Interval], mut evicted: impl FnMut(&Interval, Range<u64>)) {
        let length = |interval: &Interval| interval.end - interval.start;
        let total: u64 = intervals.iter().map(length).sum();
        let mut over = (self.used + total).saturating_sub(self.capacity);
        if total >= self.capacity {
            self.intervals.by_age().for_each(|interval| evicted(&interval, interval.start..interval.end));
            self.intervals.clear();
            over -= std::mem::take(&mut self.used);
        }
        while over > 0
            && let Some((place, oldest)) = self.intervals.oldest()
        {
            self.met += 1;
            let lost = oldest.start..oldest.end.min(oldest.start + over);
            over -= lost.end - lost.start;
            self.used -= lost.end - lost.start;
            evicted(&oldest, lost.clone());
            self.intervals.cut(place, lost);
        }
        for interval in intervals {
            // With more new bytes than the capacity, the first ones are evicted again.
            let gone = over.min(length(interval));
            over -= gone;
            if gone < length(interval) {
                self.met += 1;
                self.used += length(interval) - gone;
                self.intervals.append(Interval { start: interval.start + gone, ..*interval });
            }
        }
    }
}
