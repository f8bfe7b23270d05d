//! Limit of the length of a task queue.

use numalab_workload::QueueKind;

/// Upper limit of the tasks in a queue. A task created while the queue is full is executed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueBound(u64);

impl QueueBound {
    /// The limit for queues of a kind. `each` is the limit per queue, `None` for no limit. The one central queue
    /// holds `each` tasks for every thread.
    pub fn new(kind: QueueKind, each: Option<u32>, threads: u32) -> QueueBound {
        let each = each.map_or(u64::MAX, u64::from);
        let share = if kind == QueueKind::Central { u64::from(threads) } else { 1 };
        QueueBound(each.saturating_mul(share))
    }

    /// True if a queue with `waiting` tasks has room for another task.
    #[inline]
    pub fn admits(self, waiting: u64) -> bool {
        waiting < self.0
    }
}
