//! Work of a program: the cost of each part on one thread, the order of parts, and their number of
//! repetitions.
//!
//! A [`Walk`] takes every event. It follows each thread and adds the time between events to the
//! thread's present activity. Instances of the same construct with the same iterations form one
//! [`Class`], whose costs are medians.

// Glossary: class of work: Instances of a construct of a recorded program with the same iterations, and the
//   medians of what they cost.

mod codec;
mod density;
mod dependences;
mod finish;
mod footprint;
mod instance;
mod merge;
mod nulls;
mod open;
mod order;
mod packed;
mod region;
mod task_map;
mod tasks;
mod walk;

pub use density::Density;
pub use footprint::{Allocation, Footprint, Run};
pub use order::{Order, Step};
pub use walk::Walk;

use serde::{Deserialize, Serialize};

/// All work of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    pub classes: Vec<Class>,
    /// Instances of the classes, in the order of execution.
    pub order: Order,
    /// Behaviour that a replay would not reproduce.
    pub refusals: Vec<Refusal>,
}

/// Instances that differ only in their times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// Address of the construct.
    pub site: u64,
    pub form: Form,
    /// Iterations of all threads; the number of team members or tasks for constructs without
    /// iterations.
    pub iterations: u64,
    /// Size of the team.
    pub team: u32,
    /// Schedule under which the construct was recorded.
    pub schedule: Recorded,
    /// Instances in all runs.
    pub instances: u32,
    /// True if chunks were not observed one by one, so that their costs are equal parts of a longer
    /// time.
    pub filled: bool,
    /// True if instances differed in more than their times.
    pub varies: bool,
    /// Time of the recorder in one instance, which is not part of the chunks' costs, in nanoseconds.
    #[serde(default)]
    pub recorder_ns: u64,
    /// Costs of the cheapest and of the most expensive instance, in nanoseconds; 0 if unknown.
    #[serde(default)]
    pub least_ns: u64,
    #[serde(default)]
    pub most_ns: u64,
    /// True if parts of the loop are executed in the order of its iterations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    /// Time in critical sections of all chunks together, in nanoseconds; it is also part of the chunks' costs.
    pub locked_ns: u64,
    /// Costs, in the order of iterations.
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Tasks, one for each chunk; empty for other constructs.
    #[serde(skip)]
    pub tasks: Vec<TaskNode>,
    /// Pages that the class's iterations or tasks touch, in their order; empty if pages were not watched.
    #[serde(skip)]
    pub footprint: Vec<Footprint>,
}

/// Construct of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Work outside of parallel regions.
    Serial,
    /// Work that every member of a team executes.
    Body,
    /// A worksharing loop, or sections.
    Loop,
    /// Work that one member executes for all.
    Single,
    Tasks,
}

/// Schedule of a recorded loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recorded {
    /// No loop.
    #[default]
    None,
    /// One chunk per thread, in order.
    Static,
    /// Chunks of this many iterations, round-robin.
    StaticChunk(u64),
    /// Chunks of this many iterations, on request.
    Dynamic(u64),
    /// Chunks of decreasing size, of at least this many iterations.
    Guided(u64),
    /// The compiler divided the loop among the members without a call of the runtime; the members count
    /// as iterations.
    Inline,
    /// An unknown schedule.
    Other,
}

/// Consecutive iterations and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Number of iterations.
    pub count: u64,
    /// Median time of the chunk on one thread without contention, in nanoseconds.
    pub cost_ns: u64,
    /// Median absolute deviation of the chunk's time, in nanoseconds.
    pub spread_ns: u64,
    /// Number of undisturbed samples; 0 if the cost is the minimum of disturbed ones.
    pub samples: u32,
}

/// One task of a class. The chunk with the same index has the task's cost until its wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskNode {
    /// Index of the creating task; `None` if a team member created it.
    pub parent: Option<u32>,
    /// True if the task waits for the tasks that it creates.
    pub waits: bool,
    /// Cost of the task after the wait for its child tasks, in nanoseconds.
    pub after_ns: u64,
    /// Indices of earlier tasks that this task depends on.
    pub predecessors: Vec<u32>,
}

impl Class {
    /// Cost of one instance on one thread, in nanoseconds.
    pub fn cost_ns(&self) -> u64 {
        let before: u64 = self.chunks.iter().map(|chunk| chunk.cost_ns).fold(0, u64::saturating_add);
        self.tasks.iter().map(|task| task.after_ns).fold(before, u64::saturating_add)
    }

    /// Largest number of iterations of a chunk: the resolution of the measurement.
    pub fn grain(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.count).max().unwrap_or(0)
    }
}

/// Behaviour that a replay would not reproduce.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// A region opens a nested region with a team of several threads.
    NestedTeams {
        /// Address of the inner region.
        site: u64,
        /// Number of threads of the inner team.
        team: u32,
    },
    /// Tasks with dependences create tasks. Only in older recordings, which have no classes for such tasks.
    DependentTree {
        /// Address of the region of the tasks.
        site: u64,
    },
    /// More tasks in a region than a replay supports.
    TooManyTasks {
        /// Address of the region of the tasks.
        site: u64,
        tasks: u64,
    },
}
