//! Iterations in parts, so that arrays touched side by side share a cache, and loops that no cache matters
//! to.

use super::Planner;
use numalab_machine::Machine;
use numalab_workload::{Access, Phase, Slice};
use std::ops::Range;

impl Planner<'_> {
    /// Iterations in parts that are small beside what a thread has of its last-level cache: where several
    /// regions are touched side by side, each has its part of the cache at any time.
    pub(super) fn blocks(&self, take: Range<u64>) -> impl ExactSizeIterator<Item = Range<u64>> + use<> {
        /// A block's part of the thread's part of the cache.
        const PART: u64 = 2;
        /// More do not make it more exact.
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

/// Number of the iterations at the front of `left` that are taken together, first all that they compute: of a loop that was cut
/// into units of any size, a part of what is left, where the units' data join without a gap.
pub(super) fn several(phase: &Phase, left: &Range<u64>) -> u64 {
    /// Parts of what is left, so many that the last ones are small.
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

/// Whether a phase touches so many different bytes, each of them once, that what all caches together hold
/// is nothing beside it: then nobody looks into them.
pub(super) fn streams(machine: &Machine, phase: &Phase) -> bool {
    /// Caches could serve at most one in so many bytes.
    const NOTHING: u128 = 32;
    let once = |access: &Access| matches!(access.slice, Slice::Partition(_)) || !access.mode.is_data();
    let Some(last) = machine.caches.last() else { return true };
    let cores: u64 = machine.levels.iter().map(|level| u64::from(level.count)).product();
    let caches = u128::from(last.size.0) * u128::from(cores.div_ceil(u64::from(last.shared_by.max(1))));
    let touched = |access: &Access| access.slice.total(phase.iterations);
    // Whatever is touched once has its total at hand; others would have to be added up at every round.
    phase.accesses.iter().all(once) && phase.accesses.iter().map(touched).sum::<u128>() > NOTHING * caches
}
