//! Blame: assigns the time of a watched run to reasons.
//!
//! | file | what |
//! |---|---|
//! | `reason` | reasons for which time passes |
//! | `history` | time of all threads in one phase |
//! | `waits` | waits, passed on to the thread that is waited for |
//! | `path` | critical path |
//! | `origins` | origins of data and times of lines |
//! | `alone` | time in which only one thread works |
//! | `sums` | sums of the observations |
//!
//! A phase is kept until the next one begins and is then added up: threads leave a phase together. Where phases share a
//! parallel region, threads may go on to the next one earlier. Such a region is kept until its threads have met, and is then cut at
//! the instants at which its phases began.

// Glossary: blame: Share of the threads' time that has one cause, waits of other threads for it included.

mod alone;
mod history;
mod origins;
mod path;
mod reason;
mod sums;
mod waits;

pub use origins::Origins;
pub use reason::{Kind, Reason};

use history::{History, Release, ThreadHistory};
use numalab_base::{Span, ThreadId, Time};
use numalab_machine::{Closeness, Fabric, NodeId, ResourceId};
use numalab_simulator::{Activity, BookedSpan, Cause, Member, Observer, Portion, Served, Team};
use numalab_workload::RegionId;
use reason::Reasons;
use sums::Sums;

/// Time that goes to one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Time that threads themselves spent for the reason, in picoseconds.
    pub own_ps: u128,
    /// Time that other threads waited for a thread while it spent time for the reason, in picoseconds.
    pub waited_ps: u128,
    /// Time spent for the reason on the critical path, in picoseconds.
    pub path_ps: u64,
}

/// Measured phase, summed over its repeats and rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedPhase {
    pub name: String,
    /// Time of the phase, summed over its executions.
    pub time: Span,
    /// Time of the phase in which at most one thread did not wait for others.
    pub alone: Span,
    /// Sum over all threads of the time in which the thread did not wait for others, in picoseconds.
    pub busy_ps: u128,
}

/// Interval in which a resource delayed threads in a phase, on the clock of the measured phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delaying {
    pub phase: u32,
    pub resource: ResourceId,
    /// Start of the first delay.
    pub from: Time,
    /// End of the last delay.
    pub to: Time,
}

/// Observer that assigns the time of a run to reasons.
pub struct Watch<'a> {
    fabric: &'a Fabric,
    nodes: Vec<NodeId>,
    reasons: Reasons,
    /// Names of the measured phases, in the order of their first execution.
    names: Vec<String>,
    sums: Sums,
    /// Values of `sums` at the start of each open period, innermost period last. A period is a repetition that the
    /// engine simulates once and then counts.
    before: Vec<Sums>,
    /// Time of periods that the engine counted instead of simulating.
    counted: Span,
    /// Index of the present phase, or of the first phase of the present region; `None` if it is not measured.
    now: Option<u32>,
    /// Later phases of the present region: their starts, and their indices or `None` if they are not measured.
    later: Vec<(Time, Option<u32>)>,
    history: History,
    present: Vec<Present>,
    /// Start of the measured phases.
    first: Option<Time>,
}

/// Data and release that the engine has reported before the span to which they belong.
#[derive(Clone, Debug, Default)]
struct Present {
    /// Bytes by region and by the closest level that thread and data share, in the order of arrival.
    data: Vec<(RegionId, Option<Closeness>, u64)>,
    release: Option<Release>,
}

/// Sums of a watched run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Measured phases, in the order of their first execution.
    pub phases: Vec<WatchedPhase>,
    /// Time of every reason, in the order of first occurrence.
    pub shares: Vec<(Reason, Share)>,
    /// Intervals in which resources delayed threads.
    pub delaying: Vec<Delaying>,
    /// Number of times that the critical path goes to another thread.
    pub handed_over: u64,
    /// Bytes of the accessed data by home node, and by distance and time.
    pub origins: Origins,
}

