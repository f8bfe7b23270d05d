//! Counts of a node, and the parts of a worker's stop.

use numalab_base::Span;

/// A part of the time that a worker is stopped by a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Signal, handler and hand-over to the daemon.
    Trap,
    /// Behind other messages at a daemon.
    DaemonWait,
    /// Served by daemons.
    DaemonService,
    /// Behind other messages at a network card.
    LinkWait,
    /// On the wire.
    Wire,
    /// Until other copies were dropped.
    Invalidations,
    /// Behind other requests for the same page.
    PageBusy,
    /// Until the worker ran again.
    Wake,
    /// Twins made, and what was written found and put into copies.
    Diffs,
}

impl Part {
    /// All of them.
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

    /// Its name in records.
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

    /// Its name in texts.
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

/// The time of a stop by parts, in the order of [`Part::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop(pub [Span; Part::ALL.len()]);

impl Stop {
    /// Adds to a part.
    pub fn add(&mut self, part: Part, span: Span) {
        self.0[part as usize] += span;
    }

    /// All parts together.
    pub fn total(&self) -> Span {
        self.0.iter().fold(Span::ZERO, |sum, part| sum + *part)
    }

    /// Makes the parts sum to a total. What is missing goes to a part; what is too much, because the page came unasked
    /// while a request was under way, is taken off the way of that request.
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
