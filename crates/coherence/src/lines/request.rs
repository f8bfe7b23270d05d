//! Requests of agents, and copies that cores give up.

use super::agent::{AgentId, Phase, ServicePoint};
use super::chain::need;
use super::plan::Plan;
use super::{Access, LineId, Lines, Served, Transaction};
use numalab_machine::CoreId;

impl Lines<'_> {
    /// Asks for a line. `Some` is the time of a hit in the agent's own cache, and nothing is outstanding
    /// then; after `None` the agent comes out of [`Lines::pop`] when it has the line.
    pub fn request(&mut self, now: u64, agent: AgentId, line: LineId, access: Access) -> Option<u64> {
        let this = &mut self.agents[agent.index()];
        debug_assert_eq!(this.phase, Phase::Idle, "one request or timer at a time");
        let core = this.core;
        (this.line, this.access) = (line, access);
        self.contest(now, line);
        let state = &self.lines[line.index()];
        // What another group owns is never read nearby: all but the first of a group follow that one.
        if access == Access::Read && state.fetched > 0 {
            let owner = state.directories.owner_in_group();
            if owner.is_some_and(|owner| owner != self.topology.path(core)[0]) && self.join(agent) {
                return None;
            }
        }
        let state = &self.lines[line.index()];
        let plan = match need(state.copy(&self.topology, &self.sets, core), access) {
            None => Plan::default(),
            Some(_) => self.plan(state, core, access),
        };
        let near = matches!(plan.place, ServicePoint::Core | ServicePoint::Cache);
        // It may still be on its way to another thread of the core.
        if plan.place == ServicePoint::Core && !state.promised && self.coming(core, line).is_none() {
            self.counts.hits += 1;
            if access == Access::Read {
                return Some(now + self.topology.hit);
            }
            // Another thread of the core may be at work on the line.
            let start = now.max(self.quiet[line.index()].free_at);
            self.execute(core, line, access, plan);
            self.know_owner(core, line);
            return Some(start + self.topology.hit);
        }
        match access {
            Access::Read if near && !state.promised => self.share(now, agent),
            Access::Read if self.join(agent) => {}
            Access::Read => {
                self.lead(agent);
                self.depart(now, agent, plan);
            }
            Access::Own => self.depart(now, agent, plan),
        }
        None
    }

    /// A core gives its copy of a line up: to make room, say. Takes no time of anybody's, and is left undone
    /// (`false`) where there is no copy, or where it is still on its way.
    pub fn evict(&mut self, now: u64, CoreId(core): CoreId, line: LineId) -> bool {
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
