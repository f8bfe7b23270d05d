//! Bound on the tasks of a queue.

use numalab_workload::QueueKind;

/// Most tasks in a queue; a new one beyond that is executed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueBound(u64);

impl QueueBound {
    /// Bound of queues of a kind: the central one serves the whole team, so it takes so many for each thread.
    pub fn new(kind: QueueKind, each: Option<u32>, threads: u32) -> QueueBound {
        let each = each.map_or(u64::MAX, u64::from);
        let share = if kind == QueueKind::Central { u64::from(threads) } else { 1 };
        QueueBound(each.saturating_mul(share))
    }

    /// Whether a queue that holds so many tasks takes another one.
    #[inline]
    pub fn admits(self, waiting: u64) -> bool {
        waiting < self.0
    }
}
