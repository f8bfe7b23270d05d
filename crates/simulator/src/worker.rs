//! One thread in a segment: what it is in the middle of, and where it stands in its script.

use crate::books::Cause;
use crate::flow_network::Pace;
use crate::plan::{DataStream, Step};
use crate::script::{Level, Position};
use crate::team_state::TeamState;
use numalab_des::fluid::ClassId;
use numalab_machine::ResourceId;
use numalab_units::{Span, Time};
use std::ops::Range;

/// Activity that a thread is in the middle of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doing {
    Nothing,
    /// Work of the runtime or the operating system.
    Overhead(Cause),
    /// Making up for the time that its processor was taken for.
    Interrupted,
    /// At the lock of the address space, or holding it.
    Locked,
    Compute,
    /// Bytes of a cache, and the part of their time that is hidden.
    Cached(usize, u64, Span, Pace),
    /// Bytes from (and to) an origin, as a flow of a class.
    Stream(DataStream, Pace, ClassId),
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
    /// Number of meetings of the team before.
    pub meeting: u32,
}

/// A thread.
pub(crate) struct Worker {
    pub doing: Doing,
    pub since: Time,
    /// When that ends, if it ends by itself; it may be put off.
    pub until: Time,
    /// Time that its processor was taken for while it did something that was not put off.
    pub debt: Span,
    /// The resource that limited its last stream when that ended, where an observer asks.
    pub limit: Option<ResourceId>,
    /// Where it stands in its script.
    pub position: Position,
    /// Whether it has begun the act at that position.
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
    /// At the start of a segment; `busy` in a program of an earlier one.
    pub fn new(busy: bool, began: Time) -> Worker {
        Worker {
            doing: if busy { Doing::Tail } else { Doing::Nothing },
            since: began,
            until: began,
            debt: Span::ZERO,
            limit: None,
            position: Position::default(),
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
    pub fn arrive(&mut self, level: Level, team: &mut TeamState, now: Time) {
        let meetings = &mut self.meetings[usize::from(level == Level::Outer)];
        self.arrived = Some(Arrival { at: now, level, meeting: *meetings });
        team.arrive(*meetings, now);
        *meetings += 1;
    }
}
