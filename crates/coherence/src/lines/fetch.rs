//! A group fetches a line once for all of its cores that miss it together.

use super::agent::{Agent, Phase};
use super::{Access, Lines, NOBODY};

impl Lines<'_> {
    /// The agent whose request brings the line to the group of another that wants it.
    #[inline]
    fn fetcher(&self, agent: u32) -> Option<u32> {
        let Agent { core, line, .. } = self.agents[agent as usize];
        if self.lines[line as usize].fetched == 0 {
            return None;
        }
        let mut agent = self.fetchers[self.topology.group_of(core) as usize];
        while agent != NOBODY {
            let other = &self.agents[agent as usize];
            if other.line == line {
                return Some(agent);
            }
            agent = other.fetcher;
        }
        None
    }

    /// When a copy that is still on its way to a core, for any of its threads, is there.
    #[inline]
    pub(super) fn coming(&self, core: u32, line: u32) -> Option<u64> {
        let mut agent = self.residents[core as usize];
        let mut last = None;
        while agent != NOBODY {
            let other = &self.agents[agent as usize];
            if other.line == line && other.phase == Phase::Answer {
                last = last.max(Some(other.answer));
            }
            agent = other.neighbour;
        }
        last
    }

    /// A read that its group cannot answer yet joins the one that is under way; `false` if none is.
    #[inline]
    pub(super) fn join(&mut self, agent: u32) -> bool {
        let Some(fetcher) = self.fetcher(agent) else { return false };
        if self.agents[fetcher as usize].phase == Phase::Answer {
            // What it was served is gone again.
            return false;
        }
        let others = std::mem::replace(&mut self.agents[fetcher as usize].follower, agent);
        let this = &mut self.agents[agent as usize];
        this.phase = Phase::Follows;
        this.next = others;
        true
    }

    /// A read of what its group has, or has been promised.
    pub(super) fn share(&mut self, now: u64, agent: u32) {
        let ready = self.fetcher(agent).map_or(0, |fetcher| self.agents[fetcher as usize].answer);
        self.take_from_cache(now.max(ready), agent);
    }

    /// The group's cache answers; nobody else is disturbed.
    fn take_from_cache(&mut self, now: u64, agent: u32) {
        let (core, line) = (self.agents[agent as usize].core, self.agents[agent as usize].line);
        let group = self.topology.group_of(core);
        let answer = self.ports.cache(group, now) + self.topology.clean;
        let plan = self.plan(&self.lines[line as usize], core, Access::Read);
        self.execute(core, line, Access::Read, plan);
        let state = &mut self.lines[line as usize];
        state.read_until = state.read_until.max(answer);
        self.counts.cache += 1;
        let this = &mut self.agents[agent as usize];
        this.phase = Phase::Answer;
        this.answer = answer;
        self.agenda.set(agent, answer);
    }

    /// From now on the agent fetches for its group.
    pub(super) fn lead(&mut self, agent: u32) {
        let this = &mut self.agents[agent as usize];
        self.lines[this.line as usize].fetched += 1;
        let first = &mut self.fetchers[self.topology.group_of(this.core) as usize];
        let next = std::mem::replace(first, agent);
        (this.fetches, this.fetcher, this.fetcher_before) = (true, next, NOBODY);
        if next != NOBODY {
            self.agents[next as usize].fetcher_before = agent;
        }
    }

    /// It has what it fetched, if it did.
    #[inline]
    pub(super) fn led(&mut self, agent: u32) {
        let this = &mut self.agents[agent as usize];
        if !std::mem::replace(&mut this.fetches, false) {
            return;
        }
        let (core, next, before) = (this.core, this.fetcher, this.fetcher_before);
        self.lines[this.line as usize].fetched -= 1;
        if before == NOBODY {
            self.fetchers[self.topology.group_of(core) as usize] = next;
        } else {
            self.agents[before as usize].fetcher = next;
        }
        if next != NOBODY {
            self.agents[next as usize].fetcher_before = before;
        }
    }

    /// All that waited for it are served by the group's cache.
    #[inline]
    pub(super) fn serve_followers(&mut self, agent: u32, answer: u64) {
        let mut follower = std::mem::replace(&mut self.agents[agent as usize].follower, NOBODY);
        while follower != NOBODY {
            let next = self.agents[follower as usize].next;
            self.take_from_cache(answer, follower);
            follower = next;
        }
    }
}
