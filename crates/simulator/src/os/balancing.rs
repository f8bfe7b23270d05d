//! Automatic balancing: a scanner walks over pages beside the threads and unmaps them. The next accesses are hint
//! faults, which show the accessing node and can move the page. As in Linux, faults and moves are steps of the
//! accessing thread.

use numalab_base::{Bytes, Span, Time};
use numalab_machine as machine;
use numalab_memory::{PageMap, ScanClock, ScanSettings};

// Glossary: scanner: Event source of automatic balancing that unmaps pages at intervals.
/// Scanner of automatic balancing: its clock and settings.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    clock: ScanClock,
    /// Memory that one scan unmaps. `page`: processor time of a scan per page.
    size: Bytes,
    page: Span,
    period: Span,
    /// True if pages keep the time of their scan.
    dated: bool,
    /// End of the processor time of the last scan.
    busy_until: Time,
}

/// Smallest number of consecutive scans without an event in between that are made as one walk with one time, if pages
/// keep the time of their scan.
const APART: u64 = 1024;

impl Scanner {
    pub fn new(settings: &machine::Balancing, dated: bool) -> Scanner {
        let clock = ScanClock::new(ScanSettings {
            scan_size: settings.scan_size,
            scan_period: settings.scan_period,
            scan_delay: settings.scan_delay,
        });
        Scanner {
            clock,
            size: settings.scan_size,
            period: settings.scan_period,
            page: settings.scan_page,
            dated,
            busy_until: Time::ZERO,
        }
    }

    /// Time of the next walk.
    pub fn next(&self) -> Time {
        self.clock.next().max(self.busy_until)
    }

    /// Number of scans so far.
    pub fn made(&self) -> u64 {
        self.clock.made()
    }

    /// Advances by `span`, the time of repetitions that are counted instead of simulated. They end before the next
    /// walk. `World::now` stays.
    pub fn pass(&mut self, span: Span) {
        self.clock.pass(span);
        self.busy_until = Time(self.busy_until.0.saturating_sub(span.0));
    }

    /// Number of scan periods from `now` to `unseen`.
    fn scans_before(&self, now: Time, unseen: Time) -> u64 {
        (unseen.0 - now.0.min(unseen.0)) / self.period.0.max(1)
    }

    /// Makes the scan that is due. Also makes all further scans before `unseen`, the next event of another source: no
    /// event can tell these scans apart. Two cases make no further scans: scans that take processor time, and fewer
    /// than `APART` scans of pages that keep the time of their scan. Scans that take processor time do not overlap;
    /// late scans are left out. Returns the number of scans before this walk, and the processor time of this walk.
    pub fn walk(&mut self, now: Time, unseen: Time, store: &mut PageMap<'_>) -> (u64, Span) {
        let made = self.clock.made();
        let unmapped = match self.page {
            Span::ZERO => {
                let last = if self.dated && self.scans_before(now, unseen) < APART { now } else { unseen };
                store.scan(self.clock.walk_until(Time(last.0.saturating_sub(1)).max(now)))
            }
            Span(_) => store.scan(self.clock.walk_until(now).min(self.size.0.into())),
        };
        let span = Span(self.page.0.saturating_mul(unmapped));
        self.busy_until = now + span;
        (made, span)
    }
}
