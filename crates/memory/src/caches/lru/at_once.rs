//! Accesses with a predictable effect, simulated in one step, and the tests that allow this.

use super::{Lru, Mark, Segment, Touch};
use std::ops::Range;

impl Lru {
    /// Accesses bytes where only the resulting contents matter. The cache must hold no stamps or marks,
    /// so that a long access leaves one segment.
    pub fn refill(&mut self, touch: &Touch) {
        let touch = Touch { bytes: self.coarse.round(touch, self.segments.len()), ..*touch };
        let Range { start, end } = touch.bytes;
        if end - start < self.capacity {
            return self.place(&touch, |_| true, |_, _| {}, |_, _, _| {});
        }
        self.met += 1;
        self.used = self.capacity;
        let (start, mark) = (end - self.capacity, touch.mark(None));
        let segment = Segment { region: touch.region, start, end, stamp: touch.stamp, mark };
        match start < end {
            true => self.segments.replace_all(segment),
            // A cache smaller than a line holds nothing.
            false => self.segments.clear(),
        }
    }

    /// Quick test: false if certainly no byte of the access is present.
    pub fn may_hold(&self, touch: &Touch) -> bool {
        self.segments.may_hold(touch.region, &self.coarse.extents(touch))
    }

    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// True if the LRU order is exact and stays so after `segments` more segments.
    pub fn has_room(&self, segments: u64) -> bool {
        self.coarse.is_exact() && self.segments.len() as u64 + segments <= self.coarse.limit as u64
    }

    /// True if any of the bytes is present.
    pub fn overlaps_any(&self, region: u32, bytes: Range<u64>) -> bool {
        match self.segments.find(region, bytes.start) {
            Ok(_) => true,
            Err(next) => next < bytes.end,
        }
    }

    /// Mark of a byte; `None` if it is absent.
    pub fn mark(&self, region: u32, byte: u64) -> Option<Mark> {
        self.segments.find(region, byte).ok().map(|place| self.segments.get(place).mark)
    }

    /// Accesses segments, none of which is present, one after the other.
    pub fn sweep(&mut self, segments: &[Segment], mut evicted: impl FnMut(&Segment, Range<u64>)) {
        let length = |segment: &Segment| segment.end - segment.start;
        let total: u64 = segments.iter().map(length).sum();
        let mut over = (self.used + total).saturating_sub(self.capacity);
        if total >= self.capacity {
            self.segments.by_age().for_each(|segment| evicted(&segment, segment.start..segment.end));
            self.segments.clear();
            over -= std::mem::take(&mut self.used);
        }
        while over > 0
            && let Some((place, oldest)) = self.segments.oldest()
        {
            self.met += 1;
            let lost = oldest.start..oldest.end.min(oldest.start + over);
            over -= lost.end - lost.start;
            self.used -= lost.end - lost.start;
            evicted(&oldest, lost.clone());
            self.segments.cut(place, lost);
        }
        for segment in segments {
            // With more new bytes than the capacity, the first ones are evicted again.
            let gone = over.min(length(segment));
            over -= gone;
            if gone < length(segment) {
                self.met += 1;
                self.used += length(segment) - gone;
                self.segments.append(Segment { start: segment.start + gone, ..*segment });
            }
        }
    }
}
