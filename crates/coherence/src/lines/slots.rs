//! Requests that may be beyond a controller at once.

use super::agent::{Agent, AgentId, Phase, ServicePoint};
use super::request::Departure;
use super::topology::Topology;
use super::{LineId, Lines};
use numalab_base::{Snapshot, Time};

/// The slots of one child of a controller.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    free: u32,
    /// Agents that wait for one: the first and the last.
    waiting: Option<(AgentId, AgentId)>,
}

impl Slots {
    /// The slots of every child in the machine; none where they are not limited.
    pub fn all(topology: &Topology) -> Vec<Slots> {
        let each = |free| Slots { free, waiting: None };
        topology.requests.map_or(Vec::new(), |free| vec![each(free); topology.children() as usize])
    }
}

impl Slots {
    /// Writes down who has one and who waits.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Slots { free, waiting } = self;
        into.add(&(free, waiting));
    }
}

impl Lines<'_> {
    /// Whether a request of a core to the home of a line needs a slot.
    pub(super) fn leaves_domain(&self, core: u32, line: LineId) -> bool {
        let home = self.lines[line.index()].home;
        !self.slots.is_empty() && self.topology.domain_of_home(home) != self.topology.domain_of(core)
    }

    /// Takes a slot, or waits for one behind all that wait: who came at the instant at which one is given back would
    /// pass them again and again.
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

    /// The agent's request is back. The child of the controller whose slot somebody waits for.
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

    /// A slot is free: the first that waits may leave.
    pub(super) fn use_slot(&mut self, now: Time, child: u32) {
        let child = child as usize;
        while let Some((next, last)) = self.slots[child].waiting.filter(|_| self.slots[child].free > 0) {
            let Agent { core, line, access, next: after, .. } = self.agents[next.index()];
            self.slots[child].waiting = after.map(|after| (after, last));
            self.contest(now, line);
            let state = &self.lines[line.index()];
            let mut plan = self.request_plan(state, core, access);
            // Who finds the line nearby by now leaves the slot to the next. Where others come first it is gone by the time
            // that it answers: who asked it would be back here, and find it nearby whenever a neighbour gives a slot back.
            if plan.place == ServicePoint::Home || !state.is_idle() {
                plan.place = ServicePoint::Home;
                self.slots[child].free -= 1;
                self.agents[next.index()].slot = true;
            }
            self.depart(Departure::at(now), next, plan);
        }
    }
}
