//! Tasks that exist at the moment.

use numalab_units::ThreadId;

numalab_units::index_type! {
    /// A task that exists, by its place; the place is used again.
    pub(super) TaskId
}

numalab_units::index_type! {
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
    /// The queue of the domain that it or its parent names.
    pub domain: Option<QueueId>,
    /// The first word of its description.
    pub words: u32,
    /// Whether the description is its own, rather than one of many that share a pool that ran dry.
    pub owns_words: bool,
    /// Executed by its creator at once.
    pub at_once: bool,
    /// Its own part is over; only its children keep it.
    pub ended: bool,
    /// Neighbours in a queue.
    pub before: Option<TaskId>,
    pub behind: Option<TaskId>,
    /// Neighbours among the queued children of its parent, and its own newest one.
    pub elder: Option<TaskId>,
    pub younger: Option<TaskId>,
    pub youngest: Option<TaskId>,
}

impl Task {
    pub fn new(number: u64, parent: Option<TaskId>, creator: u32) -> Task {
        Task {
            number,
            parent,
            creator,
            executor: None,
            children: 0,
            domain: None,
            words: 0,
            owns_words: false,
            at_once: false,
            ended: false,
            before: None,
            behind: None,
            elder: None,
            younger: None,
            youngest: None,
        }
    }
}

/// All of them, in places that are used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    tasks: Vec<Task>,
    free: Vec<TaskId>,
}

impl Live {
    pub fn add(&mut self, task: Task) -> TaskId {
        match self.free.pop() {
            Some(at) => {
                self.tasks[at.index()] = task;
                at
            }
            None => {
                self.tasks.push(task);
                TaskId::new(self.tasks.len() as u32 - 1)
            }
        }
    }

    pub fn remove(&mut self, at: TaskId) {
        debug_assert_eq!(self[at].children, 0);
        self.free.push(at);
    }

    /// Number of tasks that live.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.tasks.len() - self.free.len()
    }

    /// A task stands in a queue now: its parent can find it.
    pub fn link(&mut self, at: TaskId) {
        let Some(parent) = self[at].parent else { return };
        let elder = self[parent].youngest.replace(at);
        (self[at].elder, self[at].younger) = (elder, None);
        if let Some(elder) = elder {
            self[elder].younger = Some(at);
        }
    }

    /// It no longer does.
    pub fn unlink(&mut self, at: TaskId) {
        let Task { parent, elder, younger, .. } = self[at];
        let Some(parent) = parent else { return };
        match younger {
            None => self[parent].youngest = elder,
            Some(younger) => self[younger].elder = elder,
        }
        if let Some(elder) = elder {
            self[elder].younger = younger;
        }
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
