//! One thread in a phase: what it is in the middle of, and whose account its time goes to.

use crate::flow_network::Pace;
use crate::ledger::Ledger;
use crate::plan::{Segment, Step};
use crate::script::{Level, Place};
use crate::team_state::TeamState;
use numalab_units::{Span, Time};
use std::ops::Range;

/// What a thread is in the middle of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doing {
    Nothing,
    Overhead,
    /// At the lock of the address space, or holding it.
    Locked,
    Compute,
    /// So many bytes, and how much of their time is hidden.
    Cached(u64, Span, Pace),
    Stream(Segment, Pace),
    /// In a program of the runtime.
    Program,
    /// Still in a program that an earlier phase began.
    Tail,
    /// With nothing to do until somebody creates work.
    Parked,
    /// At a meeting that costs nothing.
    Meeting,
}

/// A meeting that a thread has come to and does not yet know to be over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub at: Time,
    pub level: Level,
    /// How many meetings of the team there were before.
    pub meeting: u32,
}

/// A thread.
pub(crate) struct Worker {
    pub doing: Doing,
    pub since: Time,
    /// Where it stands in its script.
    pub place: Place,
    /// Whether it has begun the act at that place.
    pub begun: bool,
    /// Iterations granted and not yet planned.
    pub granted: Range<u64>,
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
    /// At the start of a phase; `busy` in a program of an earlier one.
    pub fn new(busy: bool) -> Worker {
        Worker {
            doing: if busy { Doing::Tail } else { Doing::Nothing },
            since: Time::ZERO,
            place: Place::default(),
            begun: false,
            granted: 0..0,
            steps: Vec::new(),
            arrived: None,
            meetings: [0; 2],
            won: false,
            over: false,
        }
    }

    /// Comes to a meeting.
    pub fn arrive(&mut self, level: Level, crew: &mut TeamState, now: Time) {
        let meetings = &mut self.meetings[usize::from(level == Level::Outer)];
        self.arrived = Some(Arrival { at: now, level, meeting: *meetings });
        crew.arrive(*meetings, now);
        *meetings += 1;
    }

    /// Books the time of a meeting: until its last member came the thread was idle; then it was the meeting
    /// that took its time.
    pub fn settle(&mut self, last: Time, ledger: &mut Ledger, now: Time) {
        if let Some(Arrival { at, .. }) = self.arrived.take() {
            let idle = last.clamp(at, now) - at;
            ledger.idle += idle;
            ledger.overhead += (now - at) - idle;
        }
    }
}
