//! State of a thread in a segment: its activity and its position in the script.

use crate::account::cause::Cause;
use crate::account::observer::Portion;
use crate::engine::script::{Level, Position};
use crate::engine::team_state::TeamState;
use crate::flow::carried::Carried;
use crate::flow::pace::Pace;
use crate::plan::{CachedData, DataPart, DataStream, GrantSizes, KernelLock, Step};
use numalab_base::{Snapshot, Span, Time};
use numalab_des::fluid::{ClassId, Delayed};
use std::ops::Range;

/// Present activity of a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doing {
    Nothing,
    /// Work of the runtime or the operating system.
    Overhead(Cause),
    /// Copies pages for the operating system; the span is the time without contention.
    Copying(Span),
    /// Makes up for time in which the thread's processor served a daemon, the scanner or `kswapd`.
    Interrupted,
    /// Waits for or holds a lock of the kernel.
    Locked(KernelLock),
    Compute,
    /// Receives bytes from one of the core's own caches.
    Cached(CachedData, Pace),
    /// Receives bytes from (and sends bytes to) an origin, as a flow of a class.
    Stream(DataStream, Pace, ClassId),
    /// Starts its part of a region late, in a perturbed replica.
    Starting,
    /// In a program of the runtime.
    Program,
    /// In a program that waits for a lock or a turn.
    Turn,
    /// In a program that releases a lock or passes a turn on: the program needs the line that all waiters poll.
    PassingOn,
    /// In an atomic operation or a store of the simulated program (constructs `atomic` and `update`) that needs a
    /// line.
    Line,
    /// Still in a program of the runtime that began in an earlier phase.
    Tail,
    /// Without work until another thread wakes it.
    Parked,
    /// Waits at a meeting without cost, or for a message of software shared memory.
    Meeting,
    /// Waits for a page of software shared memory.
    Paging,
}

/// Properties of an activity.
#[derive(Clone, Copy)]
pub(crate) struct DoingFacts {
    /// True if the activity ends by itself and its end is progress of the program.
    pub is_work: bool,
    /// True in a program of the runtime, which may last longer than its phase.
    pub is_program: bool,
    /// True for programs of locks and turns: the core predicts their outcome, and starts the following instructions
    /// before the activity ends.
    pub is_speculated_past: bool,
    /// True if the activity goes on while its processor is taken, and the thread makes up for the lost time
    /// afterwards.
    pub owes_time: bool,
    /// True if the activity can be cut and resumed on another processor: computing, and receiving data.
    pub is_movable: bool,
    /// Number of the activity in snapshots; `None` if no snapshot can be taken during the activity.
    snapshot: Option<i32>,
}

impl Doing {
    pub const fn facts(&self) -> DoingFacts {
        const PLAIN: DoingFacts = DoingFacts {
            is_work: false,
            is_program: false,
            is_speculated_past: false,
            owes_time: false,
            is_movable: false,
            snapshot: None,
        };
        const WORK: DoingFacts = DoingFacts { is_work: true, ..PLAIN };
        const PROGRAM: DoingFacts = DoingFacts { is_program: true, ..PLAIN };
        match self {
            Doing::Nothing => DoingFacts { snapshot: Some(0), ..PLAIN },
            Doing::Compute => DoingFacts { is_movable: true, snapshot: Some(1), ..WORK },
            Doing::Copying(_) => DoingFacts { owes_time: true, ..WORK },
            Doing::Overhead(_) | Doing::Interrupted => DoingFacts { owes_time: true, ..PLAIN },
            Doing::Cached(..) | Doing::Stream(..) => DoingFacts { owes_time: true, is_movable: true, ..WORK },
            Doing::Locked(_) => WORK,
            Doing::Paging => PLAIN,
            Doing::Program => DoingFacts { snapshot: Some(2), ..PROGRAM },
            Doing::Tail => DoingFacts { snapshot: Some(3), ..PROGRAM },
            Doing::Meeting => DoingFacts { snapshot: Some(4), ..PLAIN },
            Doing::Parked => DoingFacts { snapshot: Some(5), ..PLAIN },
            Doing::Turn => DoingFacts { is_speculated_past: true, snapshot: Some(6), ..PROGRAM },
            Doing::Starting => DoingFacts { owes_time: true, snapshot: Some(9), ..PLAIN },
            Doing::Line => DoingFacts { snapshot: Some(7), ..PROGRAM },
            Doing::PassingOn => DoingFacts { is_speculated_past: true, snapshot: Some(8), ..PROGRAM },
        }
    }
}

/// Meeting that a thread has reached, until it learns that all have arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub at: Time,
    pub level: Level,
    /// Number of the meeting, counted from 0 in the segment.
    pub meeting: u32,
}

/// Facts about a thread that only an observer needs.
#[derive(Default)]
pub(crate) struct Seen {
    /// Data of the iterations planned last.
    pub data: Vec<DataPart>,
    /// Delays of the class of the thread's stream when the stream began.
    pub delayed: Delayed,
    /// Thread that woke this thread to search for work, and when; `None` if no thread did.
    pub woken: Option<(u32, Time)>,
}

/// Facts about the stream that is being booked, for an observer.
#[derive(Default)]
pub(crate) struct Told {
    /// Causes of the wait for the stream, with the time lost to each cause.
    pub reasons: Vec<(Cause, Span)>,
    pub delayed: Delayed,
    pub portions: Vec<Portion>,
}

