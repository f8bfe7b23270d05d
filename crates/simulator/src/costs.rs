//! What asking for work costs: the latency of the lines that a decision touched, along their routes.

use crate::team::Team;
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_openmp::{Exhausted, Source};
use numalab_units::Span;

pub(crate) struct Costs<'a> {
    fabric: &'a Fabric,
    team: &'a Team,
    /// Independent loads that a core keeps in flight.
    in_flight: f64,
    /// Threads on each node.
    threads: Vec<(NodeId, u32)>,
    /// Time to read the counters of all threads, by the reader's node, once somebody asked.
    scan: Vec<Option<Span>>,
}

impl<'a> Costs<'a> {
    pub fn new(machine: &Machine, fabric: &'a Fabric, team: &'a Team) -> Costs<'a> {
        let mut count = vec![0; fabric.nodes() as usize];
        for member in &team.members {
            count[member.node.0 as usize] += 1;
        }
        let threads = (0..fabric.nodes()).map(NodeId).zip(count).filter(|entry| entry.1 > 0).collect();
        let in_flight = machine.core.outstanding.max(1.0);
        Costs { fabric, team, in_flight, threads, scan: vec![None; fabric.nodes() as usize] }
    }

    /// For a thread that got work.
    pub fn grant(&mut self, thread: u32, source: Source) -> Span {
        match source {
            Source::Own => Span::ZERO,
            Source::SharedCounter => self.counter(thread),
            Source::Victim { thread: victim, after_scan } => {
                let scan = if after_scan { self.scan(thread) } else { Span::ZERO };
                scan + self.fabric.line_latency(self.node(thread), self.node(victim))
            }
        }
    }

    /// For a thread that got none.
    pub fn exhausted(&mut self, thread: u32, seen: Exhausted) -> Span {
        match seen {
            Exhausted::Own => Span::ZERO,
            Exhausted::SharedCounter => self.counter(thread),
            Exhausted::Scan => self.scan(thread),
        }
    }

    fn node(&self, thread: u32) -> NodeId {
        self.team.members[thread as usize].node
    }

    /// The shared counter lives where the thread that set the loop up runs: with thread 0.
    fn counter(&self, thread: u32) -> Span {
        self.fabric.line_latency(self.node(thread), self.node(0))
    }

    /// One line of every thread, independent of each other, so as many in flight as the core sustains.
    fn scan(&mut self, thread: u32) -> Span {
        let node = self.node(thread);
        *self.scan[node.0 as usize].get_or_insert_with(|| {
            let sum: u64 = self
                .threads
                .iter()
                .map(|(other, threads)| self.fabric.line_latency(node, *other).0 * u64::from(*threads))
                .sum();
            let longest = self.threads.iter().map(|(other, _)| self.fabric.line_latency(node, *other)).max();
            Span((sum as f64 / self.in_flight).ceil() as u64).max(longest.unwrap_or_default())
        })
    }
}
