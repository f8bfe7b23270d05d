//! Limit on the outstanding requests beyond a node controller, for each of its children (the cores below one of its
//! links).

use super::agent::{Agent, AgentId, Phase, ServicePoint};
use super::request::Departure;
use super::topology::Topology;
use super::{LineId, Lines};
use numalab_base::{Snapshot, Time};

/// Slots of one child of a controller: one for each request beyond the controller.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    free: u32,
    /// First and last agent that wait for a slot; from the first, `Agent::next` links the waiters in order.
    waiting: Option<(AgentId, AgentId)>,
}

impl Slots {
    /// Slots of all children of controllers in the machine; empty if requests beyond controllers are not limited.
    pub fn all(topology: &Topology) -> Vec<Slots> {
        let each = |free| Slots { free, waiting: None };
        topology.requests.map_or(Vec::new(), |free| vec![each(free); topology.children() as usize])
    }
}

impl Slots {
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Slots { free, waiting } = self;
        into.add(&(free, waiting));
    }
}

impl Lines<'_> {
    /// True if a core's request to the home of a line needs a slot.
    pub(super) fn leaves_domain(&self, core: u32, line: LineId) -> bool {
        let home = self.lines[line.index()].home;
        !self.slots.is_empty() && self.topology.domain_of_home(home) != self.topology.domain_of(core)
    }

    /// Takes a slot if one is free and no agent waits. Otherwise the agent waits behind earlier waiters, since
    /// requests made at the instant of a release could overtake these again and again. Returns true if the agent has
    /// a slot.
    pub(super) fn take_slot(&mut self, agent: AgentId) -> bool {
        let this = &mut self.agents[agent.index()];
        let slots = &mut self.slots[(this.core / self.topology.child) as usize];
        if slots.free > 0 && slots.waiting.is_none() {
            slots.free -= 1;
            this.slot = true;
            return true;
        }
        this.phase = Phase::Slot;
        this.next = None;
        let (first, last) = slots.waiting.unwrap_or((agent, agent));
        if last != agent {
            self.agents[last.index()].next = Some(agent);
        }
        slots.waiting = Some((first, agent));
        false
    }

    /// Frees the slot of an agent whose request is back. Returns the number of the agent's child of the controller if
    /// other agents wait for a slot; otherwise `None`.
    #[inline]
    pub(super) fn give_slot(&mut self, agent: AgentId) -> Option<u32> {
        let this = &mut self.agents[agent.index()];
        if !std::mem::replace(&mut this.slot, false) {
            return None;
        }
        let child = this.core / self.topology.child;
        let slots = &mut self.slots[child as usize];
        slots.free += 1;
        slots.waiting.map(|_| child)
    }

    /// Gives the free slots of a child to its first waiters, whose requests then leave.
    pub(super) fn use_slot(&mut self, now: Time, child: u32) {
        let child = child as usize;
        while let Some((next, last)) = self.slots[child].waiting.filter(|_| self.slots[child].free > 0) {
            let Agent { core, line, access, next: after, .. } = self.agents[next.index()];
            self.slots[child].waiting = after.map(|after| (after, last));
            self.contest(now, line);
            let state = &self.lines[line.index()];
            let mut plan = self.request_plan(state, core, access);
            // A waiter that finds the line nearby by now leaves the slot to the next waiter, but not if other
            // requests for the line come first. These may take the line away again; the waiter would then return here
            // and find the line nearby at every release of a slot.
            if plan.place == ServicePoint::Home || !state.is_idle() {
                plan.place = ServicePoint::Home;
                self.slots[child].free -= 1;
                self.agents[next.index()].slot = true;
            }
            self.depart(Departure::at(now), next, plan);
        }
    }
}
