//! Automatic NUMA balancing: a scanner unmaps pages, so that the next access to each takes a hint fault, which
//! reveals the accessing node. As in Linux the whole process is balanced, except regions with a policy of their own
//! and explicit huge pages.
//!
//! A page moves at the second hint fault in a row from one node; for pages of slower memory tiers see `tiers`. Linux
//! also lets the first fault of a young task move a page, and weighs the faults of groups of tasks; neither is
//! modelled.

// Glossary: hint fault: A page fault after a scan, which tells the operating system which node uses the
//   page.

// Glossary: automatic balancing: Way in which Linux moves pages to the nodes that use them, by scans and
//   hint faults.

use crate::region::RegionPages;
use crate::run::{PageHomes, PageRun};
use crate::tiers::Tiers;
use numalab_base::{Bytes, Snapshot, Span, Time};
use std::ops::Range;

/// Parameters of the scanner, as in `/sys/kernel/debug/sched/numa_balancing` of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanSettings {
    /// Bytes of placed pages that one scan covers. With tiers, a skipped byte counts as an eighth.
    pub scan_size: Bytes,
    /// Time from one scan to the next; at least a picosecond.
    pub scan_period: Span,
    /// Time from the start of the run to the first scan.
    pub scan_delay: Span,
}

/// Clock of the scanner: computes when scans are due, without an event for each scan.
#[derive(Clone, Debug)]
pub struct ScanClock {
    settings: ScanSettings,
    made: u64,
    /// Time that passed while the caller's clock stood still, because repetitions of a phase were
    /// skipped.
    passed: Span,
}

impl ScanClock {
    /// Creates a clock that has made no scan.
    pub fn new(settings: ScanSettings) -> ScanClock {
        ScanClock { settings, made: 0, passed: Span::ZERO }
    }

    /// Instant of the next scan on the caller's clock; `Time::NEVER` if that overflows.
    pub fn next(&self) -> Time {
        let period = u128::from(self.settings.scan_period.0.max(1)) * u128::from(self.made);
        let due = period + u128::from(self.settings.scan_delay.0);
        u64::try_from(due - u128::from(self.passed.0)).map_or(Time::NEVER, Time)
    }

    /// Adds time that passes while the caller's clock stands still. The added time must end before the next scan is
    /// due.
    pub fn pass(&mut self, span: Span) {
        self.passed += span;
    }

    /// Counts all scans that are due at `now` as made. Returns the bytes of placed pages that they cover, for
    /// [`crate::PageMap::scan`].
    pub fn walk_until(&mut self, now: Time) -> u128 {
        let since = (now + self.passed).0.checked_sub(self.settings.scan_delay.0);
        let scans = since.map_or(0, |since| (since / self.settings.scan_period.0.max(1)).saturating_add(1));
        let due = scans.saturating_sub(self.made);
        self.made += due;
        u128::from(due) * u128::from(self.settings.scan_size.0)
    }

    /// The caller's clock plus the time that was added by [`ScanClock::pass`].
    pub fn clock(&self, now: Time) -> Time {
        now + self.passed
    }

    pub fn made(&self) -> u64 {
        self.made
    }
}

/// Position of the scanner. It goes through the placed pages of one region after the other, in a cycle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scanner {
    region: usize,
    byte: u64,
}

impl Scanner {
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Scanner { region, byte } = self;
        into.add(&(region, byte));
    }

    /// Scans the next `bytes` of placed pages; with `tiers`, a byte that stays mapped counts as an eighth. Returns
    /// the number of pages, of any size, that the scan unmapped.
    pub fn advance(&mut self, regions: &mut [RegionPages], bytes: u128, tiers: Option<&Tiers>) -> u64 {
        let balanced = regions.iter().filter(|region| region.balanced());
        let total: u128 = balanced.map(|region| region.effort(tiers)).sum();
        if total == 0 {
            return 0;
        }
        let most = bytes.saturating_mul(effort(tiers, None).into());
        // One round unmaps everything. Of further rounds only the remainder counts: it decides the final position.
        self.walk(regions, tiers, if most >= total { total + most % total } else { most })
    }

    /// Scans placed pages (there must be some) until the effort `left` is used up, and unmaps every page whose first
    /// byte it passes. Returns the number of pages unmapped.
    fn walk(&mut self, regions: &mut [RegionPages], tiers: Option<&Tiers>, mut left: u128) -> u64 {
        let mut unmapped = 0;
        let least = u128::from(effort(tiers, None));
        while left >= least {
            if let Some(region) = regions.get_mut(self.region).filter(|region| region.balanced()) {
                for Stretch { bytes: passed, page, effort } in region.ahead(self.byte, left, tiers) {
                    let begins = |byte: u64| byte.next_multiple_of(page) >> region.shift;
                    unmapped += region.unmap(&(begins(passed.start)..begins(passed.end)), tiers);
                    left -= u128::from(passed.end - passed.start) * u128::from(effort);
                    self.byte = passed.end;
                }
            }
            if left >= least {
                (self.region, self.byte) = ((self.region + 1) % regions.len(), 0);
            }
        }
        unmapped
    }
}

