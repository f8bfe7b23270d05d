//! State of a thread that executes tasks: its current operation and the suspended tasks below it.

use super::chunks::Chunks;
use super::live::{QueueId, TaskId};
use numalab_base::Time;
use numalab_des::Stream;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The new task is enqueued.
    Queue,
    /// The new task waits for predecessors.
    Hold,
    /// The new task is executed by its creator immediately.
    AtOnce,
}

/// Operation in progress on a thread; its effects apply at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Nothing,
    Parked,
    /// Executes iterations of the thread's task, or the task's instructions after the wait for its children.
    Work,
    Create(TaskId, Fate),
    /// Creates the last child of a waiting task and takes the newest task of the thread's own queue.
    CreateAndFetch(TaskId),
    /// Notifies a successor (task number) that one of its predecessors is finished.
    NotifySuccessor(u64),
    /// Enqueues a task whose last predecessor is finished.
    Enqueue(TaskId),
    /// Reads the length of another thread's queue (number of the queue) before the thread takes the lock of that
    /// queue.
    Look(u32),
    /// Reads the word that signals new tasks.
    Listen,
    Fetch,
    Finish,
    FinishAndFetch,
    Steal(u32),
    Stash,
    Read(TaskId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Executes the task's own iterations.
    Own,
    Create,
    /// Waits for the task's children, if the task is one that waits.
    Wait,
    /// Executes the instructions after the wait.
    After,
    Finish,
}

/// Task that a thread has begun. The lowest frame is the thread's implicit task.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Task of the frame; `None` for the implicit task.
    pub task: Option<TaskId>,
    pub stage: Stage,
    /// Number of the task's step that is executed; the first step has the number of the task.
    pub step: u32,
    /// Children still to be created, as indices into the list of the children of all tasks. The implicit task has
    /// `produces` instead.
    pub creates: Range<u32>,
    /// Picoseconds of the task's own work so far.
    pub worked: u64,
    /// True if the task's last child ended on this thread and is still in the task's counter of children. The task
    /// subtracts it when the task itself finishes, since no other thread waits for the counter.
    pub owes: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub operation: Operation,
    pub since: Time,
    /// Tasks begun and not ended; the running one is last.
    pub stack: Chunks<Frame, 256>,
    /// Indices of first tasks (see `plan`) that the implicit task still has to create.
    pub produces: Range<u64>,
    /// True if the first tasks are created, so that the thread executes any task.
    pub has_produced: bool,
    /// Successors of a finished task that are not notified yet, as a range of the list of successors.
    pub successors: Range<usize>,
    /// Task whose last predecessor has just finished and that is enqueued next.
    pub freed: Option<TaskId>,
    /// Task that another thread created and whose description is read next. `starts`: picoseconds that the start of
    /// this task takes.
    pub reads: Option<TaskId>,
    pub starts: u64,
    /// Queue that the thread steals from next.
    pub aims: Option<QueueId>,
    /// True if more than one task was stolen; the further tasks are put into the thread's own queue next.
    pub stashes: bool,
    /// Queue that the thread was sent to when it was woken.
    pub sent_to: Option<QueueId>,
    /// True if the thread is parked and about to be woken.
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

    /// Begins the implicit task.
    pub fn begin(&mut self, produces: Range<u64>) {
        (self.produces, self.has_produced) = (produces, false);
        let stage = Stage::Create;
        self.stack.push(Frame { task: None, stage, step: 0, creates: 0..0, worked: 0, owes: false });
    }

    /// True if all first tasks are created and no task is being executed.
    pub fn is_between_tasks(&self) -> bool {
        self.has_produced && self.stack.len() == 1
    }

    /// Frame of the task that is executed or waits.
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }
}
