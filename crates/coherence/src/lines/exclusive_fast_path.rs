//! Hits in lines that one core has for itself: nearly all that threads do which nobody disturbs. They change
//! nothing but the time until which the line is kept, so that this and the owner are all that is looked at.

use super::{Access, AgentId, LineId, Lines};
use numalab_base::{Span, Time};

numalab_base::index_type! {
    /// A core, where there may be none.
    pub(super) CoreNumber
}

/// The part of a line that its owner's hits need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exclusive {
    /// Earliest time at which another request is served.
    pub free_at: Time,
    /// The core that alone has the line and was the last to write it, while nobody has asked for it since. Nothing is
    /// known of a line without an entry.
    pub owner: Option<CoreNumber>,
}

/// A core, as the owner of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(CoreNumber);

impl Lines<'_> {
    /// The core of an agent, as the owner of lines.
    #[inline]
    pub fn owner(&self, agent: AgentId) -> Owner {
        Owner(CoreNumber::new(self.agents[agent.index()].core))
    }

    /// The time at which an agent of a core has a line that this core has for itself, and is through with it when an
    /// operation takes `time` more: as [`Lines::request`] and [`Lines::hold`] together would have it, with
    /// nobody who has to hear of it. `None` if they have to be asked.
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

    /// From now on no line is known to be anybody's, so that all accesses ask: the same, in more steps.
    pub fn ask_always(&mut self) {
        self.asks_always = true;
        self.exclusive.iter_mut().for_each(|exclusive| exclusive.owner = None);
    }

    /// Somebody wants the line or waits for a change of it, and has to hear of every access.
    #[inline]
    pub fn listen(&mut self, line: LineId) {
        self.exclusive[line.index()].owner = None;
    }

    /// A core has written a line without asking anybody, so that nobody else has it. Where nobody else wants it either,
    /// that is known until somebody does.
    pub(super) fn know_owner(&mut self, core: u32, line: LineId) {
        let state = &self.lines[line.index()];
        if state.is_idle() && !self.asks_always {
            debug_assert!(state.lone.is_none(), "who wants it has been overtaken");
            debug_assert!(state.owned().is_some_and(|[own, ..]| own == self.topology.path(core)[0]), "alone");
            self.exclusive[line.index()].owner = Some(CoreNumber::new(core));
        }
    }
}
