//! Accounts of every picosecond of every thread: all time is booked here, with its cause.

// Glossary: stall: Activity of waiting for data.

// Glossary: overhead: Activity of the runtime and of the operating system for the program.

// Glossary: idle: Activity of waiting for other threads, or for work.

// Glossary: compute: Activity of executing instructions.

// Glossary: booking: Entry of a part of a thread's time under an activity and a cause; all of a run's time
//   is booked in one function.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::{BookedSpan, Listener, Served};
use crate::account::outcome::{Losses, NodeSums};
use crate::engine::team_state::Latest;
use crate::flow::origin::Blends;
use crate::flow::pace::Pace;
use crate::plan::{CachedData, DataStream};
use numalab_base::{Bytes, Span, ThreadId, Time};
use numalab_counts::{BytesByLevel, Count};
use numalab_dsm::{Part, Stop};
use numalab_machine::{Closeness, Fabric, NodeId};

// Glossary: activity: Account that a part of a thread's time goes to: computing, stall, overhead or idle.
// Glossary: ledger: Four accounts of one thread's time; they sum to the makespan exactly.
/// Times and counts of one thread. `compute + stall + overhead + idle` is the time of the phases so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub compute: Span,
    pub stall: Span,
    pub overhead: Span,
    pub idle: Span,
    /// Time for which page faults on software-shared pages stopped the thread, by component; included in `stall`.
    /// `None` before the first such fault.
    pub stop: Option<Box<Stop>>,
    /// Time that the thread's work would take alone on the machine, with local data.
    pub sequential: Span,
    pub iterations: u64,
    pub stolen: u64,
    /// Bytes of streams, and time of streaming them without faults, by home node.
    pub by_node: NodeSums,
    /// Bytes from memory or from another socket's cache.
    pub streamed: u64,
    /// `streamed` by the closest level that the thread shares with the bytes' homes.
    pub by_level: BytesByLevel,
    /// Bytes from the core's own caches.
    pub cached: u64,
    /// Computing on `cached` bytes that is not booked yet: it fills the waits for later streams.
    owed: Span,
}

impl Ledger {
    /// Sum of the four accounts.
    pub fn total(&self) -> Span {
        self.compute + self.stall + self.overhead + self.idle
    }

    /// Account of an activity.
    pub fn account(&mut self, activity: Activity) -> &mut Span {
        match activity {
            Activity::Compute => &mut self.compute,
            Activity::Stall => &mut self.stall,
            Activity::Overhead => &mut self.overhead,
            Activity::Idle => &mut self.idle,
        }
    }

    pub fn owed(&self) -> Span {
        self.owed
    }

    /// Ledger for the next part of the run: empty except for `owed`.
    pub fn next(&self) -> Ledger {
        Ledger { owed: self.owed, ..Ledger::default() }
    }

    /// Adds the ledger of a later part of the run `times` times. `owed` is replaced by `other.owed`.
    pub fn add(&mut self, other: &Ledger, times: u64) {
        let Ledger {
            compute,
            stall,
            overhead,
            idle,
            stop,
            sequential,
            iterations,
            stolen,
            by_node,
            streamed,
            by_level,
            cached,
            owed,
        } = other;
        self.owed = *owed;
        self.compute += times * *compute;
        self.stall += times * *stall;
        self.overhead += times * *overhead;
        self.idle += times * *idle;
        if let Some(stop) = stop {
            Part::ALL.into_iter().for_each(|part| self.stopped(part, times * stop.0[part as usize]));
        }
        self.sequential += times * *sequential;
        self.iterations += times * iterations;
        self.stolen += times * stolen;
        for (node, bytes, time) in by_node.parts() {
            self.by_node.add(node, times * bytes, times * time);
        }
        self.streamed += times * streamed;
        self.by_level.add(&by_level.times(times));
        self.cached += times * cached;
    }

    /// Adds `span` to one component of the time for which page faults stopped the thread.
    pub fn stopped(&mut self, part: Part, span: Span) {
        self.stop.get_or_insert_default().add(part, span);
    }

    pub fn bytes(&self) -> Bytes {
        Bytes(self.streamed + self.cached)
    }
}

/// Time of a stream without contention, and the causes for which its thread waited.
pub(crate) struct Waited<'s> {
    /// Seconds per byte without contention.
    pub unhindered: f64,
    /// Parts of the wait by cause; empty without an observer. `rest` is the cause of the remainder.
    pub delays: &'s [(Cause, Span)],
    pub rest: Cause,
    /// Mean time from the request of a line to its arrival; zero without an observer.
    pub line: Span,
}

/// Ledgers of the run's threads, losses of the present phase, and the observer.
pub(crate) struct Books<'w, O> {
    pub ledgers: &'w mut [Ledger],
    /// Time lost in the present phase, by cause.
    pub losses: &'w mut Losses,
    pub observer: &'w mut O,
}

