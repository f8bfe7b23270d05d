//! What asking for work costs.

use crate::random::Case;
use numalab_machine::{Fabric, NodeId};
use numalab_openmp::{Exhausted, Proximity, Source};
use numalab_units::Span;

/// The team as policies see it, and the latencies between its threads.
pub struct Asking<'a> {
    pub case: &'a Case,
    pub fabric: &'a Fabric,
}

impl Asking<'_> {
    /// For a thread that got work.
    pub fn grant(&self, thread: usize, source: Source) -> Span {
        match source {
            Source::Own => Span::ZERO,
            Source::SharedCounter => self.line(thread, 0),
            Source::Victim { thread: victim, after_scan: false } => self.line(thread, victim as usize),
            Source::Victim { thread: victim, after_scan: true } => {
                self.scan(thread) + self.line(thread, victim as usize)
            }
        }
    }

    /// For a thread that got none.
    pub fn exhausted(&self, thread: usize, seen: Exhausted) -> Span {
        match seen {
            Exhausted::Own => Span::ZERO,
            Exhausted::SharedCounter => self.line(thread, 0),
            Exhausted::Scan => self.scan(thread),
        }
    }

    fn node(&self, thread: usize) -> NodeId {
        self.case.team.members[thread].node
    }

    /// A line that lives with another thread.
    fn line(&self, thread: usize, other: usize) -> Span {
        self.fabric.line_latency(self.node(thread), self.node(other))
    }

    /// A line of every thread, as many at a time as the core keeps in flight.
    fn scan(&self, thread: usize) -> Span {
        let lines = || (0..self.case.team.members.len()).map(|other| self.line(thread, other));
        let longest = lines().max().unwrap_or_default();
        let Span(sum) = lines().sum();
        longest.max(Span((sum as f64 / self.case.machine.core.outstanding).ceil() as u64))
    }
}

impl Proximity for Asking<'_> {
    fn domains(&self) -> u32 {
        self.fabric.nodes()
    }

    fn domain(&self, thread: u32) -> u32 {
        self.node(thread as usize).0
    }

    fn distance(&self, from: u32, to: u32) -> u64 {
        self.fabric.line_latency(NodeId(from), NodeId(to)).0
    }
}
