//! Cuts iterations into blocks, so that arrays touched side by side share a cache. Chooses how many units of a
//! recorded loop are planned together.

use super::Planner;
use numalab_workload::{Access, Phase};
use std::ops::Range;

impl Planner<'_> {
    /// Divides iterations into blocks whose data is small compared to the thread's part of its last-level cache. Each
    /// of several regions that are touched side by side then has its part of the cache at any time. One block if
    /// fewer than two accesses touch data, or if caches are ignored.
    pub(super) fn blocks(&self, take: Range<u64>) -> impl ExactSizeIterator<Item = Range<u64>> + use<> {
        /// A block takes at most this part (1/n) of the thread's share of the cache.
        const PART: u64 = 2;
        /// Largest number of blocks. More blocks make the result no more exact.
        const MOST: u64 = 1024;
        let accesses = &self.phase.accesses;
        let data = accesses.iter().filter(|access| access.mode.is_data()).count();
        let bytes =
            |access: &Access| access.slice.piece(take.start, take.end).map_or(0, |piece| piece.touched);
        let count = match self.machine.caches.last() {
            Some(cache) if data > 1 && !self.streams => {
                let part = (cache.size.0 / u64::from(cache.shared_by.max(1)) / PART).max(1);
                accesses.iter().map(bytes).sum::<u64>().div_ceil(part).min(MOST)
            }
            _ => 1,
        };
        let length = take.end - take.start;
        let count = count.clamp(1, length.max(1));
        let cut =
            move |part: u64| take.start + (u128::from(length) * u128::from(part) / u128::from(count)) as u64;
        (0..count as u32).map(u64::from).map(move |part| cut(part)..cut(part + 1))
    }
}

/// Number of iterations at the front of `left` that are planned together; their computing comes before their data.
/// Above 1 only for recorded loops, in which an iteration stands for a unit of any size (`Phase::unit`). It is 1/32
/// of the iterations left, halved until the data of the iterations join without a gap.
pub(super) fn several(phase: &Phase, left: &Range<u64>) -> u64 {
    /// Part (1/n) of the remaining iterations that are planned together; the last parts are small.
    const PARTS: u64 = 32;
    if phase.unit.is_none() || phase.allocation.is_some() {
        return 1;
    }
    let joins = |count: u64| {
        let piece = |access: &Access| access.slice.piece(left.start, left.start + count);
        let whole = |access| piece(access).is_some_and(|one| [0, one.end - one.start].contains(&one.touched));
        phase.accesses.iter().all(whole)
    };
    let mut count = (left.end - left.start).div_ceil(PARTS);
    while count > 1 && !joins(count) {
        count /= 2;
    }
    count.max(1)
}
