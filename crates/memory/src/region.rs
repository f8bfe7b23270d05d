//! One region: its pages, their sizes, and where fresh ones go.

use crate::room::Room;
use crate::run::PageRun;
use crate::runs::PageRuns;
use crate::{Home, PagePolicy, PageSize, Touched};
use numalab_base::{Bytes, Snapshot};
use numalab_machine::NodeId;
use std::ops::Range;

/// A region, which begins at an address that every page size divides. Pages are counted in the region's
/// ordinary size: base pages, or explicit ones.
#[derive(Clone, Debug)]
pub(crate) struct RegionPages {
    /// log2 of the bytes of a page.
    pub shift: u32,
    /// Pages of a transparent huge page; 1 if there are none.
    pub ratio: u64,
    /// Explicit pages are outside of automatic balancing.
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

    /// Writes down its policy and its pages.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let RegionPages { shift: _, ratio: _, explicit: _, policy, runs } = self;
        into.add(policy);
        runs.snapshot(into);
    }

    /// The pages that hold a range of bytes.
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

    /// Whether the scanner of automatic balancing comes here. Linux leaves out what has a policy of its
    /// own (`vma_policy_mof`) and hugetlb pages.
    pub fn balanced(&self) -> bool {
        self.policy == PagePolicy::FirstTouch && !self.explicit
    }

    /// Calls `visit` with the home and the bytes of every placed piece of a range, in order.
    pub fn homes(&self, bytes: Range<u64>, mut visit: impl FnMut(Home<'_>, u64)) {
        self.runs.homes(self.span(&bytes), |pages, home| {
            let start = (pages.start << self.shift).max(bytes.start);
            let end = (pages.end << self.shift).min(bytes.end);
            home.pieces(start..end, self.shift, &mut visit);
        });
    }

    /// A thread on `node` accesses a span. Returns what happened, and how many pages found no room.
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

    /// The pieces of a span that an access has something to do about, in order, and whether they have a
    /// node.
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

    /// Marks the placed pages of a span for next touch. Returns how many were not marked before.
    pub fn mark(&mut self, span: &Range<u64>) -> u64 {
        let mut marked = 0;
        for pages in self.runs.find(span, |run| !run.marked) {
            let run = self.runs.take(&pages);
            marked += self.units(&pages, &run);
            self.runs.put(pages, PageRun { marked: true, ..run });
        }
        marked
    }

    /// Frees all pages.
    pub fn release(&mut self, room: &mut Room) {
        for (pages, run) in self.runs.pieces(&(0..self.runs.pages())) {
            run.home.tally(&pages, |node, count| room.give(node, count << self.shift));
        }
        self.runs.clear();
    }
}
