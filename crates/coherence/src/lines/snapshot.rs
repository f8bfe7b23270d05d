//! Snapshot of all lines and agents, for the detection of cycles.
//!
//! Contains everything that the engine reads later. Past times that have no further effect, as on an idle line, are
//! all equal. Every field is named, so a new one cannot be forgotten.

use super::agent::{Agent, Phase};
use super::exclusive_fast_path::Exclusive;
use super::line::Line;
use super::{Lines, Ready};
use numalab_base::{Snapshot, Time};

impl Lines<'_> {
    /// Adds the state of all lines and agents to a snapshot, without the counts of requests.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Lines {
            ports,
            slots,
            sets,
            lines,
            exclusive,
            agents,
            fetchers,
            agenda,
            ready,
            // Constant, recomputed on demand, or without effect on later events.
            topology: _,
            rows: _,
            owned: _,
            ways: _,
            residents: _,
            scopes: _,
            homes: _,
            counts: _,
            asks_always: _,
            log: _,
            // Empty while nothing is under way.
            looks: _,
            jitter,
        } = self;
        jitter.snapshot(into);
        ports.snapshot(self.topology.seen, into);
        slots.iter().for_each(|slots| slots.snapshot(into));
        into.add(&(lines.len(), agents.len(), fetchers));
        // A line that was free before the earliest unserved request is free for all of them.
        let unserved = agents.iter().filter(|agent| agent.phase.is_unserved());
        let seen = self.topology.seen;
        let earliest = unserved.map(|agent| agent.arrives).fold(into.now(), Time::min).saturating_sub(seen);
        for (line, Exclusive { free_at, owner: _ }) in lines.iter().zip(exclusive) {
            let Line {
                home: _,
                holders,
                directories,
                responder,
                may_be_exclusive,
                memory_is_current,
                source,
                promised,
                granted_at,
                group_since,
                domain_since,
                read_until,
                first,
                joined,
                one_group,
                due,
                lone,
                raced,
                fetched,
            } = line;
            holders.snapshot(sets, into);
            directories.snapshot(&sets.lists, into);
            into.add(&(responder, may_be_exclusive, memory_is_current, source, promised));
            into.add(&(first, joined, one_group, due, lone, raced, fetched));
            let times = [free_at, granted_at, group_since, domain_since, read_until];
            match line.is_idle() && lone.is_none() {
                // Requests may have left as early as cores look ahead.
                true => times.map(|at| into.not_before(*at + seen)),
                false => times.map(|at| into.time((*at).max(earliest))),
            };
        }
        for agent in agents {
            self.snapshot_agent(agent, into);
        }
        for agent in super::AgentId::first(agents.len() as u32) {
            snapshot_time(agenda.entry(agent), into);
        }
        if let Some(Ready { at, line, child }) = ready {
            into.add(&(line, child));
            into.time(*at);
        }
    }

    /// Adds the fields of an agent that are read later to a snapshot. All other fields are left over from earlier
    /// requests.
    fn snapshot_agent(&self, agent: &Agent, into: &mut Snapshot) {
        let Agent {
            core: _,
            group: _,
            alone: _,
            neighbour: _,
            line,
            access,
            looks,
            phase,
            place,
            plan,
            slot,
            next,
            previous,
            follower,
            fetches,
            fetcher,
            fetcher_before,
            arrives,
            left,
            reach,
            shift,
            answer,
            release,
            scope,
        } = agent;
        into.add(&(phase, slot, follower, fetches, fetcher, fetcher_before));
        match phase {
            Phase::Idle | Phase::Timer => {}
            Phase::Slot | Phase::Follows => into.add(&(line, access, looks, next)),
            Phase::Queued => {
                into.add(&(line, access, looks, place, shift, next, previous));
                [arrives, left].into_iter().for_each(|at| into.time(*at));
            }
            Phase::Alone => {
                into.add(&(line, access, place, plan, scope, reach, shift));
                [arrives, left, answer, release].into_iter().for_each(|at| into.time(*at));
            }
            Phase::Answer => {
                into.add(&(line, access));
                into.time(*answer);
            }
        }
    }
}

fn snapshot_time(at: Option<Time>, into: &mut Snapshot) {
    into.add(&at.is_some());
    if let Some(at) = at {
        into.time(at);
    }
}
