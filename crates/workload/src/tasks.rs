//! Division of a phase into tasks.

use crate::RegionId;
use std::sync::Arc;

numalab_base::words! {
    /// Where tasks wait for a thread.
    pub enum QueueKind as "QueueWord" {
        /// One queue under one lock.
        Central = "central",
        /// A deque for each thread; thieves take from the other end of a random victim's.
        ThreadLocal = "thread-local",
        /// A stack for each socket, shared by its threads; stealing between sockets.
        Hierarchical = "hierarchical",
        /// A queue for each locality domain; others help when they have nothing.
        Locality = "locality",
        /// The same, and tasks never leave their domain.
        LocalityStrict = "locality-strict",
    }
}

/// Tasks of a phase, if its schedule is one of tasks. A task executes iterations of the
/// phase: what these touch and compute is what the task does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tasking {
    /// Creators of the first tasks.
    pub producers: Producers,
    /// Consecutive iterations in a task (`taskloop grainsize`); at least 1. Without a tree only.
    pub grain: u64,
    /// Tasks that create tasks. Task `n` of the tree executes iteration `n` of the phase.
    pub tree: Option<Tree>,
    /// Tasks that must be finished before others, by task number. In a tree each task is created once then, and waits for
    /// tasks that the same one creates.
    pub dependences: Option<Arc<Dependences>>,
    /// Data near which each task wants to run, by its offset in a region: one for each
    /// iteration, or none at all.
    pub affinity: Option<TaskAffinity>,
}

/// Creators of the first tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Producers {
    /// Every thread those that `schedule(static)` would give it.
    #[default]
    Parallel,
    /// The first thread all of them.
    Single,
}

/// Tasks that create tasks: a directed graph without cycles. A task that is the child of several is
/// created and executed once for each of them, with all that follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The tasks; the phase has as many iterations.
    pub tasks: Arc<[Task]>,
    /// Children of all tasks, one task's after another's.
    pub children: Arc<[u32]>,
    /// The first ones.
    pub roots: Arc<[u32]>,
}

/// A task that may create others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Index of its first child in [`Tree::children`].
    pub first: u32,
    /// Number of tasks that it creates, after its own iteration.
    pub count: u32,
    /// Whether it waits for them (`taskwait`) before it ends.
    pub wait: bool,
    /// Instructions after that.
    pub after: f64,
}

/// Order of tasks: indices into `successors` for each task, and the number of tasks that it waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependences {
    /// Start of each task's successors, and the end of the last one's.
    pub first: Vec<u32>,
    /// Tasks that wait, one task's after another's.
    pub successors: Vec<u32>,
    /// Number of tasks that each one waits for.
    pub predecessors: Vec<u32>,
}

/// `affinity` clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskAffinity {
    /// In which region.
    pub region: RegionId,
    /// Byte offsets, one for each iteration.
    pub offsets: Arc<[u64]>,
}
