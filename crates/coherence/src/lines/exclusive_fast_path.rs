//! Fast path for hits on exclusive lines: most accesses of undisturbed threads. Such hits change only the time until
//! which the line is kept, so only that time and the owner are accessed.

use super::{Access, AgentId, LineId, Lines};
use numalab_base::{Span, Time};

numalab_base::index_type! {
    pub(super) CoreNumber
}

/// Part of a line's state that is needed for hits by the line's owner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exclusive {
    /// Earliest time at which a request of another agent is served.
    pub free_at: Time,
    /// Core that holds the line exclusively and wrote the line last, while no other agent has requested the line.
    /// `None` if no such core is known: the slow path decides.
    pub owner: Option<CoreNumber>,
}

/// Core as stored in the owner field of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(CoreNumber);

impl Lines<'_> {
    /// Core of an agent, for [`Lines::exclusive_hit`].
    #[inline]
    pub fn owner(&self, agent: AgentId) -> Owner {
        Owner(CoreNumber::new(self.agents[agent.index()].core))
    }

    /// Fast path of a hit on a line that the core holds exclusively. Returns the time at which the access ends, as
    /// [`Lines::request`] and [`Lines::hold`] would find it; a store takes `time` in addition to the hit. `None` if
    /// the slow path is needed.
    #[inline]
    pub fn exclusive_hit(
        &mut self,
        now: Time,
        owner: Owner,
        line: LineId,
        access: Access,
        time: Span,
    ) -> Option<Time> {
        let exclusive = &mut self.exclusive[line.index()];
        if exclusive.owner != Some(owner.0) {
            return None;
        }
        self.counts.hits += 1;
        match access {
            Access::Read => Some(now + self.topology.hit),
            Access::Own => {
                let end = now.max(exclusive.free_at) + self.topology.hit + time;
                exclusive.free_at = end;
                Some(end)
            }
        }
    }

    /// Forgets all owners, so that every access takes the slow path; the results are the same.
    pub fn ask_always(&mut self) {
        self.asks_always = true;
        self.exclusive.iter_mut().for_each(|exclusive| exclusive.owner = None);
    }

    /// Forgets the owner of a line: another agent wants it or waits for a change, so the owner's accesses take the
    /// slow path.
    #[inline]
    pub fn listen(&mut self, line: LineId) {
        self.exclusive[line.index()].owner = None;
    }

    /// Makes a core the line's owner for the fast path, after a store without a transaction (so no other core has a
    /// copy). No effect while another agent wants the line.
    pub(super) fn know_owner(&mut self, core: u32, line: LineId) {
        let state = &self.lines[line.index()];
        if state.is_idle() && !self.asks_always {
            debug_assert!(state.lone.is_none(), "who wants it has been overtaken");
            debug_assert!(state.owned().is_some_and(|[own, ..]| own == self.topology.path(core)[0]), "alone");
            self.exclusive[line.index()].owner = Some(CoreNumber::new(core));
        }
    }
}