/// Bytes of one run of pages that a scan covers next.
struct Stretch {
    bytes: Range<u64>,
    /// Page size in bytes.
    page: u64,
    /// Scan effort per byte, see [`effort`].
    effort: u64,
}

/// Scan effort per byte of a run, or of a page that is unmapped (`None`). A scan ends when its effort is used up.
/// Without tiers the effort of a byte is 1. With tiers it is 1 for a skipped byte and 8 for an unmapped byte, since a
/// scan in Linux ends after `virtpages` skipped pages or an eighth as many unmapped pages (`task_numa_work`).
fn effort(tiers: Option<&Tiers>, run: Option<&PageRun>) -> u64 {
    match (tiers, run.map(|run| &run.home)) {
        (None, _) => 1,
        (Some(tiers), Some(PageHomes::Node(home))) if !tiers.scans(*home) => 1,
        (Some(_), _) => 8,
    }
}

impl RegionPages {
    /// Scan effort for all placed pages of the region.
    fn effort(&self, tiers: Option<&Tiers>) -> u128 {
        if tiers.is_none() {
            return u128::from(self.runs.placed()) << self.shift;
        }
        let of = |(pages, run): (Range<u64>, &PageRun)| {
            (u128::from(pages.end - pages.start) << self.shift) * u128::from(effort(tiers, Some(run)))
        };
        self.runs.pieces(&(0..self.runs.pages())).map(of).sum()
    }

    /// Placed bytes from `from` on, as many as `effort_left` suffices for, in one stretch per run.
    fn ahead(&self, from: u64, effort_left: u128, tiers: Option<&Tiers>) -> Vec<Stretch> {
        let mut left = u64::try_from(effort_left).unwrap_or(u64::MAX);
        let mut found = Vec::new();
        for (pages, run) in self.runs.pieces(&(from >> self.shift..self.runs.pages())) {
            let each = effort(tiers, Some(run));
            let start = (pages.start << self.shift).max(from);
            let end = (pages.end << self.shift).min(start.saturating_add(left / each));
            left -= (end - start) * each;
            found.push(Stretch { bytes: start..end, page: self.unit(run.huge), effort: each });
            if left < effort(tiers, None) {
                break;
            }
        }
        found
    }

    /// Unmaps the placed pages of a span, except pages of nodes that `tiers` does not scan. Returns the number of
    /// pages that were mapped before.
    fn unmap(&mut self, span: &Range<u64>, tiers: Option<&Tiers>) -> u64 {
        let mut unmapped = 0;
        // If balancing serves promotion alone, pages of the top tier stay mapped.
        let scanned = |run: &PageRun| match (tiers, &run.home) {
            (Some(tiers), PageHomes::Node(home)) => tiers.scans(*home),
            (None, _) | (Some(_), PageHomes::Cycle(_)) => true,
        };
        for pages in self.runs.find(span, |run| !run.unmapped && scanned(run)) {
            let mut run = self.runs.take(&pages);
            unmapped += self.units(&pages, &run);
            run.scanned = match (tiers, &run.home) {
                (Some(tiers), PageHomes::Node(home)) if !tiers.is_top(*home) => tiers.stamp(),
                (None | Some(_), _) => 0,
            };
            self.runs.put(pages, PageRun { unmapped: true, ..run });
        }
        unmapped
    }
}
