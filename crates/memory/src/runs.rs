//! The page map of one region, stored as runs of pages with equal properties. A terabyte placed in
//! order is a handful of runs.

use crate::run::{PageHomes, PageRun};
use numalab_base::Snapshot;
use numalab_machine::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

/// Runs of pages. A page in no run is not placed. Page numbers count from the region's start.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageRuns {
    /// First page of a run -> its end and properties. Runs are disjoint, not empty, and merged.
    runs: BTreeMap<u64, (u64, PageRun)>,
    /// Base pages per transparent huge page.
    ratio: u64,
    pages: u64,
    placed: u64,
    flagged: u64,
    /// Index for fast look-up, built once every page is placed: the homes of all runs in order. `ends` holds the end
    /// of each run. Empty if out of date.
    sealed: Vec<PageHomes>,
    ends: Vec<u64>,
    /// Number of changes to the map and calls of `seal_if_due` since the index was last built. The index is rebuilt
    /// once they are as many as the runs.
    credit: usize,
    /// The run changed last, if no pages were taken out since: extending this run needs no search.
    recent: Option<Recent>,
}

/// Copy of the run changed last, which has ordinary pages on one node, without flags.
#[derive(Clone, Copy, Debug)]
struct Recent {
    start: u64,
    end: u64,
    node: NodeId,
    /// Start of the next run in the map; `None` until it is looked up.
    next: Option<u64>,
}

impl PageRuns {
    pub fn new(pages: u64, ratio: u64) -> PageRuns {
        PageRuns { pages, ratio, ..PageRuns::default() }
    }

