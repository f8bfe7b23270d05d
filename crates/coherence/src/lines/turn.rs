//! The request that a line's owner hears of next.
//!
//! Requests wait at the first directory that is busy with the line: a group's cache keeps the requests of its cores
//! while one of these has the line or waits for it outside, and the home has one request at a time under way to the
//! owner. So when a group gets the line, it serves its own cores until the home's next request reaches it, and then
//! gives the line away. That is how shared caches with a directory work ([`SOURCES`]).
//!
//! Consequence: the hand-overs inside a group between two hand-overs to other groups are as many as fit in the time of
//! the home's request on its way. They do not depend on the order in which the home received the requests, and the time
//! of contended atomic operations depends little on it.
//!
//! [`SOURCES`]: D. J. Sorin, M. D. Hill, D. A. Wood, A Primer on Memory Consistency and Cache Coherence, chapters 8
//! and 9; the two-level directories of the simulator gem5, which queue requests for a busy line at the cache that is
//! busy.

use super::agent::{Agent, AgentId, ServicePoint};
use super::jitter::Shift;
use super::line::Line;
use super::topology::Member;
use super::{LineId, Lines};
use crate::protocol::Scope;
use numalab_base::{Span, Time};

/// Requests at the front of a queue among which the next one is chosen, so that a long queue costs no more than a short one.
const SEEN: usize = 64;

/// Next request of a line's queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub agent: AgentId,
    /// Place where the request is served: the agent's, or a nearer one that the line has come to.
    pub place: ServicePoint,
    /// Time from the start of service until the owner hears of the request.
    pub reach: Span,
    heard: Time,
    /// Time at which the request is at `place`.
    arrives: Time,
    /// Time at which the line leaves its owner for the request.
    pub leaves: Time,
}

/// Next of the first requests by scope, which are in the order of the queue. One directory serves in the order of arrival,
/// however long each request is on its way to the owner; of several directories, the one of whose request the owner hears
/// first comes first.
fn next_of(turns: [Option<Turn>; Scope::ALL.len()]) -> Option<Turn> {
    let firsts = turns.iter().flatten().enumerate().filter(|(at, turn)| {
        let sooner = |other: usize, arrives| match other < *at {
            true => arrives <= turn.arrives,
            false => arrives < turn.arrives,
        };
        let mut others = turns.iter().flatten().enumerate().filter(|(_, other)| other.place == turn.place);
        !others.any(|(other, Turn { arrives, .. })| other != *at && sooner(other, *arrives))
    });
    firsts.map(|(_, turn)| *turn).min_by_key(|turn| turn.heard)
}

