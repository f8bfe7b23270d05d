//! Requests that leave before their turn: a core has a window of instructions under way, so that what it needs next is on
//! its way while it still computes.
//!
//! A line comes as much earlier as its request could have left, as far as the window reaches back, not before the thread began to compute,
//! and not before the last that others did to the line. Who has had to wait for a value knew nothing ahead. Stores leave
//! when their turn comes; the requests of atomic operations, and what comes after these, as far as the machine says.

use super::Exec;
use super::step::Need;
use numalab_base::{Span, Time};
use numalab_coherence::{Access, AgentId};
use numalab_machine::Machine;

/// A core's sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// Time that its window takes; 0 where nothing is known of it.
    window: Span,
    /// Parts of the wait of an atomic operation that pass beside what comes before and after it.
    ahead: f64,
    past: f64,
}

impl Sight {
    pub fn new(machine: &Machine) -> Sight {
        let core = &machine.core;
        Sight { window: core.window_time(), ahead: core.atomic_ahead, past: core.atomic_past }
    }

    /// Whether anything is known of it.
    pub fn is_known(self) -> bool {
        self.window > Span::ZERO
    }
}

/// Part of a time.
fn part(time: Span, part: f64) -> Span {
    Span((time.0 as f64 * part) as u64)
}

impl Exec<'_> {
    /// The thread, which is in no program, has computed since this time without waiting for anybody: the requests of its next
    /// program may have left since then.
    pub fn began_to_compute(&mut self, agent: AgentId, since: Time) {
        self.agents[agent.index()].computes_since = since;
    }

    /// Part of the time of an agent's last program in which its core could go on with what comes next: all, if every value was there
    /// that it could have waited for; less atomic operations themselves, and the part that their waits keep it from. Else nothing.
    pub fn foreseen(&self, agent: AgentId, time: Span) -> Span {
        let thread = &self.agents[agent.index()];
        match (thread.straight, thread.atomics) {
            (false, _) => Span::ZERO,
            (true, None) => time,
            (true, Some(atomics)) => part(time.saturating_sub(atomics), self.sight.past),
        }
    }

    /// Time that the request of an operation may have left earlier than at this time.
    pub(super) fn earlier(&self, time: Time, agent: AgentId, need: Need) -> Span {
        let thread = &self.agents[agent.index()];
        let is_store = need.access == Access::Own && !need.atomic;
        if !self.sight.is_known() || !thread.straight || is_store {
            return Span::ZERO;
        }
        let seen = time.since(thread.computes_since).min(self.sight.window);
        let seen = if thread.atomics.is_some() { part(seen, self.sight.past) } else { seen };
        if need.atomic { part(seen, self.sight.ahead) } else { seen }
    }
}
