//! Merging of misses: a group fetches a line once for all cores that miss it together.

use super::agent::{Agent, AgentId, Phase};
use super::chain::Effect;
use super::request::Departure;
use super::request_plan::RequestPlan;
use super::{Access, LineId, Lines};
use numalab_base::Time;

impl Lines<'_> {
    /// Agent that fetches the line of an agent for their common group; `None` if no fetch is under way.
    #[inline]
    fn fetcher(&self, agent: AgentId) -> Option<AgentId> {
        let Agent { group, line, .. } = self.agents[agent.index()];
        if self.lines[line.index()].fetched == 0 {
            return None;
        }
        let mut fetcher = self.fetchers[group as usize];
        while let Some(agent) = fetcher {
            let other = &self.agents[agent.index()];
            if other.line == line {
                break;
            }
            fetcher = other.fetcher;
        }
        fetcher
    }

    /// Arrival time of a copy in flight to a core, requested by any of its threads (the last, if several); `None`
    /// without a copy in flight.
    #[inline]
    pub(super) fn coming(&self, core: u32, line: LineId) -> Option<Time> {
        let mut resident = self.residents[core as usize];
        let mut last = None;
        while let Some(agent) = resident {
            let other = &self.agents[agent.index()];
            if other.line == line && other.phase == Phase::Answer {
                last = last.max(Some(other.answer));
            }
            resident = other.neighbour;
        }
        last
    }

    /// Makes an agent's read follow the fetch of the line that is under way in its group. Returns false if no fetch
    /// is under way, or if the fetched copy has been lost again.
    #[inline]
    pub(super) fn join(&mut self, agent: AgentId) -> bool {
        let Some(fetcher) = self.fetcher(agent) else { return false };
        if self.agents[fetcher.index()].phase == Phase::Answer {
            // The fetched copy has been lost again.
            return false;
        }
        let others = self.agents[fetcher.index()].follower.replace(agent);
        let this = &mut self.agents[agent.index()];
        this.phase = Phase::Follows;
        this.next = others;
        true
    }

    /// Serves a read from the group's cache, which has the line or receives it by a fetch under way.
    pub(super) fn share(&mut self, Departure { now, earlier }: Departure, agent: AgentId) {
        let ready = self.fetcher(agent).map_or(Time::ZERO, |fetcher| self.agents[fetcher.index()].answer);
        let line = self.agents[agent.index()].line;
        let asks = self.left_at(now, earlier, line).max(ready);
        self.take_from_cache(asks, now, agent);
    }

    /// Fast path for followers that only join the sharers, like the follower served before them. Returns the first
    /// follower that needs another plan; `None` if all are served.
    fn join_all(&mut self, mut followers: Option<AgentId>, now: Time) -> Option<AgentId> {
        let Agent { group, line, .. } = self.agents[followers?.index()];
        let state = &mut self.lines[line.index()];
        while let Some(agent) = followers {
            let this = &mut self.agents[agent.index()];
            if !state.holders.add(&mut self.sets, this.core) {
                break;
            }
            followers = this.next;
            let answer = self.ports.cache(group, now) + self.topology.clean;
            state.read_until = state.read_until.max(answer);
            self.counts.cache += 1;
            if this.looks {
                this.phase = Phase::Idle;
                self.looks.push((answer, agent));
            } else {
                this.phase = Phase::Answer;
                this.answer = answer;
                self.agenda.set(agent, answer);
            }
        }
        followers
    }

    /// Reads from the group's cache, requested at `asked` and answered at `now` at the earliest. Returns the plan of
    /// the access.
    fn take_from_cache(&mut self, asked: Time, now: Time, agent: AgentId) -> RequestPlan {
        let Agent { core, group, line, looks, .. } = self.agents[agent.index()];
        let answer = (self.ports.cache(group, asked) + self.topology.clean).max(now);
        let state = &self.lines[line.index()];
        let plan = self.request_plan(state, core, Access::Read);
        self.execute(core, line, Access::Read, plan);
        let state = &mut self.lines[line.index()];
        state.read_until = state.read_until.max(answer);
        self.counts.cache += 1;
        if looks {
            self.agents[agent.index()].phase = Phase::Idle;
            self.looks.push((answer, agent));
        } else {
            self.see(answer, agent);
        }
        plan
    }

    /// Registers an agent as the one that fetches its line for its group.
    pub(super) fn lead(&mut self, agent: AgentId) {
        let this = &mut self.agents[agent.index()];
        self.lines[this.line.index()].fetched += 1;
        let first = &mut self.fetchers[this.group as usize];
        let next = first.replace(agent);
        (this.fetches, this.fetcher, this.fetcher_before) = (true, next, None);
        if let Some(next) = next {
            self.agents[next.index()].fetcher_before = Some(agent);
        }
    }

    /// Ends an agent's fetch, if it has one.
    #[inline]
    pub(super) fn led(&mut self, agent: AgentId) {
        let this = &mut self.agents[agent.index()];
        if !std::mem::replace(&mut this.fetches, false) {
            return;
        }
        let (group, next, before) = (this.group, this.fetcher, this.fetcher_before);
        self.lines[this.line.index()].fetched -= 1;
        match before {
            None => self.fetchers[group as usize] = next,
            Some(before) => self.agents[before.index()].fetcher = next,
        }
        if let Some(next) = next {
            self.agents[next.index()].fetcher_before = before;
        }
    }

    /// Serves all followers of an agent from the group's cache, which has the line from `answer` on.
    #[inline]
    pub(super) fn serve_followers(&mut self, agent: AgentId, answer: Time) {
        let mut followers = self.agents[agent.index()].follower.take();
        while let Some(follower) = followers {
            followers = self.agents[follower.index()].next;
            let plan = self.take_from_cache(answer, answer, follower);
            if plan.effect == Effect::Joins && self.log.is_none() {
                followers = self.join_all(followers, answer);
            }
        }
    }
}
