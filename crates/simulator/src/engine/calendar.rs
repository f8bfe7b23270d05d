//! Calendar of events that are due, from the first phase to the last.

use crate::engine::actor::Actor;
use numalab_base::{Snapshot, ThreadId, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

// Glossary: calendar: List of events that are due, by time, from the first phase to the last.
/// Entries of actors by time; of equal times actors in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calendar {
    /// Ends of what threads and processors do: one at most for each.
    ends: BinaryHeap<Reverse<(Time, Actor)>>,
    /// Parked threads that were told to look for work again. A thread that is not parked any more when its
    /// time comes has found work without it.
    wakes: BinaryHeap<Reverse<(Time, ThreadId)>>,
    /// The scanner's next walk.
    scan: Option<Time>,
}

/// The earlier of two times, if there is any.
pub(crate) fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Calendar {
    /// Something that an actor does ends.
    pub fn end(&mut self, at: Time, actor: Actor) {
        self.ends.push(Reverse((at, actor)));
    }

    /// A parked thread looks for work again.
    pub fn wake(&mut self, at: Time, thread: ThreadId) {
        self.wakes.push(Reverse((at, thread)));
    }

    /// The scanner's next walk is due.
    pub fn scan(&mut self, at: Option<Time>) {
        self.scan = at;
    }

    /// The first entry that others wait for. The scanner's is none: it goes on as long as anything does.
    pub fn next(&self) -> Option<Time> {
        let end = self.ends.peek().map(|Reverse((at, _))| *at);
        let wake = self.wakes.peek().map(|Reverse((at, _))| *at);
        earlier(end, wake)
    }

    /// Writes down all entries but the scanner's.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Calendar { ends, wakes, scan: _ } = self;
        into.add(&(ends.len(), wakes.len()));
        for Reverse((at, actor)) in ends.clone().into_sorted_vec() {
            into.time(at.0);
            into.add(&actor);
        }
        for Reverse((at, thread)) in wakes.clone().into_sorted_vec() {
            into.time(at.0);
            into.add(&thread);
        }
    }

    /// Instant at which the scanner walks next.
    pub fn next_scan(&self) -> Option<Time> {
        self.scan
    }

    /// Takes an end that is due.
    pub fn take_end(&mut self, now: Time) -> Option<Actor> {
        let due = self.ends.peek().is_some_and(|Reverse((at, _))| *at == now);
        due.then(|| self.ends.pop()).flatten().map(|Reverse((_, actor))| actor)
    }

    /// Takes a wake-up that is due.
    pub fn take_wake(&mut self, now: Time) -> Option<ThreadId> {
        let due = self.wakes.peek().is_some_and(|Reverse((at, _))| *at == now);
        due.then(|| self.wakes.pop()).flatten().map(|Reverse((_, thread))| thread)
    }

    /// Nobody looks for work of this phase any more.
    pub fn forget_wakes(&mut self) {
        self.wakes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: Event sources have a fixed order at one instant.
    #[test]
    fn ends_come_in_the_order_of_time_and_then_of_actors() {
        let thread = |number| Actor::Thread(ThreadId::new(number));
        let mut calendar = Calendar::default();
        let entries = [(7, thread(2)), (5, thread(1)), (5, Actor::Processor(4)), (5, thread(0))];
        entries.into_iter().for_each(|(at, actor)| calendar.end(Time(at), actor));
        calendar.scan(Some(Time(1)));
        assert_eq!((calendar.next(), calendar.next_scan()), (Some(Time(5)), Some(Time(1))));
        let due = std::iter::from_fn(|| calendar.take_end(Time(5))).collect::<Vec<_>>();
        assert_eq!(due, [Actor::Processor(4), thread(0), thread(1)]);
        calendar.wake(Time(6), ThreadId::new(3));
        assert_eq!((calendar.take_wake(Time(5)), calendar.next()), (None, Some(Time(6))));
        calendar.forget_wakes();
        assert_eq!(calendar.next(), Some(Time(7)));
    }
}
