//! Tasks that exist at the moment.

use super::chunks::Chunks;
use numalab_base::ThreadId;

numalab_base::index_type! {
    /// A task that exists, by its place; the place is used again.
    pub(super) TaskId
}

numalab_base::index_type! {
    /// A queue of tasks.
    pub(super) QueueId
}

/// A task from its creation until it and its children are finished.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub number: u64,
    /// `None`: the implicit task of the creator.
    pub parent: Option<TaskId>,
    pub creator: u32,
    /// `None` before it begins.
    pub executor: Option<ThreadId>,
    /// Children that are not finished.
    pub children: u32,
    /// The first word of its description.
    pub words: u32,
    /// Whether the description is its own, rather than one of many that share a pool that ran dry.
    pub owns_words: bool,
    /// Executed by its creator at once.
    pub at_once: bool,
    /// Its own part is over; only its children keep it.
    pub ended: bool,
    /// Neighbours in a queue; of a place that is free, the next that is.
    pub before: Option<TaskId>,
    pub behind: Option<TaskId>,
}

/// Neighbours of a task among the queued children of its parent, and its own newest one.
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

/// All of them, in places that are used again. There may be millions, so what only some phases need stands apart.
#[derive(Clone, Debug)]
pub(super) struct Live {
    tasks: Chunks<Task, 4096>,
    /// The place that was freed last.
    free: Option<TaskId>,
    /// By place, where tasks are taken by their parents.
    kin: Option<Vec<Kin>>,
    /// By place, where tasks name queues: that of the domain which a task or its parent names.
    domains: Option<Vec<Option<QueueId>>>,
}

impl Live {
    /// `kin`: parents take their children. `domains`: tasks name queues.
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

    /// Number of tasks that live.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        let free = std::iter::successors(self.free, |at| self[*at].before);
        self.tasks.len() - free.count()
    }

    /// The queue of the domain that it or its parent names.
    pub fn domain(&self, at: TaskId) -> Option<QueueId> {
        self.domains.as_ref().and_then(|domains| domains[at.index()])
    }

    /// The newest of its children in the queue.
    pub fn youngest(&self, at: TaskId) -> Option<TaskId> {
        self.kin.as_ref().and_then(|kin| kin[at.index()].youngest)
    }

    /// A task stands in a queue now: its parent can find it.
    pub fn link(&mut self, at: TaskId) {
        let (Some(parent), Some(kin)) = (self[at].parent, &mut self.kin) else { return };
        let elder = kin[parent.index()].youngest.replace(at);
        (kin[at.index()].elder, kin[at.index()].younger) = (elder, None);
        if let Some(elder) = elder {
            kin[elder.index()].younger = Some(at);
        }
    }

    /// It no longer does.
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

/// Writes what is known of a place down, where it is kept.
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
