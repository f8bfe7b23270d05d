//! A thread of a team that executes tasks: what it is in the middle of, and what is suspended below that.

use super::chunks::Chunks;
use super::live::{QueueId, TaskId};
use numalab_base::Time;
use numalab_des::Stream;
use std::ops::Range;

/// Continuation of a new task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Waits for a thread.
    Queue,
    /// Waits for other tasks.
    Hold,
    /// Is executed by its creator.
    AtOnce,
}

/// Operation that a thread is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Nothing,
    Parked,
    /// In an iteration of its task, or computing after its children.
    Work,
    Create(TaskId, Fate),
    /// Creates the last child of a task that waits, and takes the newest task of its queue.
    CreateAndFetch(TaskId),
    /// Tells a task that one it depends on is finished.
    NotifySuccessor(u64),
    /// Queues a task that waits no longer.
    Enqueue(TaskId),
    /// Looks whether a queue of somebody else has something, before it asks for the lock.
    Look(u32),
    /// Looks at what everybody is told who waits for tasks.
    Listen,
    Fetch,
    Finish,
    FinishAndFetch,
    Steal(u32),
    Stash,
    Read(TaskId),
}

/// Progress of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// At its own iterations.
    Own,
    /// Creates its children.
    Create,
    /// Waits for them if it does.
    Wait,
    /// At the instructions after that.
    After,
    Finish,
}

/// A task that a thread has begun; the one at the bottom is the thread's implicit task.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// `None`: the implicit one.
    pub task: Option<TaskId>,
    pub stage: Stage,
    /// Children still to be created, counted through those of all tasks; those of the implicit one stand elsewhere.
    pub creates: Range<u32>,
    /// Picoseconds of its own work so far.
    pub worked: u64,
    /// Its last child ended on the same thread and is still to be counted out; nobody else wants to know.
    pub owes: bool,
}

/// A thread.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub operation: Operation,
    pub since: Time,
    /// Tasks begun and not ended, the running one last.
    pub stack: Chunks<Frame, 256>,
    /// First tasks that its implicit task still has to create.
    pub produces: Range<u64>,
    /// It has created them, and executes those of anybody.
    pub has_produced: bool,
    /// Tasks that depend on one that is finished and do not know it yet: where they stand in the list of successors.
    pub successors: Range<usize>,
    /// A task that thereby waits no longer.
    pub freed: Option<TaskId>,
    /// A task of somebody else whose description comes next, and what starting it costs besides.
    pub reads: Option<TaskId>,
    pub starts: u64,
    /// The queue whose lock it wants next.
    pub aims: Option<QueueId>,
    /// More was stolen than one task.
    pub stashes: bool,
    /// The queue to which it was sent.
    pub sent_to: Option<QueueId>,
    /// Parked, and about to be woken.
    pub is_woken: bool,
    pub stream: Stream,
}

impl Thread {
    pub fn new(produces: Range<u64>, stream: Stream) -> Thread {
        let mut thread = Thread {
            operation: Operation::Nothing,
            since: Time::ZERO,
            stack: Chunks::new(),
            produces: 0..0,
            has_produced: false,
            successors: 0..0,
            freed: None,
            reads: None,
            starts: 0,
            aims: None,
            stashes: false,
            sent_to: None,
            is_woken: false,
            stream,
        };
        thread.begin(produces);
        thread
    }

    /// It begins its implicit task.
    pub fn begin(&mut self, produces: Range<u64>) {
        (self.produces, self.has_produced) = (produces, false);
        self.stack.push(Frame { task: None, stage: Stage::Create, creates: 0..0, worked: 0, owes: false });
    }

    /// Whether it has produced what it had to and executes no task.
    pub fn is_between_tasks(&self) -> bool {
        self.has_produced && self.stack.len() == 1
    }

    /// The task that it executes or waits in.
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }
}
