//! Counters of a node, and the components of the time for which a page fault stalls a worker.

use numalab_base::Span;

/// Component of the time for which a page fault stalls a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Signal, signal handler, and hand-over of the fault to the daemon.
    Trap,
    /// Wait in the queues of daemons.
    DaemonWait,
    /// Service of messages by daemons.
    DaemonService,
    /// Wait in the queues of network cards; with bounded queues also for the window, for resending, and for earlier
    /// messages.
    LinkWait,
    /// Latency of messages between nodes, and their transmission time on the receiver's card.
    Wire,
    /// Wait until other nodes have dropped their copies of the page.
    Invalidations,
    /// Wait behind other requests for the same page.
    PageBusy,
    /// Time from the arrival of the page until the worker runs.
    Wake,
    /// Making twins, and computing and applying diffs.
    Diffs,
}

impl Part {
    pub const ALL: [Part; 9] = [
        Part::Trap,
        Part::DaemonWait,
        Part::DaemonService,
        Part::LinkWait,
        Part::Wire,
        Part::Invalidations,
        Part::PageBusy,
        Part::Wake,
        Part::Diffs,
    ];

    /// Name in result records.
    pub fn name(self) -> &'static str {
        match self {
            Part::Trap => "trap",
            Part::DaemonWait => "daemon-wait",
            Part::DaemonService => "daemon-service",
            Part::LinkWait => "link-wait",
            Part::Wire => "wire",
            Part::Invalidations => "invalidations",
            Part::PageBusy => "page-busy",
            Part::Wake => "wake",
            Part::Diffs => "diffs",
        }
    }

    /// Name in messages and tables.
    pub fn words(self) -> &'static str {
        match self {
            Part::Trap => "trap",
            Part::DaemonWait => "waiting for a daemon",
            Part::DaemonService => "daemons at work",
            Part::LinkWait => "waiting for the network",
            Part::Wire => "on the wire",
            Part::Invalidations => "invalidations",
            Part::PageBusy => "page busy",
            Part::Wake => "waking",
            Part::Diffs => "twins and diffs",
        }
    }
}

/// Components of the time for which a page fault stalled a worker, in the order of [`Part::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop(pub [Span; Part::ALL.len()]);

impl Stop {
    pub fn add(&mut self, part: Part, span: Span) {
        self.0[part as usize] += span;
    }

    pub fn total(&self) -> Span {
        self.0.iter().fold(Span::ZERO, |sum, part| sum + *part)
    }

    /// Makes the components sum to `total`. Missing time is added to `part`. Excess time, as when a page that was
    /// sent ahead arrives during a request, is taken off, first from the components of the messages' travel.
    pub fn fit(&mut self, part: Part, total: Span) {
        let sum = self.total().0;
        self.add(part, Span(total.0.saturating_sub(sum)));
        let mut excess = sum.saturating_sub(total.0);
        let way = [Part::Wire, Part::DaemonService, Part::LinkWait, Part::DaemonWait, Part::PageBusy];
        for part in way.into_iter().chain([Part::Invalidations, Part::Diffs, Part::Trap, Part::Wake]) {
            let span = &mut self.0[part as usize];
            let off = span.0.min(excess);
            (span.0, excess) = (span.0 - off, excess - off);
        }
    }
}