impl Lines<'_> {
    /// Time at which the owner of a line hears of a request that arrives at `place`. The directory there does not ask
    /// before its member has the line: the core, the group or the domain of the owner.
    #[inline]
    pub(super) fn hears(&self, line: &Line, place: ServicePoint, arrives: Time, reach: Span) -> Time {
        let since = match (place, line.owned()) {
            (ServicePoint::Core | ServicePoint::Cache | ServicePoint::Group, _) | (_, None) => {
                line.granted_at
            }
            (ServicePoint::Controller, Some(_)) => line.group_since,
            (ServicePoint::Home, Some([_, _, domain])) => {
                let core = self.topology.core_of_home(line.home);
                // The home is the directory of the groups of its own domain.
                let asks_groups = self.topology.path(core)[2] == domain;
                if asks_groups { line.group_since } else { line.domain_since }
            }
        };
        arrives.max(since) + reach
    }

    /// Smallest scope that contains both an agent and an owner, whose core, group and domain are given.
    #[inline]
    fn scope_to(&self, [_, group, domain]: [Member; 3], agent: AgentId) -> Scope {
        let [_, own_group, own_domain, _] = self.topology.path(self.agents[agent.index()].core);
        if group == own_group {
            Scope::Group
        } else if domain == own_domain {
            Scope::Domain
        } else {
            Scope::Machine
        }
    }

    /// True if an agent's request can come before others that arrived earlier.
    #[inline]
    pub(super) fn is_near(&self, agent: AgentId) -> bool {
        let owner = self.lines[self.agents[agent.index()].line.index()].owned();
        owner.is_some_and(|owner| self.scope_to(owner, agent) < Scope::Machine)
    }

    /// Next request of a line's queue: of the first of the owner's group, the first of the rest of its domain and the first
    /// from outside, the one of which the owner hears first, and of those at one place the one that came first.
    pub(super) fn turn(&mut self, line: LineId) -> Option<Turn> {
        let state = &self.lines[line.index()];
        let first = state.first?;
        let Some(owner) = state.owned() else { return Some(self.turn_of(first, None)) };
        // If all requests are of one group, the first comes first.
        if state.one_group {
            return Some(self.turn_of(first, Some(self.scope_to(owner, first))));
        }
        let mut met = [false; Scope::ALL.len()];
        let mut turns: [Option<Turn>; Scope::ALL.len()] = [None; Scope::ALL.len()];
        let mut at = Some(first);
        for _ in 0..SEEN {
            let Some(agent) = at else {
                let groups = met.iter().filter(|met| **met).count();
                self.lines[line.index()].one_group = groups == 1 && met[Scope::Group as usize];
                break;
            };
            let scope = self.scope_to(owner, agent);
            if !std::mem::replace(&mut met[scope as usize], true) {
                let turn = self.turn_of(agent, Some(scope));
                if let Some(free) = turns.iter_mut().find(|turn| turn.is_none()) {
                    *free = Some(turn);
                }
            }
            at = self.agents[agent.index()].next;
            if met == self.scopes {
                break;
            }
        }
        next_of(turns)
    }

    /// Turn of one request. `scope`: the smallest that contains both the agent and the line's owner. A request that waits
    /// elsewhere than where it is served by now is there as early as if it had gone there at once.
    fn turn_of(&mut self, agent: AgentId, scope: Option<Scope>) -> Turn {
        let Agent { core, group, line, mut place, mut arrives, left, mut shift, .. } =
            self.agents[agent.index()];
        let (topology, home) = (&self.topology, self.lines[line.index()].home);
        let served = match scope {
            None => place,
            // Another thread of the core has the line.
            Some(Scope::Group) if place < ServicePoint::Group => place,
            Some(Scope::Group) => ServicePoint::Group,
            Some(Scope::Domain) if topology.domain_of_home(home) != topology.domain_of(core) => {
                ServicePoint::Controller
            }
            Some(Scope::Domain | Scope::Machine) => ServicePoint::Home,
        };
        if served != place {
            let way = match served {
                ServicePoint::Core | ServicePoint::Cache | ServicePoint::Group => topology.asking,
                ServicePoint::Controller => topology.miss + topology.uplink,
                ServicePoint::Home => topology.miss + self.ways.up(topology, group, home).latency,
            };
            (place, arrives, shift) = (served, left + way, Shift::default());
        }
        let reach = self.reach_from(agent, place, shift);
        let heard = self.hears(&self.lines[line.index()], place, arrives, reach);
        let leaves = heard.max(self.exclusive[line.index()].free_at);
        Turn { agent, place, reach, heard, arrives, leaves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: Of two requests at one directory the one that came first goes first, whatever request of elsewhere is compared.
    ///
    /// The owner hears of the later one at 5, of one in its own group at 10, and of the one that came first at 30 ps.
    #[test]
    fn a_directory_serves_in_order_of_arrival() {
        let turn = |agent, place, arrives, heard| {
            let (reach, leaves) = (Span::ZERO, Time(heard));
            Some(Turn {
                agent: AgentId::new(agent),
                place,
                reach,
                heard: Time(heard),
                arrives: Time(arrives),
                leaves,
            })
        };
        let first = turn(0, ServicePoint::Home, 1, 30);
        let near = turn(1, ServicePoint::Group, 4, 10);
        let later = turn(2, ServicePoint::Home, 2, 5);
        let next = |turns| next_of(turns).map(|turn| turn.agent);
        assert_eq!(next([first, near, later]), Some(AgentId::new(1)));
        assert_eq!(next([later, near, first]), Some(AgentId::new(1)));
        assert_eq!(next([first, later, None]), Some(AgentId::new(0)));
        assert_eq!(next([None; 3]), None);
    }
}
