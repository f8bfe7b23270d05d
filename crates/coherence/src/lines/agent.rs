//! An agent: a hardware thread and what it waits for.

use super::request_plan::RequestPlan;
use super::{Access, LineId};
use crate::protocol::Scope;
use numalab_base::{Span, Time, index_type};

index_type! {
    /// A hardware thread that asks for lines, numbered in the order in which they are added.
    pub AgentId
}

/// The thing that an agent waits for. Those that say so have an entry in the queue of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl Phase {
    /// Whether a request is on its way to where it is served, or waits there.
    pub fn is_unserved(self) -> bool {
        match self {
            Phase::Idle | Phase::Timer | Phase::Slot | Phase::Follows | Phase::Answer => false,
            Phase::Alone | Phase::Queued => true,
        }
    }
}

/// The place where a request is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ServicePoint {
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

// Glossary: agent: A hardware thread as the coherence engine sees it; it has at most one request or timer at
//   a time.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub core: u32,
    pub group: u32,
    /// No other agent is on its core.
    pub alone: bool,
    /// Another agent on the same core.
    pub neighbour: Option<AgentId>,
    /// That it asked for last.
    pub line: LineId,
    pub access: Access,
    /// Whether it only looks: an answer of its group's cache is told at once.
    pub looks: bool,
    pub phase: Phase,
    pub place: ServicePoint,
    /// The plan for its request, as long as nobody else wants the line.
    pub plan: RequestPlan,
    /// It holds a slot of its controller.
    pub slot: bool,
    /// The next in the same queue, or among the same agent's followers.
    pub next: Option<AgentId>,
    /// The one before it in the queue of a line.
    pub previous: Option<AgentId>,
    /// The first agent that it fetches the line for as well.
    pub follower: Option<AgentId>,
    /// It fetches a line for its group; and the next and the previous of the group that fetch one.
    pub fetches: bool,
    pub fetcher: Option<AgentId>,
    pub fetcher_before: Option<AgentId>,
    /// The time at which its request is where it is served.
    pub arrives: Time,
    /// The time that it then takes until the core that owns the line hears of it, as long as nobody else wants the line.
    pub reach: Span,
    /// The time at which it has the line.
    pub answer: Time,
    /// The time at which the line can be served again, unless the agent takes it for itself.
    pub release: Time,
    /// The scope that its request went through.
    pub scope: Scope,
}

impl Agent {
    pub fn new(core: u32, group: u32, neighbour: Option<AgentId>) -> Agent {
        Agent {
            core,
            group,
            alone: neighbour.is_none(),
            neighbour,
            line: LineId(0),
            access: Access::Read,
            looks: false,
            phase: Phase::Idle,
            place: ServicePoint::Core,
            plan: RequestPlan::default(),
            slot: false,
            next: None,
            previous: None,
            follower: None,
            fetches: false,
            fetcher: None,
            fetcher_before: None,
            arrives: Time::ZERO,
            reach: Span::ZERO,
            answer: Time::ZERO,
            release: Time::ZERO,
            scope: Scope::Group,
        }
    }
}
