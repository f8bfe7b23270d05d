//! Bounds the number of extents of a cache, and rounds their ages so that states recur.
//!
//! Adjacent extents merge where one straight line of use times is a good approximation of both. For
//! tiny or random accesses that does not suffice. Then all bytes in a window of addresses become
//! one extent with the average share of its parts. So unused bytes in it count as partly used, and
//! used ones as partly unused.

use super::extent::{Age, Extent};
use super::{Mark, Random};

/// Number of extents at which merging starts.
pub(super) const MANY: usize = 128;

/// Upper limit of the number of extents, not counting those that a cache inside holds.
const MOST: usize = 1024;

/// An extent with fewer bytes present than this (half a line) is dropped.
const NOTHING: u64 = 32;

/// Divisors of the capacity that give the largest error of a use time when extents merge. The first divisor is the
/// usual one; the further divisors, which allow larger errors, apply while there are too many extents.
const BENDS: [u64; 3] = [512, 128, 32];

/// Divisor of the capacity that gives the unit to which use times are rounded between two repetitions.
const TICKS: u64 = 4096;

/// Bytes of the smallest window of averaging.
const WINDOW: u64 = 4096;

/// Usual limit of the error of a use time, in bytes that came into a cache of `capacity` bytes.
pub(super) fn bend(capacity: u64) -> u64 {
    capacity / BENDS[0]
}

/// True if `next` continues `last` in address and in time, nearly on a straight line.
pub(super) fn continues(last: &Extent, next: &Extent, bend: u64) -> bool {
    if last.region != next.region || last.end != next.start {
        return false;
    }
    match (last.age, next.age) {
        (Age::Held, Age::Held) => true,
        (Age::Held, Age::Used { .. }) | (Age::Used { .. }, Age::Held) => false,
        (Age::Used { first, last: middle }, Age::Used { first: again, last: end }) => {
            if first > end {
                return false;
            }
            // Compares the time of the border with each extent's line continued. The line through both ends
            // misses the border by at most a quarter of the difference.
            let (length, more) = (u128::from(last.length()), u128::from(next.length()));
            let all = length + more;
            let to_end =
                |grown: u64, part: u128| u64::try_from(u128::from(grown) * all / part).unwrap_or(u64::MAX);
            let (one, other) = (to_end(middle - first, length), to_end(end - again, more));
            again.abs_diff(middle) <= bend && one.abs_diff(other) <= 4 * bend
        }
    }
}

/// Merges the extent `next`, which continues `last`, into `last`.
pub(super) fn join(last: &mut Extent, next: &Extent) {
    last.end = next.end;
    last.stamp = last.stamp.max(next.stamp);
    if let (Age::Used { first, .. }, Age::Used { last: end, .. }) = (last.age, next.age) {
        last.age = Age::Used { first, last: end };
    }
}

impl Random {
    /// Merges extents if there are more than the limit.
    pub(super) fn bound(&mut self) {
        if self.extents.len() <= self.limit {
            return;
        }
        for bends in BENDS {
            self.straighten(self.capacity / bends);
            if self.extents.len() <= MANY / 2 {
                break;
            }
        }
        let mut window = WINDOW;
        while self.extents.len() > MOST / 2 && window > 0 {
            self.average(window);
            window <<= 1;
        }
        self.limit = (self.extents.len() * 2).max(MANY);
    }

    /// Rounds use times, so that a repeated phase returns to an earlier state.
    pub fn settle(&mut self) {
        self.straighten(bend(self.capacity));
        let (tick, clock) = ((self.capacity / TICKS).max(1), self.clock);
        let round = |time: &mut u64| *time = clock - (clock - *time + tick / 2) / tick * tick;
        for extent in &mut self.extents {
            if let Age::Used { first, last } = &mut extent.age {
                round(first);
                round(last);
            }
        }
        self.limit = MANY;
    }

    /// Drops nearly empty extents, and merges adjacent ones with the same mark and an error up to `bend`.
    fn straighten(&mut self, bend: u64) {
        let mut old = std::mem::take(&mut self.extents);
        for extent in old.drain(..) {
            if extent.resident(self.clock, self.capacity) < NOTHING {
                continue;
            }
            match self.extents.last_mut() {
                Some(last) if last.mark == extent.mark && continues(last, &extent, bend) => {
                    let stamp = last.stamp.min(extent.stamp);
                    join(last, &extent);
                    // Keeps the earlier stamp: possibly invalid bytes count as invalid.
                    last.stamp = stamp;
                }
                _ => self.extents.push(extent),
            }
        }
    }

    /// Replaces the extents inside each window of addresses by one. Extents that a cache inside holds stay.
    fn average(&mut self, window: u64) {
        let (clock, capacity) = (self.clock, self.capacity);
        let mut old = std::mem::take(&mut self.extents);
        let mut resident = 0;
        for extent in old.drain(..) {
            let here = extent.resident(clock, capacity);
            match self.extents.last_mut() {
                Some(last)
                    if last.region == extent.region
                        && last.start / window == (extent.end - 1) / window
                        && last.age != Age::Held
                        && extent.age != Age::Held =>
                {
                    resident += here;
                    last.end = extent.end;
                    last.stamp = last.stamp.min(extent.stamp);
                    let dirty = last.mark.dirty || extent.mark.dirty;
                    last.mark = Mark { sole: last.mark.join(extent.mark.sole), dirty };
                    let left = resident as f64 / last.length() as f64;
                    let before = (-left.ln() * capacity as f64).max(0.0) as u64;
                    let then = clock.saturating_sub(before);
                    last.age = Age::Used { first: then, last: then };
                }
                _ => {
                    resident = here;
                    self.extents.push(extent);
                }
            }
        }
    }
}
