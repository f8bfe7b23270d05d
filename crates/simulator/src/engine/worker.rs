//! One thread in a segment: what it is in the middle of, and where it stands in its script.

use crate::account::cause::Cause;
use crate::account::observer::Portion;
use crate::engine::script::{Level, Position};
use crate::engine::team_state::TeamState;
use crate::flow::pace::Pace;
use crate::plan::{CachedData, DataPart, DataStream, KernelLock, Step};
use numalab_base::{Snapshot, Span, Time};
use numalab_des::fluid::{ClassId, Delayed};
use std::ops::Range;

/// Activity that a thread is in the middle of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doing {
    Nothing,
    /// Work of the runtime or the operating system.
    Overhead(Cause),
    /// Copying pages for the operating system, which takes so long alone.
    Copying(Span),
    /// Making up for the time that its processor was taken for.
    Interrupted,
    /// At a lock of the kernel, or holding it.
    Locked(KernelLock),
    Compute,
    /// Bytes of a cache.
    Cached(CachedData, Pace),
    /// Bytes from (and to) an origin, as a flow of a class.
    Stream(DataStream, Pace, ClassId),
    /// In a program of the runtime.
    Program,
    /// In a program that waits for a lock or its turn.
    Turn,
    /// In a program that gives a lock or its turn on: it needs the line that all who wait look at.
    PassingOn,
    /// In an instruction of the program that changes a line.
    Line,
    /// Still in a program that an earlier phase began.
    Tail,
    /// With nothing to do until somebody creates work.
    Parked,
    /// At a meeting that costs nothing, or that others end by a message.
    Meeting,
    /// Stopped by a fault, until it has the page.
    Paging,
}

impl Doing {
    /// Whether it is in a program, which may go on after its phase.
    pub fn is_a_program(&self) -> bool {
        match self {
            Doing::Program | Doing::Turn | Doing::PassingOn | Doing::Line | Doing::Tail => true,
            Doing::Nothing
            | Doing::Overhead(_)
            | Doing::Copying(_)
            | Doing::Interrupted
            | Doing::Locked(_)
            | Doing::Compute
            | Doing::Cached(..)
            | Doing::Stream(..)
            | Doing::Parked
            | Doing::Meeting
            | Doing::Paging => false,
        }
    }

    /// Whether a core may go on with what comes next before it ends: past a lock or a turn, whose value is only tested.
    pub fn can_be_foreseen(&self) -> bool {
        match self {
            Doing::Turn | Doing::PassingOn => true,
            Doing::Nothing
            | Doing::Overhead(_)
            | Doing::Copying(_)
            | Doing::Interrupted
            | Doing::Locked(_)
            | Doing::Compute
            | Doing::Cached(..)
            | Doing::Stream(..)
            | Doing::Program
            | Doing::Line
            | Doing::Tail
            | Doing::Parked
            | Doing::Meeting
            | Doing::Paging => false,
        }
    }
}

/// A meeting that a thread has come to and does not yet know to be over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub at: Time,
    pub level: Level,
    /// Number of meetings of the team before.
    pub meeting: u32,
}

/// Facts about a thread that only an observer wants to know.
#[derive(Default)]
pub(crate) struct Seen {
    /// Data of the iterations that were planned last.
    pub data: Vec<DataPart>,
    /// Delays of the class of its stream when that began.
    pub delayed: Delayed,
    /// Thread that told it to look for work again, and when.
    pub woken: Option<(u32, Time)>,
}

/// Facts about one stream, for an observer.
#[derive(Default)]
pub(crate) struct Told {
    /// Reasons for which it was waited for, with their times.
    pub reasons: Vec<(Cause, Span)>,
    pub delayed: Delayed,
    pub portions: Vec<Portion>,
}

