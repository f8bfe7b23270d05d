//! Counts of a node, and the parts of a worker's stop.

use crate::network::MessageKind;
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

/// Counts of one node so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Read faults of its workers.
    pub read_faults: u64,
    /// Write faults without a copy.
    pub write_faults: u64,
    /// Write faults on a copy to read.
    pub upgrades: u64,
    /// Faults on pages that it had, which were marked so that their use is learned.
    pub marked_faults: u64,
    /// Pages that it sent unasked.
    pub presends: u64,
    /// Pages that were sent to it unasked.
    pub ahead: u64,
    /// Those among them that it used, without a fault or with one for the right to write.
    pub ahead_used: u64,
    /// Those among them that it faulted on while they were on their way.
    pub ahead_late: u64,
    /// Faults by the row of their page, up to the last row that had any.
    pub by_row: Vec<u64>,
    /// Copies that it was told to drop.
    pub invalidations: u64,
    /// Twins that it made before it wrote.
    pub twins: u64,
    /// Times that it found what it had written in a page.
    pub diffs: u64,
    /// Pages that it was told others have written.
    pub notices: u64,
    /// Messages sent by kind, in the order of [`MessageKind::ALL`].
    pub messages: [u64; MessageKind::ALL.len()],
    /// Bytes sent.
    pub bytes: u64,
    /// Messages received.
    pub received: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Messages that it sent again, since they were lost.
    pub resent: u64,
    /// Time that its daemon served messages.
    pub daemon_busy: Span,
}

impl NodeCounts {
    /// Adds what happened between two readings, so often.
    pub fn grow(&mut self, before: &NodeCounts, after: &NodeCounts, times: u64) {
        let NodeCounts {
            read_faults,
            write_faults,
            upgrades,
            marked_faults,
            presends,
            ahead,
            ahead_used,
            ahead_late,
            by_row,
            invalidations,
            twins,
            diffs,
            notices,
            messages,
            bytes,
            received,
            bytes_received,
            resent,
            daemon_busy,
        } = after;
        self.read_faults += times * (read_faults - before.read_faults);
        self.write_faults += times * (write_faults - before.write_faults);
        self.upgrades += times * (upgrades - before.upgrades);
        self.marked_faults += times * (marked_faults - before.marked_faults);
        self.presends += times * (presends - before.presends);
        self.ahead += times * (ahead - before.ahead);
        self.ahead_used += times * (ahead_used - before.ahead_used);
        self.ahead_late += times * (ahead_late - before.ahead_late);
        self.by_row.resize(self.by_row.len().max(by_row.len()), 0);
        for (row, (sum, after)) in self.by_row.iter_mut().zip(by_row).enumerate() {
            *sum += times * (after - before.by_row.get(row).copied().unwrap_or(0));
        }
        self.invalidations += times * (invalidations - before.invalidations);
        self.twins += times * (twins - before.twins);
        self.diffs += times * (diffs - before.diffs);
        self.notices += times * (notices - before.notices);
        for ((sum, before), after) in self.messages.iter_mut().zip(before.messages).zip(messages) {
            *sum += times * (after - before);
        }
        self.bytes += times * (bytes - before.bytes);
        self.received += times * (received - before.received);
        self.bytes_received += times * (bytes_received - before.bytes_received);
        self.resent += times * (resent - before.resent);
        self.daemon_busy += times * (*daemon_busy - before.daemon_busy);
    }
}
