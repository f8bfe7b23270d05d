//! An agent: a hardware thread and what it waits for.

use super::plan::Plan;
use super::{Access, NOBODY};
use crate::protocol::Scope;

/// Event that an agent waits for. Those that say so have an entry in the queue of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing.
    Idle,
    /// A time. Has an entry.
    Timer,
    /// A slot of its controller.
    Slot,
    /// Nobody else wants the line: its entry is the answer already.
    Alone,
    /// Its turn. The first of a line has an entry while it is known when it is served.
    Queued,
    /// Another agent of its group fetches the line for both.
    Follows,
    /// The line. Has an entry.
    Answer,
}

/// Where a request is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The core's own copy.
    #[default]
    Core,
    /// A copy in the group's cache.
    Cache,
    /// The group's cache after asking one of its cores.
    Group,
    /// The controller of the domain.
    Controller,
    /// The home.
    Home,
}

#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub core: u32,
    /// Another agent on the same core.
    pub neighbour: u32,
    pub line: u32,
    pub access: Access,
    pub phase: Phase,
    pub place: Place,
    /// Plan by which it will be served, as long as nobody else wants the line.
    pub plan: Plan,
    /// It holds a slot of its controller.
    pub slot: bool,
    /// The next in the same queue, or among the same agent's followers.
    pub next: u32,
    /// The one before it in the queue of a line.
    pub previous: u32,
    /// The first agent that it fetches the line for as well.
    pub follower: u32,
    /// It fetches a line for its group; and the next and the previous of the group that fetch one.
    pub fetches: bool,
    pub fetcher: u32,
    pub fetcher_before: u32,
    /// When its request is where it is served.
    pub arrives: u64,
    /// When it has the line.
    pub answer: u64,
    /// When the line can be served again, unless the agent takes it for itself.
    pub release: u64,
    /// Scope that its request reached.
    pub scope: Scope,
}

impl Agent {
    pub fn new(core: u32, neighbour: u32) -> Agent {
        Agent {
            core,
            neighbour,
            line: NOBODY,
            access: Access::Read,
            phase: Phase::Idle,
            place: Place::Core,
            plan: Plan::default(),
            slot: false,
            next: NOBODY,
            previous: NOBODY,
            follower: NOBODY,
            fetches: false,
            fetcher: NOBODY,
            fetcher_before: NOBODY,
            arrives: 0,
            answer: 0,
            release: 0,
            scope: Scope::Group,
        }
    }
}
