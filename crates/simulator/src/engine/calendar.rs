//! Calendar of threads, from the first phase to the last.

use numalab_base::{Snapshot, ThreadId, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

// Glossary: calendar: Instants at which threads end what they do or look for work again, from the first phase to
//   the last.
/// Ends of activities and wake-ups of all threads, ordered by time, then by thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calendar {
    /// Ends of activities. Entries of activities that were cut short are skipped; entries of delayed activities are
    /// entered again.
    ends: BinaryHeap<Reverse<(Time, ThreadId)>>,
    /// Times at which parked threads look for work again. Entries of threads that are no longer parked are skipped.
    wakes: BinaryHeap<Reverse<(Time, ThreadId)>>,
}

/// Earlier of two optional times; `None` only if both are absent.
pub(crate) fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Calendar {
    /// Adds the end of a thread's activity.
    pub fn end(&mut self, at: Time, thread: ThreadId) {
        self.ends.push(Reverse((at, thread)));
    }

    /// Adds the wake-up of a parked thread.
    pub fn wake(&mut self, at: Time, thread: ThreadId) {
        self.wakes.push(Reverse((at, thread)));
    }

    /// Instant of the first end or wake-up.
    pub fn next(&self) -> Option<Time> {
        let end = self.ends.peek().map(|Reverse((at, _))| *at);
        let wake = self.wakes.peek().map(|Reverse((at, _))| *at);
        earlier(end, wake)
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Calendar { ends, wakes } = self;
        into.add(&(ends.len(), wakes.len()));
        for entries in [ends, wakes] {
            for Reverse((at, thread)) in entries.clone().into_sorted_vec() {
                into.time(at);
                into.add(&thread);
            }
        }
    }

    /// Takes the first end of an activity if it is due.
    pub fn take_end(&mut self, now: Time) -> Option<ThreadId> {
        take(&mut self.ends, now)
    }

    /// Takes the first wake-up if it is due.
    pub fn take_wake(&mut self, now: Time) -> Option<ThreadId> {
        take(&mut self.wakes, now)
    }

    /// Drops wake-ups at the end of a phase.
    pub fn forget_wakes(&mut self) {
        self.wakes.clear();
    }
}

/// Takes the first entry if it is due.
pub(crate) fn take<T: Ord>(entries: &mut BinaryHeap<Reverse<(Time, T)>>, now: Time) -> Option<T> {
    let due = entries.peek().is_some_and(|Reverse((at, _))| *at <= now);
    due.then(|| entries.pop()).flatten().map(|Reverse((_, owner))| owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: entries come in the order of time, then of threads.
    #[test]
    fn ends_come_by_time_then_by_thread() {
        let thread = ThreadId::new;
        let mut calendar = Calendar::default();
        let entries = [(7, 2), (5, 1), (5, 4), (5, 0)];
        entries.into_iter().for_each(|(at, number)| calendar.end(Time(at), thread(number)));
        assert_eq!((calendar.take_end(Time(4)), calendar.next()), (None, Some(Time(5))));
        let due = std::iter::from_fn(|| calendar.take_end(Time(5))).collect::<Vec<_>>();
        assert_eq!(due, [0, 1, 4].map(thread));
        calendar.wake(Time(6), thread(3));
        assert_eq!((calendar.take_wake(Time(5)), calendar.next()), (None, Some(Time(6))));
        calendar.forget_wakes();
        assert_eq!(calendar.next(), Some(Time(7)));
    }
}