/// A thread.
pub(crate) struct Worker {
    pub doing: Doing,
    pub since: Time,
    /// Instant at which that ends, if it ends by itself; it may be put off.
    pub until: Time,
    /// Time that its processor was taken for while it did something that was not put off.
    pub debt: Span,
    /// Time of its last programs that what comes next may have begun in, since their core foresaw their course.
    pub foreseen: Span,
    /// Knowledge about its data and its waits, where an observer asks.
    pub seen: Seen,
    /// Position in its script.
    pub position: Position,
    /// Whether it has begun the act at that position.
    pub begun: bool,
    /// Iterations granted and not yet planned.
    pub granted: Range<u64>,
    /// Iterations planned that its steps have not ended.
    pub under_way: u64,
    /// Steps planned and not yet begun, last first.
    pub steps: Vec<Step>,
    pub arrived: Option<Arrival>,
    /// Meetings that it has come to, of its team and of the outer one.
    pub meetings: [u32; 2],
    /// Whether its last program said yes.
    pub won: bool,
    /// Nothing is left in its script.
    pub over: bool,
}

impl Worker {
    /// At the start of a segment; `busy` in a program of an earlier one.
    pub fn new(busy: bool, began: Time) -> Worker {
        Worker {
            doing: if busy { Doing::Tail } else { Doing::Nothing },
            since: began,
            until: began,
            debt: Span::ZERO,
            foreseen: Span::ZERO,
            seen: Seen::default(),
            position: Position::default(),
            begun: false,
            granted: 0..0,
            under_way: 0,
            steps: Vec::new(),
            arrived: None,
            meetings: [0; 2],
            won: false,
            over: false,
        }
    }

    /// Lets its processor do something else for so long. Says whether the thread computes: it stops now, and ends later. Whatever
    /// else it does goes on, and if that needs the processor it makes up for the time before the next thing; who only waits
    /// does not notice.
    pub fn gives_way(&mut self, now: Time, span: Span) -> bool {
        match self.doing {
            Doing::Compute if self.until > now => {
                self.until = self.until + span;
                return true;
            }
            Doing::Stream(..)
            | Doing::Cached(..)
            | Doing::Overhead(_)
            | Doing::Copying(_)
            | Doing::Interrupted => self.debt += span,
            Doing::Compute
            | Doing::Nothing
            | Doing::Locked(_)
            | Doing::Program
            | Doing::Turn
            | Doing::PassingOn
            | Doing::Line
            | Doing::Tail
            | Doing::Parked
            | Doing::Paging
            | Doing::Meeting => {}
        }
        false
    }

    /// Passes that all who make any have before their last.
    pub fn passes_ahead(workers: &[Worker], times: u32) -> u32 {
        let ahead = workers.iter().filter(|worker| !worker.over);
        ahead.map(|worker| worker.position.passes_ahead(times)).min().unwrap_or(0)
    }

    /// Writes down what it is in the middle of and where it stands, with passes counted from one of them. A worker in
    /// the middle of moving data is refused.
    pub fn snapshot(&self, pass: u32, into: &mut Snapshot) {
        let Worker {
            doing,
            since,
            until,
            debt,
            foreseen,
            seen: _,
            position,
            begun,
            granted,
            under_way: _,
            steps,
            arrived,
            meetings,
            won,
            over,
        } = self;
        match doing {
            Doing::Nothing => into.add(&0),
            Doing::Compute => into.add(&1),
            Doing::Program => into.add(&2),
            Doing::Tail => into.add(&3),
            Doing::Meeting => into.add(&4),
            Doing::Turn => into.add(&6),
            Doing::Line => into.add(&7),
            Doing::PassingOn => into.add(&8),
            Doing::Parked => into.add(&5),
            Doing::Overhead(_)
            | Doing::Copying(_)
            | Doing::Interrupted
            | Doing::Locked(_)
            | Doing::Cached(..)
            | Doing::Paging
            | Doing::Stream(..) => into.refuse(),
        }
        into.time(*since);
        into.not_before(*until);
        into.add(&(debt, foreseen, begun, granted, won, over));
        position.snapshot(pass, into);
        for step in steps {
            match step {
                Step::Compute(span) => into.add(span),
                Step::Overhead(_)
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

    /// Comes to a meeting.
    pub fn arrive(&mut self, level: Level, team: &mut TeamState, thread: u32, now: Time) {
        let meetings = &mut self.meetings[usize::from(level == Level::Outer)];
        self.arrived = Some(Arrival { at: now, level, meeting: *meetings });
        team.arrive(*meetings, thread, now);
        *meetings += 1;
    }
}
