//! Reasons that the time of a run goes to, from watching it once.
//!
//! | file | what |
//! |---|---|
//! | `reason` | reasons for which time passes |
//! | `history` | the time of all threads in one phase |
//! | `waits` | waits go to whoever is waited for |
//! | `path` | the critical path |
//! | `origins` | where data came from, and how long its lines took |
//! | `alone` | time during which one thread works |
//!
//! A phase is kept until the next one begins, and is then added up: threads come out of a phase together.

mod alone;
mod history;
mod origins;
mod path;
mod reason;
mod waits;

pub use origins::Origins;
pub use reason::{Kind, Reason};

use history::{History, Release, ThreadHistory};
use numalab_machine::{Closeness, Fabric, NodeId, ResourceId};
use numalab_simulator::{Activity, BookedSpan, Cause, Observer, Portion, Served, Team};
use numalab_units::{Span, ThreadId, Time};
use numalab_workload::RegionId;
use reason::Reasons;

/// Time that goes to a reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Time of the threads to which it happened.
    pub own_ps: u128,
    /// Time of those who waited for them meanwhile.
    pub waited_ps: u128,
    /// Part of the critical path.
    pub path_ps: u64,
}

/// A measured phase, all its repeats and rounds together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedPhase {
    /// Its name.
    pub name: String,
    /// Its time.
    pub time: Span,
    /// Time of it in which at most one thread did not wait for others.
    pub alone: Span,
    /// Time of all threads that did not wait.
    pub busy_ps: u128,
}

/// A resource in a phase: from when to when it delayed somebody, in time of the measured phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delaying {
    /// The phase.
    pub phase: u32,
    /// The resource.
    pub resource: ResourceId,
    /// First time.
    pub from: Time,
    /// Last time.
    pub to: Time,
}

/// Watcher of a run.
pub struct Watch<'a> {
    fabric: &'a Fabric,
    nodes: Vec<NodeId>,
    reasons: Reasons,
    shares: Vec<Share>,
    phases: Vec<WatchedPhase>,
    delaying: Vec<Delaying>,
    /// The present phase, if it is measured.
    now: Option<u32>,
    history: History,
    present: Vec<Present>,
    handed_over: u64,
    origins: Origins,
    /// Start of the measured phases.
    first: Option<Time>,
}

/// Facts about a thread's next spans.
#[derive(Clone, Debug, Default)]
struct Present {
    /// Bytes by region and level, in order.
    data: Vec<(RegionId, Option<Closeness>, u64)>,
    release: Option<Release>,
}

/// Sums of a run that was watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Measured phases, in the order in which they were met first.
    pub phases: Vec<WatchedPhase>,
    /// Every reason with what goes to it, in the order in which they occurred.
    pub shares: Vec<(Reason, Share)>,
    /// Times at which resources delayed somebody.
    pub delaying: Vec<Delaying>,
    /// Number of times that the critical path goes from one thread to another.
    pub handed_over: u64,
    /// Origins of data.
    pub origins: Origins,
}

impl<'a> Watch<'a> {
    /// Creates the watch of a team on a machine.
    pub fn new(fabric: &'a Fabric, team: &Team) -> Watch<'a> {
        let threads = team.members.len();
        Watch {
            fabric,
            nodes: team.members.iter().map(|member| member.node).collect(),
            reasons: Reasons::default(),
            shares: Vec::new(),
            phases: Vec::new(),
            delaying: Vec::new(),
            now: None,
            history: History { began: Time::ZERO, threads: vec![ThreadHistory::default(); threads] },
            present: vec![Present::default(); threads],
            handed_over: 0,
            origins: Origins::default(),
            first: None,
        }
    }

    /// The run is over.
    pub fn finish(mut self) -> Watched {
        self.end_phase();
        let reasons = self.reasons.all().iter().copied();
        Watched {
            phases: self.phases,
            shares: reasons.zip(self.shares).collect(),
            delaying: self.delaying,
            handed_over: self.handed_over,
            origins: self.origins,
        }
    }

    /// Adds up the phase that is over.
    fn end_phase(&mut self) {
        let Some(phase) = self.now.take() else { return };
        let Watch { history, shares, reasons, phases, .. } = self;
        shares.resize(reasons.all().len(), Share::default());
        let mut busy = 0;
        for (thread, own) in history.threads.iter().enumerate() {
            for (at, piece) in own.pieces.iter().enumerate().filter(|(_, piece)| !piece.idle) {
                let time = u128::from((piece.to - history.from(thread, at)).0);
                shares[piece.reason as usize].own_ps += time;
                busy += time;
            }
        }
        waits::pass_on(history, |reason, waited| shares[reason as usize].waited_ps += waited);
        self.handed_over += path::critical_path(history, |reason, ps| shares[reason as usize].path_ps += ps);
        let phase = &mut phases[phase as usize];
        phase.time += history.end() - history.began;
        phase.alone += alone::alone(history);
        phase.busy_ps += busy;
        history.threads.iter_mut().for_each(ThreadHistory::clear);
    }

    /// Notes that a resource delayed somebody.
    fn delays(&mut self, phase: u32, resource: ResourceId, from: Time, to: Time) {
        let start = self.first.unwrap_or(Time::ZERO);
        let (from, to) = (Time((from - start).0), Time((to - start).0));
        match self.delaying.iter_mut().find(|known| (known.phase, known.resource) == (phase, resource)) {
            Some(known) => (known.from, known.to) = (known.from.min(from), known.to.max(to)),
            None => self.delaying.push(Delaying { phase, resource, from, to }),
        }
    }

    /// Divides a span among the data that it is about.
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
        // A stream of nobody's data.
        if total == 0 {
            let reason = self.reasons.number(Reason { phase, kind, region: None, level: None, limit });
            self.history.threads[thread].add(span.to, reason, false, None);
        }
        self.present[thread].data = data;
    }
}

/// End of a thread's last piece.
fn history_end(history: &History, thread: usize) -> Time {
    history.threads[thread].pieces.last().map_or(history.began, |last| last.to)
}

impl Observer for Watch<'_> {
    fn phase(&mut self, name: &str, measured: bool, at: Time) {
        self.end_phase();
        self.present.iter_mut().for_each(|present| *present = Present::default());
        if !measured {
            return;
        }
        self.first.get_or_insert(at);
        self.history.began = at;
        let known = self.phases.iter().position(|phase| phase.name == name);
        let number = known.unwrap_or_else(|| {
            let name = name.to_owned();
            self.phases.push(WatchedPhase { name, time: Span::ZERO, alone: Span::ZERO, busy_ps: 0 });
            self.phases.len() - 1
        });
        self.now = Some(number as u32);
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        if self.now.is_none() {
            return;
        }
        self.origins.portions(portions);
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
            self.origins.served(self.fabric, self.nodes[served.thread.index()], &served);
        }
    }

    fn released(&mut self, thread: ThreadId, by: ThreadId, at: Time) {
        self.present[thread.index()].release = Some(Release { by, at });
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
            Cause::NoWork => (Kind::NoWork, release),
        };
        let reason = self.reasons.number(plain(kind));
        let idle = span.activity == Activity::Idle;
        self.history.threads[span.thread.index()].add(span.to, reason, idle, release);
    }
}