/// Thread of a segment: its activity, its position in the script, and its planned work.
pub(crate) struct Worker {
    pub doing: Doing,
    pub since: Time,
    /// End of the activity, if it ends by itself; can be postponed.
    pub until: Time,
    /// Time in which the thread's processor did other work while the thread's activity went on. The thread makes up
    /// for this time before its next activity.
    pub debt: Span,
    /// Time of the thread's last programs that overlaps with later work, since the core predicted the course of these
    /// programs and continued.
    pub foreseen: Span,
    pub seen: Seen,
    pub position: Position,
    /// Position of the thread's present phase among those that share a region. Every thread of every segment has a
    /// worker, so it must be small.
    pub phase: u16,
    /// True if the act at `position` has begun.
    pub begun: bool,
    /// True while the thread is in a program of a step.
    pub steps_program: bool,
    /// Iterations granted and not yet planned.
    pub granted: Range<u64>,
    /// Sizes of the last grant and of its last planned part.
    pub grant: GrantSizes,
    /// Number of planned iterations whose steps have not all ended.
    pub under_way: u64,
    /// First of these iterations, and the time in which the thread has received their data. Noise depends on both.
    pub piece: (u64, Span),
    /// Bytes that the thread's rounded blends owe to nodes.
    pub carried: Carried,
    /// Steps planned and not yet begun, in reverse order.
    pub steps: Vec<Step>,
    pub arrived: Option<Arrival>,
    /// Number of meetings reached, in the inner team and in the outer team.
    pub meetings: [u32; 2],
    /// True if the thread's last claim of a `single` region succeeded.
    pub won: bool,
    /// True if the thread has finished its script, or has no part in the construct.
    pub over: bool,
}

impl Worker {
    /// State at the start of a segment. `busy`: the thread is still in a program of an earlier segment.
    pub fn new(busy: bool, began: Time) -> Worker {
        Worker {
            doing: if busy { Doing::Tail } else { Doing::Nothing },
            since: began,
            until: began,
            debt: Span::ZERO,
            foreseen: Span::ZERO,
            seen: Seen::default(),
            position: Position::default(),
            phase: 0,
            begun: false,
            steps_program: false,
            granted: 0..0,
            grant: GrantSizes::default(),
            under_way: 0,
            piece: (0, Span::ZERO),
            carried: Carried::default(),
            steps: Vec::new(),
            arrived: None,
            meetings: [0; 2],
            won: false,
            over: false,
        }
    }

    /// Takes the thread's processor away for a span. Returns true if the thread computes: its computing then ends by
    /// `span` later. Any other activity goes on; if it needs the processor, the thread makes up for the time before
    /// its next activity. A thread that only waits is not affected.
    pub fn gives_way(&mut self, now: Time, span: Span) -> bool {
        if matches!(self.doing, Doing::Compute) && self.until > now {
            self.until += span;
            return true;
        }
        if self.doing.facts().owes_time {
            self.debt += span;
        }
        false
    }

    /// Smallest number of passes, of `times`, that any thread still has ahead. Threads with finished scripts do not
    /// count.
    pub fn passes_ahead(workers: &[Worker], times: u32) -> u32 {
        let ahead = workers.iter().filter(|worker| !worker.over);
        ahead.map(|worker| worker.position.passes_ahead(times)).min().unwrap_or(0)
    }

    /// Gives the thread iterations.
    pub fn grant(&mut self, iterations: Range<u64>) {
        let size = iterations.end - iterations.start;
        self.grant = GrantSizes { size, last_part: size };
        self.granted = iterations;
    }

    /// Adds the thread's state to a snapshot, with passes counted from `pass`. Marks the snapshot as not whole
    /// (`Snapshot::refuse`) in activities without a snapshot number, and if steps other than computing are planned.
    pub fn snapshot(&self, pass: u32, into: &mut Snapshot) {
        let Worker {
            doing,
            since,
            until,
            debt,
            foreseen,
            seen: _,
            position,
            // Passes through phases that share a region are not counted.
            phase: _,
            begun,
            steps_program,
            granted,
            grant,
            under_way: _,
            // Only phases with data, whose passes are not counted, need the piece.
            piece: _,
            carried,
            steps,
            arrived,
            meetings,
            won,
            over,
        } = self;
        match doing.facts().snapshot {
            Some(number) => into.add(&number),
            None => into.refuse(),
        }
        into.time(*since);
        into.not_before(*until);
        into.add(&(debt, foreseen, begun, steps_program, granted, won, over));
        into.add(&if granted.is_empty() { GrantSizes::default() } else { *grant });
        into.add(carried);
        position.snapshot(pass, into);
        for step in steps {
            match step {
                Step::Compute(span) => into.add(span),
                Step::Overhead(_)
                | Step::Lines(_)
                | Step::Section(..)
                | Step::Run(_)
                | Step::Locked(..)
                | Step::Cached(..)
                | Step::Stream(_)
                | Step::Pages(..)
                | Step::Flag(_)
                | Step::SyncPoint
                | Step::Copy(..) => into.refuse(),
            }
        }
        into.add(&arrived.is_some());
        if let Some(Arrival { at, level, meeting }) = arrived {
            into.time(*at);
            into.add(level);
            into.counter((*meeting).into());
        }
        meetings.iter().for_each(|meetings| into.counter((*meetings).into()));
    }

    /// Records in the thread and in its team that the thread arrives at its next meeting.
    pub fn arrive(&mut self, level: Level, team: &mut TeamState, thread: u32, now: Time) {
        let meetings = &mut self.meetings[usize::from(level == Level::Outer)];
        self.arrived = Some(Arrival { at: now, level, meeting: *meetings });
        team.arrive(*meetings, thread, now);
        *meetings += 1;
    }
}
