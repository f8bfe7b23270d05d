//! State of a team during a phase: the team of all threads, an inner team, or the outer team of their first threads.

use numalab_base::{Snapshot, Time};

/// Last thread that has arrived at a meeting so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Latest {
    pub at: Time,
    pub thread: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct TeamState {
    /// Number of the team's first thread. In other teams than the outer one, the further threads have the following
    /// numbers.
    pub first: u32,
    pub size: u32,
    /// True if the team's meetings cost nothing.
    pub free: bool,
    /// Last arrival so far at each of the two meetings that were reached last. A thread reaches a third meeting only
    /// after all threads have left the first.
    latest: [Latest; 2],
    /// Threads that wait at a meeting without cost.
    waiting: Vec<u32>,
}

impl TeamState {
    pub fn new(first: u32, size: u32, free: bool, began: Time) -> TeamState {
        TeamState { first, size, free, latest: [Latest { at: began, thread: first }; 2], waiting: Vec::new() }
    }

    /// Adds the waiting threads to a snapshot, without the times of arrivals. A thread keeps the time of its own
    /// arrival (`Arrival`) until it knows that all have arrived.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let TeamState { first: _, size: _, free: _, latest: _, waiting } = self;
        into.add(waiting);
    }

    pub fn arrive(&mut self, meeting: u32, thread: u32, now: Time) {
        // Arrivals are in the order of time, so this is the latest; the replaced entry is two meetings old.
        self.latest[meeting as usize % 2] = Latest { at: now, thread };
    }

    /// Last thread that arrived at a meeting.
    pub fn last(&self, meeting: u32) -> Latest {
        self.latest[meeting as usize % 2]
    }

    /// Latest of all arrivals so far, with its thread.
    pub fn latest(&self) -> Latest {
        self.latest[0].max(self.latest[1])
    }

    /// Lets a thread wait at a meeting without cost. Returns all threads of the team if `thread` is the last to
    /// arrive.
    pub fn meet(&mut self, thread: u32) -> Option<Vec<u32>> {
        self.waiting.push(thread);
        (self.waiting.len() == self.size as usize).then(|| std::mem::take(&mut self.waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_opens_the_door() {
        let mut team = TeamState::new(4, 2, true, Time::ZERO);
        let latest = |at, thread| Latest { at: Time(at), thread };
        team.arrive(0, 5, Time(3));
        assert_eq!(team.meet(5), None);
        team.arrive(0, 4, Time(7));
        assert_eq!(team.meet(4), Some(vec![5, 4]));
        team.arrive(1, 5, Time(9));
        assert_eq!((team.last(0), team.last(1), team.latest()), (latest(7, 4), latest(9, 5), latest(9, 5)));
    }
}
