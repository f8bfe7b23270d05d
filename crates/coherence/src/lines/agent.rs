//! An agent: a hardware thread with its request.

use super::jitter::Shift;
use super::request_plan::RequestPlan;
use super::{Access, LineId};
use crate::protocol::Scope;
use numalab_base::{Span, Time, index_type};

index_type! {
    /// Hardware thread that requests lines, numbered in the order of addition.
    pub AgentId
}

/// Phase of an agent's request. Some phases have an entry in the queue of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    /// No request and no timer.
    Idle,
    /// Waits for the time of a timer. Has an entry.
    Timer,
    /// Waits for a slot of its controller, in the queue of waiters.
    Slot,
    /// Has an uncontended request. The entry is at the time of the answer.
    Alone,
    /// Waits for its turn at the line. The first agent in a line's queue has an entry once its service time is known.
    Queued,
    /// Waits for another agent of its group, which fetches the line for both.
    Follows,
    /// Has been served and waits for the line to arrive. Has an entry.
    Answer,
}

impl Phase {
    /// True while a request travels to its service point or waits there.
    pub fn is_unserved(self) -> bool {
        match self {
            Phase::Idle | Phase::Timer | Phase::Slot | Phase::Follows | Phase::Answer => false,
            Phase::Alone | Phase::Queued => true,
        }
    }
}

/// Place where a request is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ServicePoint {
    /// At the core, by its own copy.
    #[default]
    Core,
    /// At the group's cache, by the cache's copy.
    Cache,
    /// At the group's cache, which asks one of its cores first.
    Group,
    /// At the controller of the domain.
    Controller,
    /// At the home node.
    Home,
}

// Glossary: agent: A hardware thread as the coherence engine sees it; it has at most one request or timer at
//   a time.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub core: u32,
    pub group: u32,
    /// True if the agent's core has no other thread; helpers do not count. For a helper, the value of its thread.
    pub alone: bool,
    /// Agent added before this one on the same core; `None` for the first of the core.
    pub neighbour: Option<AgentId>,
    /// Line of the last request.
    pub line: LineId,
    pub access: Access,
    /// True if the request is a poll by the only thread of its core: an answer of the group's cache is reported as
    /// soon as the time of the answer is known.
    pub looks: bool,
    pub phase: Phase,
    pub place: ServicePoint,
    /// Service point, data source and requests of the agent's access; valid while no other agent wants the line.
    pub plan: RequestPlan,
    /// True if the agent holds a slot of its controller.
    pub slot: bool,
    /// Next agent in a line's queue, in a controller's queue of waiters, or among the followers of one agent.
    pub next: Option<AgentId>,
    /// Previous agent in the queue of a line.
    pub previous: Option<AgentId>,
    /// First of the agents that follow this one: this agent fetches the line for its followers, too.
    pub follower: Option<AgentId>,
    /// True if the agent fetches a line for its group. `fetcher` and `fetcher_before`: next and previous fetching
    /// agent of the group.
    pub fetches: bool,
    pub fetcher: Option<AgentId>,
    pub fetcher_before: Option<AgentId>,
    /// Time at which the agent's request reaches the service point.
    pub arrives: Time,
    /// Time at which the request left its core.
    pub left: Time,
    /// Time from the start of the request's service until the line's exclusive owner hears of it; 0 without such an
    /// owner. Set only for a request that found the line idle.
    pub reach: Span,
    /// Variation of `reach`.
    pub shift: Shift,
    /// Time at which the agent receives the line.
    pub answer: Time,
    /// Earliest time at which the next request for the line can be served, if the agent gets a shared copy.
    pub release: Time,
    /// Largest scope that the agent's request went through.
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
            left: Time::ZERO,
            reach: Span::ZERO,
            shift: Shift::default(),
            answer: Time::ZERO,
            release: Time::ZERO,
            scope: Scope::Group,
        }
    }
}