impl<'a> Watch<'a> {
    pub fn new(fabric: &'a Fabric, team: &Team) -> Watch<'a> {
        let threads = team.members.len();
        Watch {
            fabric,
            nodes: team.members.iter().map(|member| member.node).collect(),
            reasons: Reasons::default(),
            names: Vec::new(),
            sums: Sums::default(),
            before: Vec::new(),
            counted: Span::ZERO,
            now: None,
            later: Vec::new(),
            history: History { began: Time::ZERO, threads: vec![ThreadHistory::default(); threads] },
            present: vec![Present::default(); threads],
            first: None,
        }
    }

    /// Ends the observation. Returns the sums of the run.
    pub fn finish(mut self) -> Watched {
        self.end_phase();
        let Watch { reasons, names, mut sums, .. } = self;
        let phase = |(number, name): (u32, String)| {
            let sums::PhaseSums { time, alone, busy_ps } = *sums.phase(number);
            WatchedPhase { name, time, alone, busy_ps }
        };
        let phases = (0..).zip(names).map(phase).collect();
        let shares = (0..).zip(reasons.all()).map(|(number, reason)| (*reason, *sums.share(number)));
        // Reasons of a region's first phase may belong to later ones alone.
        let shares = shares.filter(|(_, share)| *share != Share::default()).collect();
        Watched {
            phases,
            shares,
            delaying: sums.delaying,
            handed_over: sums.handed_over,
            origins: sums.origins,
        }
    }

    /// Adds up the phase that has ended, or the phases of the region, and clears their history.
    fn end_phase(&mut self) {
        let Some(first) = self.now.take() else { return };
        let later = std::mem::take(&mut self.later);
        if later.is_empty() {
            self.sums.add_phase(first, &self.history);
        } else {
            let begins = std::iter::once((self.history.began, Some(first))).chain(later.iter().copied());
            let ends = later.iter().map(|next| next.0).chain([self.history.end()]);
            for ((from, phase), to) in begins.zip(ends) {
                let Some(phase) = phase else { continue };
                let reasons = &mut self.reasons;
                let part = self.history.part(from, to, |reason| reasons.in_phase(reason, phase));
                self.sums.add_phase(phase, &part);
            }
        }
        self.history.threads.iter_mut().for_each(ThreadHistory::clear);
    }

    /// Index of a measured phase by its name.
    fn number(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        number as u32
    }

    /// Notes that a resource delayed a thread.
    fn delays(&mut self, phase: u32, resource: ResourceId, from: Time, to: Time) {
        let start = self.first.unwrap_or(Time::ZERO);
        let since = |at: Time| Time((at - start + self.counted).0);
        self.sums.delays(phase, resource, since(from), since(to));
    }

    /// Divides a span among the data that the thread accessed in it, by bytes.
    fn about_data(&mut self, phase: u32, kind: Kind, limit: Option<ResourceId>, span: BookedSpan) {
        let thread = span.thread.index();
        let data = std::mem::take(&mut self.present[thread].data);
        let total: u128 = data.iter().map(|part| u128::from(part.2)).sum();
        let length = u128::from((span.to - span.from).0);
        let mut before = 0;
        for &(region, level, bytes) in &data {
            before += u128::from(bytes);
            let to = Time(span.from.0 + (length * before / total.max(1)) as u64);
            let reason = self.reasons.number(Reason { phase, kind, region: Some(region), level, limit });
            if history_end(&self.history, thread) < to {
                self.history.threads[thread].add(to, reason, false, None);
            }
        }
        // The engine has reported no data for the span.
        if total == 0 {
            let reason = self.reasons.number(Reason { phase, kind, region: None, level: None, limit });
            self.history.threads[thread].add(span.to, reason, false, None);
        }
        self.present[thread].data = data;
    }
}

/// End of the last piece of a thread's history.
fn history_end(history: &History, thread: usize) -> Time {
    history.threads[thread].pieces.last().map_or(history.began, |last| last.to)
}

impl Observer for Watch<'_> {
    fn phase(&mut self, name: &str, measured: bool, at: Time) {
        let has_met = |thread| history_end(&self.history, thread) == at;
        if self.now.is_some() && !(0..self.history.threads.len()).all(has_met) {
            let phase = measured.then(|| self.number(name));
            self.later.push((at, phase));
            return;
        }
        self.end_phase();
        self.present.iter_mut().for_each(|present| *present = Present::default());
        if !measured {
            return;
        }
        self.first.get_or_insert(at);
        self.history.began = at;
        self.now = Some(self.number(name));
    }

