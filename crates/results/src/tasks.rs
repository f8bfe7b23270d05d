//! Counts of a run's tasks.

use serde::{Deserialize, Serialize};

/// All tasks of the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSum {
    /// Number of times that a phase of tasks ran.
    pub phases: u64,
    /// Time that these took together.
    pub phases_ps: u64,
    /// Created, those included that were executed at once.
    pub created: u64,
    /// Threads that created one or more.
    pub creators: u32,
    /// Executed by their creator at the moment of creation, because a queue was full.
    pub at_once: u64,
    /// Executed by the thread that created them.
    pub by_creator: Executed,
    /// Executed by another thread of the creator's socket.
    pub same_socket: Executed,
    /// By a thread of another socket on the creator's board.
    pub same_board: Executed,
    /// By a thread farther away.
    pub remote: Executed,
    /// Attempts to steal that found a task.
    pub steals: u64,
    /// Attempts that found none.
    pub failed_steals: u64,
    /// Most tasks that waited at any moment, in all queues together.
    pub longest_queue: u64,
    /// Time that threads spent on creating tasks.
    pub creating_ps: u64,
    /// Part of this that the thread spent which spent the most.
    pub busiest_creator_ps: u64,
    /// Time that threads spent on fetching and finishing tasks: queues, their locks, stealing.
    pub fetching_ps: u64,
    /// Part of this spent on looking for tasks and finding none.
    pub searching_ps: u64,
    /// Time of the tasks themselves, without what they created.
    pub working_ps: u64,
    /// The longest task, of this time.
    pub longest_task_ps: u64,
}

/// Number of tasks, and the time that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executed {
    /// Tasks.
    pub tasks: u64,
    /// Their time.
    pub time_ps: u64,
}

/// Something that stands out in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name: `tasks-too-fine`, `tasks-too-coarse`, `producer-bound`, `numa-blind`.
    pub name: String,
    /// One sentence with the figures that show it.
    pub evidence: String,
}
