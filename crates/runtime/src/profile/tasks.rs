//! Queue and costs of explicit tasks.

use numalab_base::Span;
use numalab_workload::{LockKind, QueueKind};

numalab_base::parameters! {
    /// Explicit tasks.
    pub struct TaskProfile as "TasksFile" {
        /// Queue in which tasks wait, unless the policy states one.
        queue: QueueKind,
        /// Most tasks in a queue (`central`: for each thread of the team); a further task is executed immediately.
        /// Absent: unlimited.
        bound: Option<u32> = None => [at_least(1.0)],
        /// Lock of a queue. Absent: the kind of `lock`.
        lock: Option<LockKind> = None,
        /// Allocating and filling a task.
        create: Span,
        /// Starting and finishing a task.
        dispatch: Span,
        /// Creating, starting and finishing a task that is executed immediately: it enters no queue, and its
        /// description need not outlive the call. Absent: `create` plus `dispatch`.
        at_once: Option<Span> = None => [silent, stands_for(&[TaskProfile::create, TaskProfile::dispatch])],
        /// Whether a team of one executes all of its tasks immediately.
        alone_at_once: bool = false => [silent],
        /// Whether a thread that enqueues a task calls the operating system to wake a sleeper while fewer threads
        /// than the team has execute tasks, even if none sleeps. The call takes as long as the barrier's.
        wakes: bool = false => [silent],
        /// Lines of a task's description: the creator writes, the executor reads.
        lines: u32 = 1 => [at_least(1.0), at_most(1024.0)],
    }
}

impl TaskProfile {
    /// Limit on the tasks in a queue of a team (`central`: for each thread of the team), 0 if the team executes all
    /// tasks immediately; `None` if unlimited.
    pub fn bound_of(&self, threads: u32) -> Option<u32> {
        if self.alone_at_once && threads == 1 { Some(0) } else { self.bound }
    }

    /// Time for creating, starting and finishing a task that is executed immediately.
    pub fn time_at_once(&self) -> Span {
        self.at_once.unwrap_or(Span(self.create.0.saturating_add(self.dispatch.0)))
    }
}