    fn team(&mut self, members: &[Member]) {
        self.nodes.iter_mut().zip(members).for_each(|(node, member)| *node = member.node);
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        if self.now.is_none() {
            return;
        }
        self.sums.origins.portions(portions);
        let node = self.nodes[thread.index()];
        let data = &mut self.present[thread.index()].data;
        data.clear();
        for portion in portions {
            let level = portion.home.map(|home| self.fabric.closest(node, home));
            match data.iter_mut().find(|part| (part.0, part.1) == (portion.region, level)) {
                Some(part) => part.2 += portion.bytes,
                None => data.push((portion.region, level, portion.bytes)),
            }
        }
    }

    fn served(&mut self, served: Served) {
        if self.now.is_some() {
            self.sums.origins.served(self.fabric, self.nodes[served.thread.index()], &served);
        }
    }

    fn released(&mut self, thread: ThreadId, by: ThreadId, at: Time) {
        self.present[thread.index()].release = Some(Release { by, at });
    }

    fn counts_periods(&self) -> bool {
        true
    }

    fn period_begins(&mut self) {
        self.end_phase();
        self.before.push(std::mem::take(&mut self.sums));
    }

    fn period_ends(&mut self, more: u64, each: Span) {
        self.end_phase();
        let Some(before) = self.before.pop() else { return };
        let period = std::mem::replace(&mut self.sums, before);
        self.sums.add(&period, more, each);
        if self.first.is_some() {
            self.counted += more * each;
        }
    }

    fn span(&mut self, span: BookedSpan) {
        let Some(phase) = self.now else { return };
        let release = self.present[span.thread.index()].release.take();
        let plain = |kind| Reason { phase, kind, region: None, level: None, limit: None };
        let (kind, release) = match span.cause {
            Cause::Memory { limit, .. } => {
                if let Some(resource) = limit {
                    self.delays(phase, resource, span.from, span.to);
                }
                return self.about_data(phase, Kind::Memory, limit, span);
            }
            Cause::Cache(cache) => return self.about_data(phase, Kind::Cache(cache), None, span),
            Cause::Fault => return self.about_data(phase, Kind::Fault, None, span),
            Cause::Page(part) => (Kind::Page(part), None),
            Cause::Instructions => (Kind::Computing, None),
            Cause::Kernel => (Kind::Kernel, None),
            Cause::Scanner => (Kind::Scanner, None),
            Cause::AddressSpace => (Kind::AddressSpace, release),
            Cause::Runtime | Cause::Barrier => (Kind::Runtime, release),
            Cause::Turn => (Kind::Turn, release),
            Cause::Line => (Kind::Line, release),
            Cause::NoWork => (Kind::NoWork, release),
        };
        let reason = self.reasons.number(plain(kind));
        let history = &mut self.history.threads[span.thread.index()];
        match release.filter(|release| span.cause == Cause::Turn && release.at > span.from) {
            // Before the release the time is a wait for the lock's holder; after it, the line is in transit.
            Some(release) => {
                let given = release.at.min(span.to);
                history.add(given, reason, true, Some(release));
                if given < span.to {
                    history.add(span.to, reason, false, None);
                }
            }
            None => history.add(span.to, reason, span.activity == Activity::Idle, release),
        }
    }
}
