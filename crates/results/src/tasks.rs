//! Counts of a run's tasks.

use serde::{Deserialize, Serialize};

/// All tasks of the measured phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSum {
    /// Number of times that a phase of tasks ran.
    pub phases: u64,
    /// Total time of these phases.
    pub phases_ps: u64,
    /// Tasks created, including those executed at once.
    pub created: u64,
    /// Threads that created at least one task.
    pub creators: u32,
    /// Tasks executed by their creator at once, because a queue was full.
    pub at_once: u64,
    /// Tasks executed by the thread that created them.
    pub by_creator: Executed,
    /// Tasks executed by another thread of the creator's socket.
    pub same_socket: Executed,
    /// Tasks executed by a thread of another socket on the creator's board.
    pub same_board: Executed,
    /// Tasks executed by a thread further away.
    pub remote: Executed,
    /// Attempts to steal that found a task.
    pub steals: u64,
    /// Attempts to steal that found none.
    pub failed_steals: u64,
    /// Largest number of waiting tasks at any moment, in all queues together.
    pub longest_queue: u64,
    /// Time that threads spent creating tasks.
    pub creating_ps: u64,
    /// Part of this time of the busiest creator.
    pub busiest_creator_ps: u64,
    /// Time that threads spent fetching and finishing tasks: queues, their locks, stealing.
    pub fetching_ps: u64,
    /// Part of `fetching_ps` spent in searches that found no task.
    pub searching_ps: u64,
    /// Time of the tasks themselves, without that of creating others.
    pub working_ps: u64,
    /// Time of the longest task.
    pub longest_task_ps: u64,
}

/// Number of tasks and their time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executed {
    /// Number of tasks.
    pub tasks: u64,
    /// Time that they took.
    pub time_ps: u64,
}

/// A conspicuous property of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name: `tasks-too-fine`, `tasks-too-coarse`, `producer-bound`, `numa-blind`.
    pub name: String,
    /// One sentence with the figures that show it.
    pub evidence: String,
}