impl<O: Listener> Books<'_, O> {
    /// Ledger of a thread, to change its counters. Time goes through [`Books::book`].
    pub fn ledger(&mut self, thread: u32) -> &mut Ledger {
        &mut self.ledgers[thread as usize]
    }

    /// Books time of a thread. All time is booked here.
    pub fn book(&mut self, thread: u32, activity: Activity, Interval { from, to }: Interval, cause: Cause) {
        *self.ledgers[thread as usize].account(activity) += to - from;
        // A stall for a fault is a wait for the lock of a node's free pages, whose loss the solver sums.
        if activity != Activity::Stall || cause != Cause::Fault {
            self.losses.booked(cause, to - from);
        }
        if O::ACTIVE && to > from {
            let thread = ThreadId::new(thread);
            self.observer.span(BookedSpan { thread, activity, cause, from, to });
        }
    }

    /// Books computing that touches no memory. `core_mates`: number of threads that share the core evenly, this one
    /// included.
    pub fn computed(&mut self, thread: u32, during: Interval, core_mates: u32) {
        self.ledgers[thread as usize].sequential += Span(during.length().0 / u64::from(core_mates));
        self.book(thread, Activity::Compute, during, Cause::Instructions);
    }

    /// Books a stream of a thread on `node`. Of each byte's time `pace.compute` is computing, `pace.faulting` is the
    /// operating system's, and the rest is waiting. Owed computing on cached data takes the place of waiting.
    pub fn streamed(
        &mut self,
        thread: u32,
        during: Interval,
        (stream, pace): (&DataStream, Pace),
        (node, fabric): (NodeId, &Fabric),
        blends: &Blends,
        Waited { unhindered, delays, rest, line }: Waited<'_>,
    ) {
        let took = during.length();
        let faulting = seconds(pace.faulting, stream.bytes).min(took);
        let own = seconds(pace.compute, stream.bytes).min(took - faulting);
        let ledger = &mut self.ledgers[thread as usize];
        ledger.sequential += seconds(pace.alone, stream.bytes);
        // Computing that is owed for cached data fills the wait.
        let owed = ledger.owed.min(took - faulting - own);
        ledger.owed -= owed;
        ledger.streamed += stream.bytes;
        let mut level = Closeness::Node;
        blends.divide(stream.origin, stream.bytes, |home, bytes| {
            ledger.by_node.add(home.0, bytes, 0);
            let closest = if home == node { Closeness::Node } else { fabric.closest(node, home) };
            level = level.max(closest);
            *at_level(&mut ledger.by_level, (home.0 < fabric.nodes()).then_some(closest)) += bytes;
            if O::ACTIVE {
                let Interval { from, to } = during;
                self.observer.served(Served { thread: ThreadId::new(thread), home, bytes, line, from, to });
            }
        });
        blends.divide(stream.origin, (took - faulting).0, |home, took| {
            ledger.by_node.add(home.0, 0, took);
        });
        let alone = seconds(unhindered, stream.bytes).min(took);
        self.losses.latency(level, alone - (faulting + own + owed).min(alone));
        let worked = [
            (Activity::Overhead, faulting, Cause::Fault),
            (Activity::Compute, own + owed, Cause::Instructions),
        ];
        let mut from = self.in_turn(thread, during.from, worked);
        for &(cause, late) in delays {
            let to = from + late.min(during.to - from);
            self.book(thread, Activity::Stall, Interval { from, to }, cause);
            from = to;
        }
        self.book(thread, Activity::Stall, Interval { from, to: during.to }, rest);
    }

    /// Books page copies by the operating system. `alone`: their time without contention.
    pub fn copied(&mut self, thread: u32, during: Interval, alone: Span) {
        self.book(thread, Activity::Overhead, during, Cause::Kernel);
        // Time beyond `alone` is lost to full resources; the solver knows the share of each resource.
        self.losses.spare(Cause::Kernel, during.length() - alone.min(during.length()));
    }

    /// Books bytes from one of the core's own caches. The span `cached.hidden` overlaps with other waits.
    pub fn cached(&mut self, thread: u32, during: Interval, cached: CachedData, pace: Pace) {
        let CachedData { cache, demand: _, bytes, hidden } = cached;
        let took = during.length();
        let compute = seconds(pace.compute, bytes);
        let alone = seconds(pace.alone, bytes);
        let ledger = &mut self.ledgers[thread as usize];
        ledger.sequential += alone.max(hidden) - hidden;
        ledger.owed += (compute - compute.min(took)).min(hidden);
        ledger.cached += bytes;
        let computing = [(Activity::Compute, compute.min(took), Cause::Instructions)];
        let from = self.in_turn(thread, during.from, computing);
        self.book(thread, Activity::Stall, Interval { from, to: during.to }, Cause::Cache(cache));
    }

    /// Books consecutive spans. Returns the end of the last.
    fn in_turn<const N: usize>(
        &mut self,
        thread: u32,
        mut from: Time,
        parts: [(Activity, Span, Cause); N],
    ) -> Time {
        for (activity, span, cause) in parts {
            self.book(thread, activity, Interval { from, to: from + span }, cause);
            from += span;
        }
        from
    }

    /// Reports to the observer that thread `by` ended a wait of `thread`. Called before the wait is booked.
    pub fn released(&mut self, thread: u32, by: u32, at: Time) {
        if O::ACTIVE && by != thread {
            self.observer.released(ThreadId::new(thread), ThreadId::new(by), at);
        }
    }

    /// Books a meeting whose end is known: idle until the last arrival, then overhead of the meeting.
    pub fn met(&mut self, thread: u32, during: Interval, last: Latest) {
        self.released(thread, last.thread, last.at);
        let last = last.at.clamp(during.from, during.to);
        self.book(thread, Activity::Idle, Interval { from: during.from, to: last }, Cause::Barrier);
        self.book(thread, Activity::Overhead, Interval { from: last, to: during.to }, Cause::Runtime);
    }
}

/// Counter of bytes from homes at `level`; `None`: homes without processors.
fn at_level(bytes: &mut BytesByLevel, level: Option<Closeness>) -> &mut u64 {
    match level {
        None => &mut bytes.memory_only,
        Some(Closeness::Node) => &mut bytes.node,
        Some(Closeness::Socket) => &mut bytes.socket,
        Some(Closeness::Board) => &mut bytes.board,
        Some(Closeness::Machine) => &mut bytes.machine,
    }
}

/// `each` seconds for each of `bytes` bytes, rounded up to a picosecond.
fn seconds(each: f64, bytes: u64) -> Span {
    Span::from_secs_ceil(each * bytes as f64)
}
