//! Tasks that exist at present.

use super::chunks::Chunks;
use numalab_base::ThreadId;

numalab_base::index_type! {
    /// Slot of a task that exists. Slots are reused.
    pub(super) TaskId
}

numalab_base::index_type! {
    pub(super) QueueId
}

/// A task from its creation until it and its children are finished.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub number: u64,
    /// Task that created this task; `None` if the creator's implicit task created it.
    pub parent: Option<TaskId>,
    pub creator: u32,
    /// Thread that executes the task; `None` before the task begins.
    pub executor: Option<ThreadId>,
    /// Number of unfinished children.
    pub children: u32,
    /// First word of the task's description.
    pub words: u32,
    /// True if the description belongs to this task alone; false if the pool was empty and the task shares one.
    pub owns_words: bool,
    /// True if the creator executes the task immediately, because the queue is full.
    pub at_once: bool,
    /// True if the task's own part is over; the task then exists for its children only.
    pub ended: bool,
    /// Neighbours in a queue: `before` is nearer to the front. In a free slot, `before` is the next free slot.
    pub before: Option<TaskId>,
    pub behind: Option<TaskId>,
}

/// Neighbours of a task among its parent's queued children, and its own newest queued child.
#[derive(Clone, Copy, Debug, Default)]
struct Kin {
    elder: Option<TaskId>,
    younger: Option<TaskId>,
    youngest: Option<TaskId>,
}

impl Task {
    pub fn new(number: u64, parent: Option<TaskId>, creator: u32) -> Task {
        Task {
            number,
            parent,
            creator,
            executor: None,
            children: 0,
            words: 0,
            owns_words: false,
            at_once: false,
            ended: false,
            before: None,
            behind: None,
        }
    }
}

/// All tasks, in reused slots. There can be millions, so fields that only some phases need are separate lists.
#[derive(Clone, Debug)]
pub(super) struct Live {
    tasks: Chunks<Task, 4096>,
    /// Slot that was freed last, the head of the list of free slots; `None` if no slot is free.
    free: Option<TaskId>,
    /// Relatives of the task in each slot; `None` unless waiting tasks take their own children.
    kin: Option<Vec<Kin>>,
    /// Queue that the task in each slot names, or else the nearest ancestor that names one; `None` if no task names a
    /// queue.
    domains: Option<Vec<Option<QueueId>>>,
}

impl Live {
    /// `kin`: waiting tasks take their own children. `domains`: tasks name queues.
    pub fn new(kin: bool, domains: bool) -> Live {
        Live { tasks: Chunks::new(), free: None, kin: kin.then(Vec::new), domains: domains.then(Vec::new) }
    }

    pub fn add(&mut self, task: Task, domain: Option<QueueId>) -> TaskId {
        let at = match self.free {
            Some(at) => {
                self.free = self[at].before;
                self[at] = task;
                at
            }
            None => {
                self.tasks.push(task);
                TaskId::new(self.tasks.len() as u32 - 1)
            }
        };
        set(&mut self.kin, at, Kin::default());
        set(&mut self.domains, at, domain);
        at
    }

    pub fn remove(&mut self, at: TaskId) {
        debug_assert_eq!(self[at].children, 0);
        self[at].before = self.free.replace(at);
    }

    /// Number of slots in use.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        let free = std::iter::successors(self.free, |at| self[*at].before);
        self.tasks.len() - free.count()
    }

    /// Queue of the locality domain that a task names, or else its nearest ancestor that names one.
    pub fn domain(&self, at: TaskId) -> Option<QueueId> {
        self.domains.as_ref().and_then(|domains| domains[at.index()])
    }

    /// Newest queued child of a task.
    pub fn youngest(&self, at: TaskId) -> Option<TaskId> {
        self.kin.as_ref().and_then(|kin| kin[at.index()].youngest)
    }

    /// Links a task that was enqueued to its parent's queued children.
    pub fn link(&mut self, at: TaskId) {
        let (Some(parent), Some(kin)) = (self[at].parent, &mut self.kin) else { return };
        let elder = kin[parent.index()].youngest.replace(at);
        (kin[at.index()].elder, kin[at.index()].younger) = (elder, None);
        if let Some(elder) = elder {
            kin[elder.index()].younger = Some(at);
        }
    }

    /// Unlinks a task that left its queue from its parent's queued children.
    pub fn unlink(&mut self, at: TaskId) {
        let (Some(parent), Some(kin)) = (self[at].parent, &mut self.kin) else { return };
        let Kin { elder, younger, .. } = kin[at.index()];
        match younger {
            None => kin[parent.index()].youngest = elder,
            Some(younger) => kin[younger.index()].elder = elder,
        }
        if let Some(elder) = elder {
            kin[elder.index()].younger = younger;
        }
    }
}

/// Sets the entry of a slot; does nothing if the list is not kept.
fn set<T: Copy>(kept: &mut Option<Vec<T>>, at: TaskId, value: T) {
    let Some(kept) = kept else { return };
    match kept.get_mut(at.index()) {
        Some(old) => *old = value,
        None => kept.push(value),
    }
}

impl std::ops::Index<TaskId> for Live {
    type Output = Task;

    fn index(&self, at: TaskId) -> &Task {
        &self.tasks[at.index()]
    }
}

impl std::ops::IndexMut<TaskId> for Live {
    fn index_mut(&mut self, at: TaskId) -> &mut Task {
        &mut self.tasks[at.index()]
    }
}
