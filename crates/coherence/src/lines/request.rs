//! Requests of agents, and copies that cores give up.

use super::agent::{Agent, AgentId, Phase, ServicePoint};
use super::{Access, LineId, Lines, Served, Transaction};
use numalab_base::{Span, Time};
use numalab_machine::CoreId;

/// Time of a request, and the span by which it may have left earlier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    pub now: Time,
    pub earlier: Span,
}

impl Departure {
    /// A request that leaves now.
    pub fn at(now: Time) -> Departure {
        Departure { now, earlier: Span::ZERO }
    }
}

impl Lines<'_> {
    /// Asks for a copy of a line, to look at it and no more. As [`Lines::request`]; but where the agent's group answers,
    /// the agent comes out of [`Lines::take_looks`] as soon as it is known when, since nobody writes the line before.
    #[inline]
    pub fn look(&mut self, now: Time, agent: AgentId, line: LineId) -> Option<Time> {
        let this = &mut self.agents[agent.index()];
        // Another thread of the core could tell by its own hits when the copy comes.
        this.looks = this.alone;
        self.ask(Departure::at(now), agent, line, Access::Read)
    }

    /// Whether all who look at a line at this time, of which one agent has asked for it and others are about to, only
    /// queue for it: then it makes no difference who of several groups asks first, but for the first of each.
    pub fn is_queued_for(&mut self, now: Time, line: LineId) -> bool {
        self.contest(now, line);
        let state = &self.lines[line.index()];
        state.lone.is_none() && state.first.is_some() && state.directories.owner_in_group().is_some()
    }

    /// As [`Lines::look`], where [`Lines::is_queued_for`] says so and another of the agent's group has asked for the line: the
    /// agent follows that one. Left undone (`false`) where it is not as simple.
    #[inline]
    pub fn follow(&mut self, agent: AgentId, line: LineId) -> bool {
        let state = &self.lines[line.index()];
        let Agent { core, group, alone, .. } = self.agents[agent.index()];
        let Some(fetcher) = self.fetchers[group as usize] else { return false };
        let first = &mut self.agents[fetcher.index()];
        if first.line != line
            || first.phase == Phase::Answer
            || state.directories.owner_in_group() == Some(self.topology.member_of(core))
        {
            return false;
        }
        let others = first.follower.replace(agent);
        let this = &mut self.agents[agent.index()];
        (this.line, this.access, this.looks) = (line, Access::Read, alone);
        (this.phase, this.next) = (Phase::Follows, others);
        true
    }

    /// Whether the agent's request is on its way, or waits.
    pub fn is_under_way(&self, agent: AgentId) -> bool {
        match self.agents[agent.index()].phase {
            Phase::Slot | Phase::Alone | Phase::Queued | Phase::Follows => true,
            Phase::Idle | Phase::Timer | Phase::Answer => false,
        }
    }

    /// The agents that look at a line and the times at which they have it, of those that are answered by now. None of
    /// them comes out of [`Lines::pop`] unless [`Lines::see`] says so.
    pub fn take_looks(&mut self) -> Vec<(Time, AgentId)> {
        std::mem::take(&mut self.looks)
    }

    /// Gives the memory of a list of looks back.
    pub fn give_back_looks(&mut self, mut looks: Vec<(Time, AgentId)>) {
        looks.clear();
        self.looks = looks;
    }

    /// Whether agents look at lines of which nobody has been told.
    #[inline]
    pub fn has_looks(&self) -> bool {
        !self.looks.is_empty()
    }

    /// The agent, which looked at a line and was told that it has it at this time, comes out of [`Lines::pop`] then.
    pub fn see(&mut self, at: Time, agent: AgentId) {
        let this = &mut self.agents[agent.index()];
        this.phase = Phase::Answer;
        this.answer = at;
        self.agenda.set(agent, at);
    }

    /// Whether [`Lines::request`] would be a hit.
    pub fn is_hit(&mut self, now: Time, agent: AgentId, line: LineId, access: Access) -> bool {
        let core = self.agents[agent.index()].core;
        self.contest(now, line);
        let state = &self.lines[line.index()];
        let plan = self.request_plan(state, core, access);
        plan.place == ServicePoint::Core && !state.promised && self.coming(core, line).is_none()
    }

    /// Asks for a line. `Some` is the time of a hit in the agent's own cache, and nothing is outstanding
    /// then; after `None` the agent comes out of [`Lines::pop`] when it has the line.
    #[inline]
    pub fn request(&mut self, now: Time, agent: AgentId, line: LineId, access: Access) -> Option<Time> {
        self.request_earlier(now, Span::ZERO, agent, line, access)
    }

    /// The same, of a request that may have left so much earlier. It has not while others were at work on the line or had asked for
    /// it, and nobody has the line before now.
    #[inline]
    pub fn request_earlier(
        &mut self,
        now: Time,
        earlier: Span,
        agent: AgentId,
        line: LineId,
        access: Access,
    ) -> Option<Time> {
        self.agents[agent.index()].looks = false;
        self.ask(Departure { now, earlier }, agent, line, access)
    }

    fn ask(&mut self, departure: Departure, agent: AgentId, line: LineId, access: Access) -> Option<Time> {
        let this = &mut self.agents[agent.index()];
        debug_assert_eq!(this.phase, Phase::Idle, "one request or timer at a time");
        let (now, core) = (departure.now, this.core);
        (this.line, this.access) = (line, access);
        self.contest(now, line);
        let state = &self.lines[line.index()];
        // What another group owns is never read nearby: all but the first of a group follow that one.
        if access == Access::Read
            && state.fetched > 0
            && let Some(owner) = state.directories.owner_in_group()
            && owner != self.topology.member_of(core)
            && self.join(agent)
        {
            return None;
        }
        let state = &self.lines[line.index()];
        let plan = self.request_plan(state, core, access);
        let near = matches!(plan.place, ServicePoint::Core | ServicePoint::Cache);
        // It may still be on its way to another thread of the core.
        if plan.place == ServicePoint::Core && !state.promised && self.coming(core, line).is_none() {
            self.counts.hits += 1;
            if access == Access::Read {
                return Some(now + self.topology.hit);
            }
            // Another thread of the core may be at work on the line.
            let start = now.max(self.exclusive[line.index()].free_at);
            self.execute(core, line, access, plan);
            self.know_owner(core, line);
            return Some(start + self.topology.hit);
        }
        match access {
            Access::Read if near && !state.promised => self.share(departure, agent),
            Access::Read if self.join(agent) => {}
            Access::Read => {
                self.lead(agent);
                self.depart(departure, agent, plan);
            }
            Access::Own => self.depart(departure, agent, plan),
        }
        None
    }

    /// A core gives its copy of a line up: to make room, say. Takes no time of anybody's, and is left undone
    /// (`false`) where there is no copy, or where it is still on its way.
    pub fn evict(&mut self, now: Time, CoreId(core): CoreId, line: LineId) -> bool {
        self.listen(line);
        self.contest(now, line);
        if self.lines[line.index()].promised || self.coming(core, line).is_some() {
            return false;
        }
        let evicted = self.copies(line).evict(core);
        if let Some(log) = self.log.as_mut().filter(|_| evicted) {
            log.push(Transaction { core: CoreId(core), line, kind: Served::Evict });
        }
        evicted
    }
}
