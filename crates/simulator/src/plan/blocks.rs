//! Cuts iterations into blocks, so that arrays touched side by side share a cache. Chooses how many units of a
//! recorded loop are planned together.

use super::Planner;
use super::touching::BlockAccesses;
use std::ops::Range;

/// Sizes of a grant of iterations and of the part of it that was planned last.
#[derive(Clone, Copy, Debug, Default, Hash)]
pub(crate) struct GrantSizes {
    /// Number of granted iterations.
    pub size: u64,
    /// Number of iterations planned last; before the first part, the size.
    pub last_part: u64,
}

impl Planner<'_> {
    /// Divides iterations into blocks whose data is small compared to the thread's part of its last-level cache. Each
    /// of several regions that are touched side by side then has its part of the cache at any time. One block if
    /// fewer than two accesses touch data, or if caches are ignored.
    pub(super) fn blocks(
        &mut self,
        take: Range<u64>,
    ) -> impl ExactSizeIterator<Item = Range<u64>> + Clone + use<> {
        /// A block takes at most this part (1/n) of the thread's share of the cache.
        const PART: u64 = 2;
        /// Largest number of blocks. More blocks make the result no more exact.
        const MOST: u64 = 1024;
        let length = take.end - take.start;
        let count = match self.cache_share {
            Some(share) if length > 1 && self.data_accesses > 1 && !self.streams => {
                self.bytes(&take).div_ceil((share / PART).max(1)).min(MOST)
            }
            _ => 1,
        };
        let count = count.clamp(1, length.max(1));
        let cut =
            move |part: u64| take.start + (u128::from(length) * u128::from(part) / u128::from(count)) as u64;
        (0..count as u32).map(u64::from).map(move |part| cut(part)..cut(part + 1))
    }

    /// Bytes that iterations touch, of all accesses together.
    fn bytes(&mut self, take: &Range<u64>) -> u64 {
        self.find(take).pieces.iter().map(|(_, piece)| piece.touched).sum()
    }

    /// Accesses of iterations, with their bytes.
    fn find(&mut self, iterations: &Range<u64>) -> &BlockAccesses {
        self.touched.find(iterations, &self.phase.accesses, &self.touching);
        &self.touched
    }

    /// Number of iterations at the front of `left` that are planned together; their computing comes before their
    /// data. Above 1 only for recorded loops, in which an iteration stands for a unit of any size (`Phase::unit`). It
    /// is one of the phase's parts of the granted iterations, or as many as touch 4 KiB if those are more, halved until
    /// the data of the iterations join without a gap. A part is at most four times as large as the one before it.
    pub(super) fn several(&mut self, left: &Range<u64>, grant: GrantSizes) -> u64 {
        /// Bytes so few that computing and data need not alternate inside them.
        const SMALL: u64 = 4096;
        /// Most times that a part may be larger than the part before.
        const GROWTH: u64 = 4;
        if self.phase.unit.is_none() || self.phase.allocation.is_some() {
            return 1;
        }
        let most = grant.last_part.saturating_mul(GROWTH).min(left.end - left.start);
        let mut count = grant.size.div_ceil(self.parts).clamp(1, most);
        if count < most {
            let bytes = self.bytes(&(left.start..left.start + 1));
            count = count.max(SMALL.checked_div(bytes).unwrap_or(1).min(most));
        }
        while count > 1 && !self.find(&(left.start..left.start + count)).joins {
            count /= 2;
        }
        count
    }
}
