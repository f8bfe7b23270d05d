//! One region: page sizes, page map, and policy.

use crate::room::Room;
use crate::run::PageRun;
use crate::runs::PageRuns;
use crate::{Home, PagePolicy, PageSize, Touched};
use numalab_base::{Bytes, Snapshot};
use numalab_machine::NodeId;
use std::ops::Range;

/// A region, whose start address is a multiple of every page size. Pages are counted in the
/// region's ordinary size: base pages, or explicit huge pages.
#[derive(Clone, Debug)]
pub(crate) struct RegionPages {
    /// log2 of the page size in bytes.
    pub shift: u32,
    /// Base pages per transparent huge page; 1 without huge pages.
    pub ratio: u64,
    /// True for explicit huge pages, which automatic balancing does not move.
    pub explicit: bool,
    pub policy: PagePolicy,
    pub runs: PageRuns,
}

impl RegionPages {
    pub fn new(size: Bytes, base_page: u64, page: PageSize, policy: PagePolicy) -> RegionPages {
        let (page, huge) = match page {
            PageSize::Base => (base_page, base_page),
            PageSize::Explicit(page) => (page.0, page.0),
            PageSize::Transparent { huge } => (base_page, huge.0),
        };
        debug_assert!(page.is_power_of_two() && huge.is_power_of_two());
        let (shift, ratio) = (page.trailing_zeros(), (huge / page).max(1));
        let explicit = page != base_page;
        RegionPages { shift, ratio, explicit, policy, runs: PageRuns::new(size.0.div_ceil(page), ratio) }
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let RegionPages { shift: _, ratio: _, explicit: _, policy, runs } = self;
        into.add(policy);
        runs.snapshot(into);
    }

    /// Numbers of the pages that hold a range of bytes.
    pub fn span(&self, bytes: &Range<u64>) -> Range<u64> {
        if bytes.is_empty() {
            return 0..0;
        }
        let span = bytes.start >> self.shift..((bytes.end - 1) >> self.shift) + 1;
        debug_assert!(span.end <= self.runs.pages());
        span
    }

    /// Bytes of one page, huge or ordinary.
    pub fn unit(&self, huge: bool) -> u64 {
        if huge { self.ratio << self.shift } else { 1 << self.shift }
    }

    /// True if automatic balancing scans the region. Linux skips regions with a policy of their own
    /// (`vma_policy_mof`) and hugetlb pages.
    pub fn balanced(&self) -> bool {
        self.policy == PagePolicy::FirstTouch && !self.explicit
    }

    /// Calls `visit` with the home and the size of every placed piece of a range, in address order.
    pub fn homes(&self, bytes: Range<u64>, mut visit: impl FnMut(Home<'_>, u64)) {
        self.runs.homes(self.span(&bytes), |pages, home| {
            let start = (pages.start << self.shift).max(bytes.start);
            let end = (pages.end << self.shift).min(bytes.end);
            home.pieces(start..end, self.shift, &mut visit);
        });
    }

    /// Simulates an access from `node` to a span. Returns its effects and the number of pages that did
    /// not fit.
    pub fn touch(&mut self, span: &Range<u64>, node: NodeId, room: &mut Room) -> (Touched, u64) {
        let (mut touched, mut left) = (Touched::default(), 0);
        for (pages, placed) in self.waiting(span) {
            match placed {
                true => self.answer(pages, node, room, &mut touched),
                false => left += self.place(pages, node, room, &mut touched.fresh),
            }
        }
        (touched, left)
    }

    /// Pieces of a span that an access has to place or to handle, in address order, each with `true` if the piece is
    /// placed.
    fn waiting(&self, span: &Range<u64>) -> Vec<(Range<u64>, bool)> {
        let mut found = Vec::new();
        let mut at = span.start;
        for (pages, run) in self.runs.pieces(span) {
            if at < pages.start {
                found.push((at..pages.start, false));
            }
            at = pages.end;
            if run.flagged() {
                found.push((pages, true));
            }
        }
        if at < span.end {
            found.push((at..span.end, false));
        }
        found
    }

    /// Marks the placed pages of a span for next touch. Returns the number of pages not marked before.
    pub fn mark(&mut self, span: &Range<u64>) -> u64 {
        let mut marked = 0;
        for pages in self.runs.find(span, |run| !run.marked) {
            let run = self.runs.take(&pages);
            marked += self.units(&pages, &run);
            self.runs.put(pages, PageRun { marked: true, ..run });
        }
        marked
    }

    pub fn release(&mut self, room: &mut Room) {
        for (pages, run) in self.runs.pieces(&(0..self.runs.pages())) {
            run.home.tally(&pages, |node, count| room.give(node, count << self.shift));
        }
        self.runs.clear();
    }
}
