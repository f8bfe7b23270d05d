//! Words that the threads of all loops share, and the locations of the threads.

use super::asking::Answer;
use crate::random::Case;
use numalab_base::{Span, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_des::{Domain, Streams};
use numalab_machine::{Fabric, NodeId, ResourceId};
use numalab_openmp::Proximity;
use numalab_runtime::constructs::{DynamicCounter, GuidedCounter, StealRanges};
use numalab_runtime::{CodeId, Exec};
use numalab_workload::Phase;

/// Case with its fabric. Tells policies the distances between threads.
pub struct Party<'a> {
    pub case: &'a Case,
    pub fabric: &'a Fabric,
}

impl Party<'_> {
    pub fn streams(&self) -> Streams {
        Streams::of_replica(self.case.seed, self.case.replica)
    }

    /// Even number from 0 to 1 by which a time of a phase varies in a replica; `None` in the nominal run.
    pub fn noise<const N: usize>(&self, phase: &Phase, key: [u64; N]) -> Option<f64> {
        let of_phase = self.streams().part(phase.name.bytes().map(u64::from));
        (self.case.replica > 0).then(|| of_phase.even(Domain::Noise, key))
    }
}

/// Shared words of every policy, on an engine of line transactions.
pub struct Words<'a> {
    pub exec: Exec<'a>,
    /// Time that lines wait because of flows, by resource.
    waits: Vec<(ResourceId, Span)>,
    /// Start of the current loop.
    pub began: Time,
    added: DynamicCounter,
    swapped: GuidedCounter,
    ranges: StealRanges,
}

impl<'a> Words<'a> {
    pub fn new(party: &Party<'a>) -> Words<'a> {
        let mut exec = Exec::new(&party.case.machine, party.fabric);
        exec.vary(party.streams().stream(Domain::Requests, 0));
        let members = &party.case.team.members;
        for member in members {
            exec.add_agent(member.core);
        }
        let home = members[0].node;
        Words {
            waits: Vec::new(),
            began: Time::ZERO,
            added: DynamicCounter::new(&mut exec, home),
            swapped: GuidedCounter::new(&mut exec, home),
            ranges: StealRanges::new(&mut exec, members.iter().map(|member| member.node)),
            exec,
        }
    }

    pub fn add(&mut self, thread: usize, now: Time) -> Answer {
        self.start(thread, self.added.next(), &[1], now)
    }

    pub fn read(&mut self, thread: usize, now: Time) -> Answer {
        self.start(thread, self.swapped.load(), &[], now)
    }

    pub fn swap(&mut self, thread: usize, expected: u64, now: Time) -> Answer {
        self.start(thread, self.swapped.advance(), &[expected, expected + 1], now)
    }

    pub fn take_from(&mut self, thread: usize, victim: u32, now: Time) -> Answer {
        self.start(thread, self.ranges.take(), &[u64::from(victim)], now)
    }

    /// Records that a thread has computed since `since`, and begins another activity now.
    pub fn computed(&mut self, thread: usize, since: Time) {
        let since = self.began + (since - Time::ZERO);
        self.exec.began_to_compute(AgentId::new(thread as u32), Time(since.0));
    }

    fn start(&mut self, thread: usize, code: CodeId, arguments: &[u64], now: Time) -> Answer {
        let clock = self.began + (now - Time::ZERO);
        self.exec.start(Time(clock.0), AgentId::new(thread as u32), code, arguments);
        Answer::Program
    }

    /// Sets the time that lines wait at the resources in `waits`, and zero at all other resources.
    pub fn load(&mut self, waits: Vec<(ResourceId, Span)>) {
        for (resource, _) in std::mem::take(&mut self.waits) {
            self.exec.load(resource, Span::ZERO);
        }
        for &(resource, wait) in &waits {
            self.exec.load(resource, wait);
        }
        self.waits = waits;
    }

    /// Runs programs until one or more end, at most up to `then`. Returns the instant, and thread and result of each
    /// program that ended; `None` if none ended.
    pub fn ended(&mut self, then: Option<Time>) -> Option<(Time, Vec<(usize, u64)>)> {
        let mut ended = Vec::new();
        let until = then.map_or(u64::MAX, |then| self.began.0 + then.0);
        self.exec.advance(Time(until), &mut ended);
        let at = Time((ended.first()?.at - self.began).0);
        Some((at, ended.iter().map(|end| (end.agent.index(), end.result)).collect()))
    }
}

impl Party<'_> {
    fn node(&self, thread: usize) -> NodeId {
        self.case.team.members[thread].node
    }

    /// Time to read a line of every thread, as many at a time as the core keeps in flight.
    pub fn scan(&self, thread: usize) -> Span {
        let line = |other| self.fabric.line_latency(self.node(thread), self.node(other));
        let lines = || (0..self.case.team.members.len()).map(line);
        let longest = lines().max().unwrap_or_default();
        let Span(sum) = lines().sum();
        longest.max(Span((sum as f64 / self.case.machine.core.outstanding).ceil() as u64))
    }
}

impl Proximity for Party<'_> {
    fn domains(&self) -> u32 {
        self.fabric.nodes()
    }

    fn domain(&self, thread: ThreadId) -> u32 {
        self.node(thread.index()).0
    }

    fn distance(&self, from: u32, to: u32) -> u64 {
        self.fabric.line_latency(NodeId(from), NodeId(to)).0
    }
}