    /// Adds the runs to a snapshot, with their counts of placed and flagged pages. All other fields are constant or
    /// follow from the runs.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let PageRuns { runs, ratio: _, pages: _, placed, flagged, sealed: _, ends: _, credit: _, recent: _ } =
            self;
        into.add(&(runs, placed, flagged));
    }

    pub fn pages(&self) -> u64 {
        self.pages
    }

    pub fn placed(&self) -> u64 {
        self.placed
    }

    pub fn complete(&self) -> bool {
        self.placed == self.pages
    }

    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// True if an access changes nothing: every page is placed, none has a flag, and the index is up to date.
    pub fn is_settled(&self) -> bool {
        self.complete() && self.flagged == 0 && !self.sealed.is_empty()
    }

    pub fn clear(&mut self) {
        *self = PageRuns::new(self.pages, self.ratio);
    }

    /// Runs that overlap `span`, clipped to `span`; runs of huge pages are clipped to the whole huge pages around
    /// `span`.
    pub fn pieces(&self, span: &Range<u64>) -> impl Iterator<Item = (Range<u64>, &PageRun)> {
        let (Range { start, end }, ratio) = (span.clone(), self.ratio);
        let first = self.runs.range(..=start).next_back().map_or(start, |(first, _)| *first);
        self.runs.range(first..end.max(first)).filter_map(move |(&run_start, (run_end, run))| {
            let span = match run.huge {
                true => start / ratio * ratio..end.next_multiple_of(ratio),
                false => start..end,
            };
            let piece = run_start.max(span.start)..(*run_end).min(span.end);
            (start < end && !piece.is_empty()).then_some((piece, run))
        })
    }

    /// True if no page of a span is placed.
    pub fn free(&self, span: &Range<u64>) -> bool {
        self.pieces(span).next().is_none()
    }

    /// Removes pages, which lie in one run, from the map. Returns their properties.
    pub fn take(&mut self, pages: &Range<u64>) -> PageRun {
        let found = self.runs.range_mut(..=pages.start).next_back().filter(|(_, run)| run.0 >= pages.end);
        let (&start, (its_end, run)) = found.expect("`take` gets pages of one run");
        let (end, run) = (std::mem::replace(its_end, pages.start), run.clone());
        if start == pages.start {
            self.runs.remove(&start);
        }
        if end > pages.end {
            self.runs.insert(pages.end, (end, run.clone()));
        }
        self.count(pages, &run, |sum, pages| sum - pages);
        self.recent = None;
        run
    }

    /// Part of `span` after the end of the most recently changed run, by which `grow` can extend it. `None` if that
    /// run is on another node, does not contain or adjoin the start of `span`, or the next run starts at or before
    /// the end of `span`.
    pub fn following(&mut self, span: &Range<u64>, node: NodeId) -> Option<Range<u64>> {
        let recent = self.recent.as_mut()?;
        if recent.node != node || !(recent.start..=recent.end).contains(&span.start) {
            return None;
        }
        let runs = &self.runs;
        let next = *recent
            .next
            .get_or_insert_with(|| runs.range(recent.end..).next().map_or(u64::MAX, |(start, _)| *start));
        // A run that is reached might have to be merged.
        (span.end < next).then_some(recent.end..span.end.max(recent.end))
    }

    /// Extends the run changed last by the pages that follow it.
    pub fn grow(&mut self, pages: &Range<u64>) {
        let Some(recent) = self.recent.as_mut().filter(|_| !pages.is_empty()) else { return };
        debug_assert_eq!(recent.end, pages.start);
        recent.end = pages.end;
        let run = self.runs.get_mut(&recent.start);
        let (end, run) = run.expect("`recent` is a run of the map");
        *end = pages.end;
        debug_assert_eq!((&run.home, run.flagged()), (&PageHomes::Node(recent.node), false));
        self.placed += pages.end - pages.start;
        self.credit += 1;
        self.sealed.clear();
        self.ends.clear();
    }

    /// Adds pages that are in no run, merged with equal neighbours.
    pub fn put(&mut self, pages: Range<u64>, run: PageRun) {
        if pages.is_empty() {
            return;
        }
        self.count(&pages, &run, |sum, pages| sum + pages);
        self.credit += 1;
        let Range { mut start, mut end } = pages;
        // Merging with equal neighbours keeps the map as small as the placement is regular.
        if let Some((&before, (its_end, its_run))) = self.runs.range(..start).next_back() {
            debug_assert!(*its_end <= start, "pages are already placed");
            if *its_end == start && *its_run == run {
                start = before;
            }
        }
        if let Some((its_end, its_run)) = self.runs.get(&end)
            && *its_run == run
        {
            let its_end = *its_end;
            self.runs.remove(&end);
            end = its_end;
        }
        self.recent = match run.home {
            PageHomes::Node(node) if run == PageRun::fresh(PageHomes::Node(node), false) => {
                Some(Recent { start, end, node, next: None })
            }
            PageHomes::Node(_) | PageHomes::Cycle(_) => None,
        };
        self.runs.insert(start, (end, run));
    }

    /// The pieces of a span whose runs satisfy `which`.
    pub fn find(&self, span: &Range<u64>, which: impl Fn(&PageRun) -> bool) -> Vec<Range<u64>> {
        self.pieces(span).filter(|(_, run)| which(run)).map(|(pages, _)| pages).collect()
    }

    fn count(&mut self, pages: &Range<u64>, run: &PageRun, sum: impl Fn(u64, u64) -> u64) {
        let pages = pages.end - pages.start;
        self.placed = sum(self.placed, pages);
        self.flagged = sum(self.flagged, if run.flagged() { pages } else { 0 });
        self.sealed.clear();
        self.ends.clear();
    }

    /// Rebuilds the look-up index of a complete map, once changes and calls since the last index are as many as the
    /// runs.
    pub fn seal_if_due(&mut self) {
        if self.complete() && self.sealed.is_empty() {
            self.credit += 1;
            if self.credit >= self.runs.len() {
                self.ends.extend(self.runs.values().map(|(end, _)| *end));
                self.sealed.extend(self.runs.values().map(|(_, run)| run.home.clone()));
                self.credit = 0;
            }
        }
    }

    /// Calls `visit` with the pages and homes of each run in a span, in order.
    pub fn homes(&self, span: Range<u64>, mut visit: impl FnMut(Range<u64>, &PageHomes)) {
        if let Some(Recent { start, end, node, .. }) = self.recent
            && !span.is_empty()
            && start <= span.start
            && span.end <= end
        {
            return visit(span, &PageHomes::Node(node));
        }
        if self.sealed.is_empty() {
            for (pages, run) in self.pieces(&span) {
                visit(pages.start.max(span.start)..pages.end.min(span.end), &run.home);
            }
            return;
        }
        let mut start = span.start;
        let first = self.ends.partition_point(|end| *end <= start);
        for (end, home) in self.ends[first..].iter().zip(&self.sealed[first..]) {
            if start >= span.end {
                return;
            }
            visit(start..(*end).min(span.end), home);
            start = *end;
        }
    }
}
