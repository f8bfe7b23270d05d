use crate::RegionId;
use std::sync::Arc;

numalab_base::words! {
    /// Queues in which tasks wait for a thread.
    pub enum QueueKind as "QueueWord" {
        /// One queue under one lock.
        Central = "central",
        /// A deque for each thread. A thief takes a task from a random victim's deque, from the end that the victim
        /// does not use.
        ThreadLocal = "thread-local",
        /// A stack for each socket, shared by the socket's threads, which steal from other sockets' stacks.
        Hierarchical = "hierarchical",
        /// A queue for each locality domain; idle threads of other domains take from it.
        Locality = "locality",
        /// As `locality`, but tasks never leave their domain.
        LocalityStrict = "locality-strict",
    }
}

/// Tasks of a phase whose schedule is one of tasks. A task executes iterations of the phase, with
/// their accesses and instructions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tasking {
    pub producers: Producers,
    /// Consecutive iterations per task (`taskloop grainsize`); at least 1. Used without a tree only.
    pub grain: u64,
    /// Tasks that create tasks; `None` if no task does. Task `n` of the tree executes iteration `n` of the phase.
    pub tree: Option<Tree>,
    /// Tasks that must finish before others, by task number. In a tree each task is then created once,
    /// and waits only for tasks with the same creator.
    pub dependences: Option<Arc<Dependences>>,
    /// Data near which each task prefers to run, as an offset in a region for each iteration; `None` if
    /// no task has a preference.
    pub affinity: Option<TaskAffinity>,
    /// Bytes of data that each task gets as copies of its own (`firstprivate`), by task number; empty if no task does.
    pub copied: Arc<[u32]>,
}

/// Threads that create the first tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Producers {
    /// Every thread creates the tasks of its `static` share.
    #[default]
    Parallel,
    /// The first thread creates all tasks.
    Single,
}

/// Tasks that create tasks: a directed acyclic graph. A task with several parents is created and
/// executed once for each of them, with all its descendants.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Tasks by number, one for each iteration of the phase.
    pub tasks: Arc<[Task]>,
    /// Numbers of the children of all tasks, grouped by parent.
    pub children: Arc<[u32]>,
    /// Numbers of the tasks without a parent.
    pub roots: Arc<[u32]>,
    /// Number of each task's next step, or [`LAST_STEP`]; empty if no task has several steps. A step has a number of its
    /// own, with the iteration of that number and children. The task's thread begins it when the step before has ended.
    pub next: Arc<[u32]>,
}

/// Entry of `Tree::next` for the last step of a task.
pub const LAST_STEP: u32 = u32::MAX;

impl Tree {
    /// Number of the step after a step; `None` after a task's last one.
    pub fn next_step(&self, step: u32) -> Option<u32> {
        self.next.get(step as usize).copied().filter(|next| *next != LAST_STEP)
    }
}

/// A task that may create others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Index of the task's first child in `Tree::children`.
    pub first: u32,
    /// Number of children, which the task creates after it has executed its own iteration.
    pub count: u32,
    /// True if the task waits for its children (`taskwait`) before it ends.
    pub wait: bool,
    /// Instructions that the task executes after it has created its children and, with `wait`, after these have
    /// finished.
    pub after: f64,
}

/// Dependences of tasks, as lists of successors.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependences {
    /// Index of each task's first entry in `successors`, and the length of `successors` as last entry.
    pub first: Vec<u32>,
    /// Numbers of the successors of all tasks, grouped by predecessor.
    pub successors: Vec<u32>,
    /// Number of predecessors for which each task waits.
    pub predecessors: Vec<u32>,
}

/// The `affinity` clauses of tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskAffinity {
    pub region: RegionId,
    /// Byte offsets in the region, one for each iteration.
    pub offsets: Arc<[u64]>,
}
