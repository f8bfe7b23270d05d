//! Explicit tasks.

use numalab_base::Span;
use numalab_workload::{LockKind, QueueKind};

numalab_base::parameters! {
    /// Explicit tasks.
    pub struct TaskProfile as "TasksFile" {
        /// Where tasks wait for a thread, unless the policy says so.
        queue: QueueKind,
        /// Most tasks in a queue (`central`: for each thread of the team); one more is executed at once. No
        /// bound if absent.
        bound: Option<u32> = None => [at_least(1.0)],
        /// The lock of a queue; as in `lock` if absent.
        lock: Option<LockKind> = None,
        /// Allocating and filling a task.
        create: Span,
        /// Starting and finishing one.
        dispatch: Span,
        /// Creating, starting and finishing one that is executed at once: no queue takes it, and its description need not
        /// outlive the call. As `create` and `dispatch` together if absent.
        at_once: Option<Span> = None => [silent, stands_for(&[TaskProfile::create, TaskProfile::dispatch])],
        /// Whether a team of one executes all of its tasks at once.
        alone_at_once: bool = false => [silent],
        /// Whether who queues a task calls the operating system to wake a sleeper while fewer threads than the team has execute
        /// tasks, even where nobody sleeps. The call takes as long as that of the barrier.
        wakes: bool = false => [silent],
        /// Lines of a task's description: the creator writes, the executor reads.
        lines: u32 = 1 => [at_least(1.0), at_most(1024.0)],
    }
}

impl TaskProfile {
    /// Bound of a queue for a team of so many threads.
    pub fn bound_of(&self, threads: u32) -> Option<u32> {
        if self.alone_at_once && threads == 1 { Some(0) } else { self.bound }
    }

    /// Time of one that is executed at once.
    pub fn time_at_once(&self) -> Span {
        self.at_once.unwrap_or(Span(self.create.0.saturating_add(self.dispatch.0)))
    }
}
