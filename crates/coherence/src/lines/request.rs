//! Requests of agents, and evictions.

use super::agent::{Agent, AgentId, Phase, ServicePoint};
use super::request_plan::RequestPlan;
use super::{Access, LineId, Lines, Served, Transaction};
use numalab_base::{Span, Time};
use numalab_machine::CoreId;

/// Time of a request, and the span `earlier` by which the request may have left before that time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    pub now: Time,
    pub earlier: Span,
}

impl Departure {
    pub fn at(now: Time) -> Departure {
        Departure { now, earlier: Span::ZERO }
    }
}

impl Lines<'_> {
    /// Requests a copy of a line only to poll it. Like [`Lines::request`], with one difference: if the group answers
    /// and the agent is the only thread of its core, [`Lines::take_looks`] reports the agent as soon as the time of
    /// the answer is known. No core writes the line before that time.
    #[inline]
    pub fn look(&mut self, now: Time, agent: AgentId, line: LineId) -> Option<Time> {
        let this = &mut self.agents[agent.index()];
        // Another thread of the core could observe the arrival by its own hits.
        this.looks = this.alone;
        self.ask(Departure::at(now), agent, line, Access::Read)
    }

    /// True if further polls of the line at this time only wait: a request is queued, and a core has the only copy of
    /// its group. The order in which groups poll is then irrelevant, except for the first agent of each group.
    pub fn is_queued_for(&mut self, now: Time, line: LineId) -> bool {
        self.contest(now, line);
        let state = &self.lines[line.index()];
        state.lone.is_none() && state.first.is_some() && state.directories.owner_in_group().is_some()
    }

    /// Like [`Lines::look`], if [`Lines::is_queued_for`] holds and the group's latest fetch is of this line: the
    /// agent follows the fetching agent. Returns false, without effect, if the agent has to call [`Lines::look`].
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

    /// True while the agent's request travels or waits.
    pub fn is_under_way(&self, agent: AgentId) -> bool {
        match self.agents[agent.index()].phase {
            Phase::Slot | Phase::Alone | Phase::Queued | Phase::Follows => true,
            Phase::Idle | Phase::Timer | Phase::Answer => false,
        }
    }

    /// Agents that poll a line, with the times at which they have it, for all answers known by now. [`Lines::pop`]
    /// does not return them unless [`Lines::see`] asks for it.
    pub fn take_looks(&mut self) -> Vec<(Time, AgentId)> {
        std::mem::take(&mut self.looks)
    }

    /// Gives a list from [`Lines::take_looks`] back, so that its memory is reused.
    pub fn give_back_looks(&mut self, mut looks: Vec<(Time, AgentId)>) {
        looks.clear();
        self.looks = looks;
    }

    /// True if polls have been answered and not taken yet.
    #[inline]
    pub fn has_looks(&self) -> bool {
        !self.looks.is_empty()
    }

    /// Makes [`Lines::pop`] return an agent whose poll was reported for this time.
    pub fn see(&mut self, at: Time, agent: AgentId) {
        let this = &mut self.agents[agent.index()];
        this.phase = Phase::Answer;
        this.answer = at;
        self.agenda.set(agent, at);
    }

    /// True if a request of the agent for the line would be a hit now.
    pub fn is_hit(&mut self, now: Time, agent: AgentId, line: LineId, access: Access) -> bool {
        let core = self.agents[agent.index()].core;
        self.contest(now, line);
        let plan = self.request_plan(&self.lines[line.index()], core, access);
        self.hits(now, agent, line, access, plan)
    }

    /// True if a core's own copy answers an access with this plan now.
    #[inline(always)]
    fn hits(&mut self, now: Time, agent: AgentId, line: LineId, access: Access, plan: RequestPlan) -> bool {
        let core = self.agents[agent.index()].core;
        plan.place == ServicePoint::Core
            && !self.lines[line.index()].promised
            // The copy may still be in flight to another thread of the core.
            && self.coming(core, line).is_none()
            && (access == Access::Read || self.agents[agent.index()].alone || !self.yields(now, line))
    }

    /// True if a write that would hit now goes behind the next request in the line's queue, since that request is
    /// due before the line is free for the write. Otherwise the threads of a core that write a line by turns would
    /// keep it from all other cores forever.
    #[cold]
    fn yields(&mut self, now: Time, line: LineId) -> bool {
        let free = now.max(self.exclusive[line.index()].free_at);
        self.turn(line).is_some_and(|turn| turn.leaves <= free)
    }

    /// Requests a line. `Some` is the time of a hit in the agent's own cache, after which nothing is outstanding.
    /// After `None`, [`Lines::pop`] returns the agent when it has the line.
    #[inline]
    pub fn request(&mut self, now: Time, agent: AgentId, line: LineId, access: Access) -> Option<Time> {
        self.request_earlier(now, Span::ZERO, agent, line, access)
    }

    /// Like [`Lines::request`], for a request that may have left up to `earlier` before `now`, but not while another
    /// agent accessed or had requested the line. The line arrives at `now` at the earliest.
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
        // A line that another group owns is never read nearby: after the first agent of a group, all others of the
        // group follow that agent's fetch.
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
        if self.hits(now, agent, line, access, plan) {
            self.counts.hits += 1;
            if access == Access::Read {
                return Some(now + self.topology.hit);
            }
            // Another thread of the core may be accessing the line.
            let start = now.max(self.exclusive[line.index()].free_at);
            self.execute(core, line, access, plan);
            self.know_owner(core, line);
            return Some(start + self.topology.hit);
        }
        match access {
            Access::Read if near && !self.lines[line.index()].promised => self.share(departure, agent),
            Access::Read if self.join(agent) => {}
            Access::Read => {
                self.lead(agent);
                self.depart(departure, agent, plan);
            }
            Access::Own => self.depart(departure, agent, plan),
        }
        None
    }

    /// Evicts a core's copy of a line. Takes no time. Returns false, and evicts nothing, if there is no copy, if it
    /// is still in flight, or if the line is promised to an agent.
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
