//! Queue of events: each agent has at most one entry.
//!
//! Entries due soon, which are nearly all, lie in a ring, where an operation takes a few steps. Entries beyond the
//! ring's reach, in the past, or in an interval with many earlier entries lie in a heap.

use super::agent::AgentId;
use super::ring::{Due, Ring};
use numalab_base::{Span, Time};
use numalab_des::EventQueue;

/// Queue in which an agent's entry lies: the ring or the heap; `Nowhere` without an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Nowhere,
    Ring,
    Heap,
}

/// Entries by time; of equal times the agent with the lower number comes first.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    /// Queue that holds each agent's entry.
    places: Vec<Where>,
    ring: Ring,
    heap: EventQueue<AgentId>,
    first: Option<Due>,
}

impl Agenda {
    /// Empty agenda. `near`: time ahead of the present that the ring covers.
    pub fn new(near: Span) -> Agenda {
        Agenda { places: Vec::new(), ring: Ring::new(near), heap: EventQueue::new(), first: None }
    }

    /// Adds an agent without an entry.
    pub fn add(&mut self) {
        self.places.push(Where::Nowhere);
        self.ring.add();
    }

    /// Sets or moves the entry of an agent.
    #[inline]
    pub fn set(&mut self, agent: AgentId, at: Time) {
        if self.places[agent.index()] != Where::Nowhere {
            self.remove(agent);
        }
        self.places[agent.index()] = Where::Ring;
        if !self.ring.put(agent, at) {
            self.put_far(agent, at);
        }
        if self.first.is_none_or(|first| (at, agent) < first) {
            self.first = Some((at, agent));
        }
    }

    #[cold]
    fn put_far(&mut self, agent: AgentId, at: Time) {
        self.places[agent.index()] = Where::Heap;
        self.heap.set(agent, at);
    }

    pub fn entry(&self, agent: AgentId) -> Option<Time> {
        match self.places[agent.index()] {
            Where::Nowhere => None,
            Where::Ring => Some(self.ring.at(agent)),
            Where::Heap => self.heap.get(agent),
        }
    }

    /// Time of the first entry.
    #[inline]
    pub fn next(&self) -> Option<Time> {
        self.first.map(|(at, _)| at)
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Due> {
        let (at, agent) = self.first?;
        self.ring.advance(at);
        let near = if std::mem::replace(&mut self.places[agent.index()], Where::Nowhere) == Where::Ring {
            self.ring.take_first(agent)
        } else {
            self.heap.pop();
            self.ring.first()
        };
        self.first = self.least(near);
        Some((at, agent))
    }

    /// Removes an agent's entry, if there is one.
    #[cold]
    pub fn remove(&mut self, agent: AgentId) {
        match std::mem::replace(&mut self.places[agent.index()], Where::Nowhere) {
            Where::Nowhere => return,
            Where::Ring => self.ring.take(agent),
            Where::Heap => self.heap.remove(agent),
        }
        if self.first.is_some_and(|first| first.1 == agent) {
            self.first = self.least(self.ring.first());
        }
    }

    /// First entry of ring and heap. `near`: first entry of the ring.
    #[inline]
    fn least(&self, near: Option<Due>) -> Option<Due> {
        let far = self.heap.peek();
        match (near, far) {
            (Some(near), Some(far)) => Some(near.min(far)),
            (near, far) => near.or(far),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Any sequence of operations leaves the agenda equal to a plain ordered map.
        #[test]
        fn agrees_with_a_shadow_map(
            agents in 1u32..40,
            reach in 0u64..100_000,
            spread in 0u32..24,
            steps in prop::collection::vec((0u32..40, 0u8..4, 0u64..50), 1..400),
        ) {
            let mut agenda = Agenda::new(Span(reach));
            (0..agents).for_each(|_| agenda.add());
            let mut shadow = BTreeMap::new();
            let mut now = Time::ZERO;
            for (agent, step, at) in steps {
                let agent = AgentId::new(agent % agents);
                match step {
                    0 => {
                        let first = shadow.iter().map(|(agent, at)| (*at, *agent)).min();
                        prop_assert_eq!(agenda.pop(), first);
                        if let Some((at, agent)) = first {
                            shadow.remove(&agent);
                            now = at;
                        }
                    }
                    1 => {
                        agenda.remove(agent);
                        shadow.remove(&agent);
                    }
                    _ => {
                        // Half of the new times are at or after the last due time.
                        let at = if step == 2 { now + Span(at << spread) } else { Time(at) };
                        agenda.set(agent, at);
                        shadow.insert(agent, at);
                    }
                }
                prop_assert_eq!(agenda.next(), shadow.values().min().copied());
            }
        }
    }
}
