//! The end of a queue from which tasks are taken, and the order in which a thread searches other
//! queues.

use numalab_workload::QueueKind;
use std::cmp::Reverse;

/// An end of a task queue. New tasks go to the back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueEnd {
    /// The end with the oldest task.
    Front,
    /// The end with the newest task.
    Back,
}

/// Order in which threads look for tasks, by kind of queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueOrder {
    /// End of a thread's own queue from which the thread takes tasks.
    pub own: QueueEnd,
    /// True if threads steal: they take the oldest tasks of other threads' queues.
    pub steals: bool,
    /// True if a thief chooses its victim at random; false if a thief searches the nearest queue first.
    pub random: bool,
    /// True if a thief moves half of the victim's tasks to its own queue, while threads of the thief's group wait.
    /// False if a thief takes one task.
    pub half: bool,
}

impl QueueOrder {
    pub fn new(kind: QueueKind) -> QueueOrder {
        let newest = QueueOrder { own: QueueEnd::Back, steals: true, random: false, half: false };
        match kind {
            QueueKind::Central => QueueOrder { own: QueueEnd::Front, steals: false, ..newest },
            QueueKind::ThreadLocal => QueueOrder { random: true, ..newest },
            QueueKind::Hierarchical => QueueOrder { half: true, ..newest },
            QueueKind::Locality => newest,
            QueueKind::LocalityStrict => QueueOrder { steals: false, ..newest },
        }
    }

    /// Number of tasks that a thief takes from a queue with `waiting` tasks.
    pub fn share(self, waiting: u64) -> u64 {
        if self.half { (waiting / 2).max(1) } else { 1 }
    }
}

/// Groups other than `from`, nearest first. Equally near groups are counted up from `from`, wrapping round.
pub(super) fn nearest_first(from: u32, groups: u32, distance: impl Fn(u32) -> u64) -> Vec<u32> {
    let mut others: Vec<u32> = (1..groups).map(|step| (from + step) % groups).collect();
    // The sort is stable: ties keep the order of counting up.
    others.sort_by_cached_key(|group| distance(*group));
    others
}

/// The nearest group; the lowest number if several are equally near.
pub(super) fn nearest(groups: u32, distance: impl Fn(u32) -> u64) -> u32 {
    (0..groups).max_by_key(|group| (Reverse(distance(*group)), Reverse(*group))).unwrap_or(0)
}
