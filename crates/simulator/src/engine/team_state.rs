//! A team while it runs a phase: all threads, or one of the inner teams.

use numalab_base::{Snapshot, Time};

/// The thread that came to a meeting last so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Latest {
    pub at: Time,
    pub thread: u32,
}

/// A team.
#[derive(Clone, Debug)]
pub(crate) struct TeamState {
    /// Its first thread; the others follow.
    pub first: u32,
    /// Number of threads.
    pub size: u32,
    /// Whether its meetings cost nothing.
    pub free: bool,
    /// The last thread that came to each of the latest two meetings. Nobody is at a third one while somebody has
    /// not left the first.
    latest: [Latest; 2],
    /// Threads that wait at a meeting that costs nothing.
    waiting: Vec<u32>,
}

impl TeamState {
    pub fn new(first: u32, size: u32, free: bool, began: Time) -> TeamState {
        TeamState { first, size, free, latest: [Latest { at: began, thread: first }; 2], waiting: Vec::new() }
    }

    /// Writes down who waits. When somebody came last matters to those who do not know yet that all have come: see
    /// [`TeamState::last`].
    pub fn snapshot(&self, into: &mut Snapshot) {
        let TeamState { first: _, size: _, free: _, latest: _, waiting } = self;
        into.add(waiting);
    }

    /// Somebody came to a meeting.
    pub fn arrive(&mut self, meeting: u32, thread: u32, now: Time) {
        // Nobody comes before now, so this is the latest so far; what the place held is two meetings old.
        self.latest[meeting as usize % 2] = Latest { at: now, thread };
    }

    /// The last thread that came to a meeting.
    pub fn last(&self, meeting: u32) -> Latest {
        self.latest[meeting as usize % 2]
    }

    /// Thread that came to any meeting last.
    pub fn latest(&self) -> Latest {
        self.latest[0].max(self.latest[1])
    }

    /// A thread waits at a meeting that costs nothing. All of them, when it is the last.
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
