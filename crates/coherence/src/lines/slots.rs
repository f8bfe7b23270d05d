//! Requests that may be beyond a controller at once.

use super::agent::{Agent, Phase};
use super::topology::Topology;
use super::{Lines, NOBODY};

/// The slots of one child of a controller.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    free: u32,
    /// Agents that wait for one: the first and the last.
    first: u32,
    last: u32,
}

impl Slots {
    /// Slots of every child in the machine; none where they are not limited.
    pub fn all(topology: &Topology) -> Vec<Slots> {
        let each = |free| Slots { free, first: NOBODY, last: NOBODY };
        topology.requests.map_or(Vec::new(), |free| vec![each(free); topology.children() as usize])
    }
}

impl Lines<'_> {
    /// Whether a request of a core to the home of a line needs a slot.
    pub(super) fn leaves_domain(&self, core: u32, line: u32) -> bool {
        let home = self.lines[line as usize].home;
        !self.slots.is_empty() && self.topology.domain_of_home(home) != self.topology.domain_of(core)
    }

    /// Takes a slot, or waits for one.
    pub(super) fn take_slot(&mut self, agent: u32) -> bool {
        let this = &mut self.agents[agent as usize];
        let slots = &mut self.slots[(this.core / self.topology.child) as usize];
        if slots.free > 0 {
            slots.free -= 1;
            this.slot = true;
            return true;
        }
        this.phase = Phase::Slot;
        this.next = NOBODY;
        if slots.first == NOBODY {
            slots.first = agent;
        } else {
            self.agents[slots.last as usize].next = agent;
        }
        slots.last = agent;
        false
    }

    /// The agent's request is back. The child of the controller whose slot somebody waits for.
    #[inline]
    pub(super) fn give_slot(&mut self, agent: u32) -> Option<u32> {
        let this = &mut self.agents[agent as usize];
        if !std::mem::replace(&mut this.slot, false) {
            return None;
        }
        let child = this.core / self.topology.child;
        let slots = &mut self.slots[child as usize];
        slots.free += 1;
        (slots.first != NOBODY).then_some(child)
    }

    /// A slot is free: the next may leave.
    pub(super) fn use_slot(&mut self, now: u64, child: u32) {
        let child = child as usize;
        // Who finds the line nearby by now leaves its slot to the next.
        while self.slots[child].free > 0 && self.slots[child].first != NOBODY {
            let next = self.slots[child].first;
            let Agent { core, line, access, next: after, .. } = self.agents[next as usize];
            self.slots[child].first = after;
            self.contest(now, line);
            let plan = self.plan(&self.lines[line as usize], core, access);
            self.depart(now, next, plan);
        }
    }
}
