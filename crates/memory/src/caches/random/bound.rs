//! Keeps the number of extents of a cache bounded, and its ages coarse enough to come back.
//!
//! Neighbours become one where a straight line is near enough to how both were used. Where accesses are tiny or in random
//! order that does not help; then all that is in a window of addresses becomes one extent, of which as much is left as of
//! its parts on average. So what was never used counts as used in part, and what was used as not used in part.

use super::extent::{Age, Extent};
use super::{Mark, Random};

/// Extents that a cache may have before they are looked through.
pub(super) const MANY: usize = 128;

/// Extents that no cache has more of, but for those that a cache inside holds.
const MOST: usize = 1024;

/// Fewer bytes of an extent than half a line are nothing.
const NOTHING: u64 = 32;

/// Parts of the capacity by which an extent may be off in when a byte was used, at first and where there are too many.
const BENDS: [u64; 3] = [512, 128, 32];

/// Parts of the capacity to which times are rounded between two repetitions.
const TICKS: u64 = 4096;

/// The smallest window is of so many bytes.
const WINDOW: u64 = 4096;

/// Bytes by which an extent of a cache of so many may be off in when a byte was used.
pub(super) fn bend(capacity: u64) -> u64 {
    capacity / BENDS[0]
}

/// Whether an extent goes on where another ends, in address and in time, on nearly a straight line.
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
            // What had come in at the end of both, had it gone on as in either: the line through both ends misses the border
            // by a quarter of what these differ by at most.
            let (length, more) = (u128::from(last.length()), u128::from(next.length()));
            let all = length + more;
            let to_end =
                |grown: u64, part: u128| u64::try_from(u128::from(grown) * all / part).unwrap_or(u64::MAX);
            let (one, other) = (to_end(middle - first, length), to_end(end - again, more));
            again.abs_diff(middle) <= bend && one.abs_diff(other) <= 4 * bend
        }
    }
}

/// An extent takes in the one that continues it.
pub(super) fn join(last: &mut Extent, next: &Extent) {
    last.end = next.end;
    last.stamp = last.stamp.max(next.stamp);
    if let (Age::Used { first, .. }, Age::Used { last: end, .. }) = (last.age, next.age) {
        last.age = Age::Used { first, last: end };
    }
}

impl Random {
    /// Looks the extents through if there are many.
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

    /// Rounds times, so that what repeats comes to a state that it has been in.
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

    /// Drops what is nothing, and joins neighbours that are off by so much at most.
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
                    // What may have become invalid is not valid.
                    last.stamp = stamp;
                }
                _ => self.extents.push(extent),
            }
        }
    }

    /// Makes one extent of all in a window of addresses.
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
