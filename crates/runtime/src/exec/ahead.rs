//! Early requests: a core executes a window of instructions at once, so requests for later operations leave while it
//! still computes.
//!
//! A line arrives earlier by as much as its request could have left earlier: as far back as the window reaches, but
//! neither before the thread began to compute nor before the last access of another core. A thread that waits for a
//! value sees no later operation meanwhile. Requests of plain stores never leave early. Atomic operations, and
//! operations after these, leave early by the fractions that the machine states.

use super::Exec;
use super::step::Need;
use numalab_base::{Span, Time};
use numalab_coherence::{Access, AgentId};
use numalab_machine::Machine;

/// Reach of a core's instruction window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// Time that the core needs for the instructions of its window; 0 if the window is not known.
    window: Span,
    /// Fractions of an atomic operation's wait that overlap with earlier operations (`ahead`) and with later ones
    /// (`past`).
    ahead: f64,
    past: f64,
}

impl Sight {
    pub fn new(machine: &Machine) -> Sight {
        let core = &machine.core;
        Sight { window: core.window_time(), ahead: core.atomic_ahead, past: core.atomic_past }
    }

    /// True if the machine states the size of the window.
    pub fn is_known(self) -> bool {
        self.window > Span::ZERO
    }
}

/// `time` times the fraction `part`, rounded down to picoseconds.
fn part(time: Span, part: f64) -> Span {
    Span((time.0 as f64 * part) as u64)
}

impl Exec<'_> {
    /// Tells the interpreter that an idle thread has computed since the time `since` without waiting for others.
    /// Requests of its next program may have left since then.
    pub fn began_to_compute(&mut self, agent: AgentId, since: Time) {
        self.agents[agent.index()].computes_since = since;
    }

    /// Part of `time`, the time of an agent's last program, that overlaps with later operations. It is 0 if the
    /// program waited for a value, and all of `time` without atomic operations. With atomic operations it is the
    /// fraction `past` of the time outside them.
    pub fn foreseen(&self, agent: AgentId, time: Span) -> Span {
        let thread = &self.agents[agent.index()];
        match (thread.straight, thread.atomics) {
            (false, _) => Span::ZERO,
            (true, None) => time,
            (true, Some(atomics)) => part(time.saturating_sub(atomics), self.sight.past),
        }
    }

    /// Span by which the request of an operation may have left before `time`; 0 for a plain store, if the program has
    /// waited for a value, or if the window is not known.
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
