//! Work of a program: what each part of it costs alone, in which order, and how often.
//!
//! A [`Walk`] is told every event. It follows each thread and adds the time that passes to what the thread is doing.
//! Instances of the same construct with the same iterations are one [`Class`], whose costs are medians.

// Glossary: class of work: Instances of a construct of a recorded program with the same iterations, and the
//   medians of what they cost.

mod codec;
mod dependences;
mod finish;
mod footprint;
mod instance;
mod merge;
mod order;
mod packed;
mod region;
mod task_map;
mod tasks;
mod walk;

pub use footprint::{Allocation, Footprint, Run};
pub use order::{Order, Step};
pub use walk::Walk;

use serde::{Deserialize, Serialize};

/// All work of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Kinds of instance.
    pub classes: Vec<Class>,
    /// Their instances, in the order in which the program executes them.
    pub order: Order,
    /// Behaviour that a replay would get wrong.
    pub refusals: Vec<Refusal>,
}

/// Instances that are the same but for what they took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// Address of the construct.
    pub site: u64,
    /// Construct.
    pub form: Form,
    /// Iterations of all threads; members of the team or tasks where there are none.
    pub iterations: u64,
    /// Size of the team.
    pub team: u32,
    /// Schedule under which it was recorded.
    pub schedule: Recorded,
    /// Instances in all rounds.
    pub instances: u32,
    /// Whether chunks were not seen one by one, so that their costs are even parts of a longer time.
    pub filled: bool,
    /// Whether instances differed in more than their times.
    pub varies: bool,
    /// Time under locks, of all its chunks together; it is in their costs as well.
    pub locked_ns: u64,
    /// Costs, in the order of iterations.
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// Tasks, where it is made of them: as many as chunks.
    #[serde(skip)]
    pub tasks: Vec<TaskNode>,
    /// Pages that its iterations or tasks touch, in their order; none where nobody looked.
    #[serde(skip)]
    pub footprint: Vec<Footprint>,
}

/// Construct that a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Outside of regions.
    Serial,
    /// Work that every member of a team executes.
    Body,
    /// A worksharing loop, or sections.
    Loop,
    /// Work that one member executes for all.
    Single,
    /// Tasks.
    Tasks,
}

/// Schedule of a recorded loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recorded {
    /// None: no loop.
    #[default]
    None,
    /// One chunk for each thread, in order.
    Static,
    /// Chunks of this size, in turn.
    StaticChunk(u64),
    /// Chunks of this size, to who asks.
    Dynamic(u64),
    /// Ever smaller chunks, at least of this size.
    Guided(u64),
    /// The compiler divided it among the members without telling anybody; they are its iterations.
    Inline,
    /// Some other.
    Other,
}

/// Consecutive iterations and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Number of iterations.
    pub count: u64,
    /// Median of what they take one thread alone, in nanoseconds.
    pub cost_ns: u64,
    /// Median absolute deviation from that.
    pub spread_ns: u64,
    /// Samples that nothing disturbed; 0 where the cost is the least of disturbed ones.
    pub samples: u32,
}

/// One task of a class; its cost until it waits is its chunk's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskNode {
    /// The task that creates it, by its number in the class; `None` for those that members create.
    pub parent: Option<u32>,
    /// Whether it waits for those that it creates.
    pub waits: bool,
    /// Cost after that, in nanoseconds.
    pub after_ns: u64,
    /// Tasks before it that it depends on.
    pub predecessors: Vec<u32>,
}

impl Class {
    /// Cost of one instance on one thread, in nanoseconds.
    pub fn cost_ns(&self) -> u64 {
        let before: u64 = self.chunks.iter().map(|chunk| chunk.cost_ns).fold(0, u64::saturating_add);
        self.tasks.iter().map(|task| task.after_ns).fold(before, u64::saturating_add)
    }

    /// Most iterations of a chunk: smaller ones were not measured.
    pub fn grain(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.count).max().unwrap_or(0)
    }
}

/// Behaviour that a replay would get wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// A region opens another one with a team of its own.
    NestedTeams {
        /// Address of the inner region.
        site: u64,
        /// Size of its team.
        team: u32,
    },
    /// Tasks with dependences create tasks: in recordings of before, which have no classes of these.
    DependentTree {
        /// Address of their region.
        site: u64,
    },
    /// More tasks in a region than a replay takes.
    TooManyTasks {
        /// Address of their region.
        site: u64,
        /// Number of tasks.
        tasks: u64,
    },
}
