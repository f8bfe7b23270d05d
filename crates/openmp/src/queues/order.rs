//! From which end of a queue tasks are taken, and in which order a thread looks into those of others.

use numalab_workload::QueueKind;
use std::cmp::Reverse;

/// An end of a queue. New tasks go to the back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueEnd {
    /// The oldest task.
    Front,
    /// The newest one.
    Back,
}

/// Order in which threads look for tasks under a kind of queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueOrder {
    /// From which end of its own queue a thread takes.
    pub own: QueueEnd,
    /// Whether it takes from other queues, always the oldest.
    pub steals: bool,
    /// Whether it chooses these at random; otherwise the nearest first.
    pub random: bool,
    /// Whether a thief takes half of what it finds home, on behalf of those who share its queue, who wait
    /// for it meanwhile; otherwise one task.
    pub half: bool,
}

impl QueueOrder {
    /// Order under a kind of queue.
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

    /// Number of tasks that a thief takes of those that wait.
    pub fn share(self, waiting: u64) -> u64 {
        if self.half { (waiting / 2).max(1) } else { 1 }
    }
}

/// The other groups, nearest first; ties: the next one counting up from `from`, wrapping round.
pub(super) fn nearest_first(from: u32, groups: u32, distance: impl Fn(u32) -> u64) -> Vec<u32> {
    let mut others: Vec<u32> = (1..groups).map(|step| (from + step) % groups).collect();
    // Stable: equals stay in the order of counting up.
    others.sort_by_cached_key(|group| distance(*group));
    others
}

/// The nearest of several groups to a place; the first of equals.
pub(super) fn nearest(groups: u32, distance: impl Fn(u32) -> u64) -> u32 {
    (0..groups).max_by_key(|group| (Reverse(distance(*group)), Reverse(*group))).unwrap_or(0)
}
