//! Automatic balancing: a scanner unmaps pages, so that the faults of their next accesses hint at who
//! uses them. As in Linux it is the whole process that is balanced, except regions with a policy of their
//! own and explicit huge pages.
//!
//! A page moves at the second hint fault in a row from one node. Linux also lets the first fault of a young
//! task move a page, and weighs the faults of groups of tasks; neither is modelled.

use crate::region::RegionPages;
use crate::run::PageRun;
use numalab_units::{Bytes, Snapshot, Span, Time};
use std::ops::Range;

/// Parameters of the scanner; Linux has the same in `/sys/kernel/debug/sched/numa_balancing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanSettings {
    /// Bytes of placed pages unmapped by one scan.
    pub scan_size: Bytes,
    /// From one scan to the next; at least a picosecond.
    pub scan_period: Span,
    /// From the start of the run to the first scan.
    pub scan_delay: Span,
}

/// The times at which the scanner walks.
#[derive(Clone, Debug)]
pub struct ScanClock {
    settings: ScanSettings,
    /// Scans made so far.
    made: u64,
    /// Time that has passed without the caller's clock.
    passed: Span,
}

impl ScanClock {
    /// Before the first scan.
    pub fn new(settings: ScanSettings) -> ScanClock {
        ScanClock { settings, made: 0, passed: Span::ZERO }
    }

    /// Instant at which the next scan is due; never, if that is beyond the clock.
    pub fn next(&self) -> Time {
        let period = u128::from(self.settings.scan_period.0.max(1)) * u128::from(self.made);
        let due = period + u128::from(self.settings.scan_delay.0);
        u64::try_from(due - u128::from(self.passed.0)).map_or(Time::NEVER, Time)
    }

    /// Lets time pass without the caller's clock, less than up to the next scan.
    pub fn pass(&mut self, span: Span) {
        self.passed += span;
    }

    /// Makes all scans that are due at `now`; the bytes of placed pages that they walk over together.
    pub fn walk_until(&mut self, now: Time) -> u128 {
        let since = (now + self.passed).0.checked_sub(self.settings.scan_delay.0);
        let scans = since.map_or(0, |since| (since / self.settings.scan_period.0.max(1)).saturating_add(1));
        let due = scans.saturating_sub(self.made);
        self.made += due;
        u128::from(due) * u128::from(self.settings.scan_size.0)
    }

    /// Scans made so far.
    pub fn made(&self) -> u64 {
        self.made
    }
}

/// Position of the scanner. It walks the placed pages in the order of the regions and round again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scanner {
    region: usize,
    byte: u64,
}

impl Scanner {
    /// Writes down where it is.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Scanner { region, byte } = self;
        into.add(&(region, byte));
    }

    /// Walks over so many bytes of placed pages. Returns how many pages, of any size, it unmapped.
    pub fn advance(&mut self, regions: &mut [RegionPages], bytes: u128) -> u64 {
        let balanced = regions.iter().filter(|region| region.balanced());
        let total: u128 = balanced.map(|region| u128::from(region.runs.placed()) << region.shift).sum();
        if total == 0 {
            return 0;
        }
        // The second time round changes nothing; it only brings the scanner where it would be.
        self.walk(regions, if bytes >= total { total + bytes % total } else { bytes })
    }

    /// Walks over so many bytes of placed pages, of which there are some, and unmaps every page whose
    /// first byte it passes. Returns how many those are.
    fn walk(&mut self, regions: &mut [RegionPages], mut bytes: u128) -> u64 {
        let mut unmapped = 0;
        while bytes > 0 {
            if let Some(region) = regions.get_mut(self.region).filter(|region| region.balanced()) {
                for (passed, unit) in region.ahead(self.byte, bytes) {
                    let begins = |byte: u64| byte.next_multiple_of(unit) >> region.shift;
                    unmapped += region.unmap(&(begins(passed.start)..begins(passed.end)));
                    bytes -= u128::from(passed.end - passed.start);
                    self.byte = passed.end;
                }
            }
            if bytes > 0 {
                (self.region, self.byte) = ((self.region + 1) % regions.len(), 0);
            }
        }
        unmapped
    }
}

impl RegionPages {
    /// The next so many placed bytes from a byte on, by run, each with its page size.
    fn ahead(&self, from: u64, bytes: u128) -> Vec<(Range<u64>, u64)> {
        let mut bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let mut found = Vec::new();
        for (pages, run) in self.runs.pieces(&(from >> self.shift..self.runs.pages())) {
            let start = (pages.start << self.shift).max(from);
            let end = (pages.end << self.shift).min(start.saturating_add(bytes));
            bytes -= end - start;
            found.push((start..end, self.unit(run.huge)));
            if bytes == 0 {
                break;
            }
        }
        found
    }

    /// Unmaps the placed pages of a span. Returns how many were mapped.
    fn unmap(&mut self, span: &Range<u64>) -> u64 {
        let mut unmapped = 0;
        for pages in self.runs.find(span, |run| !run.unmapped) {
            let run = self.runs.take(&pages);
            unmapped += self.units(&pages, &run);
            self.runs.put(pages, PageRun { unmapped: true, ..run });
        }
        unmapped
    }
}
