//! Tasks that exist at the moment.

/// No task, no queue, no thread.
pub(super) const NONE: u32 = u32::MAX;

/// A task from its creation until it and its children are finished.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub number: u64,
    /// `NONE`: the implicit task of the creator.
    pub parent: u32,
    pub creator: u32,
    /// `NONE` before it begins.
    pub executor: u32,
    /// Children that are not finished.
    pub children: u32,
    /// The queue of the domain that it or its parent names.
    pub domain: u32,
    /// The first word of its description.
    pub words: u32,
    /// Whether the description is its own, rather than one of many that share a pool that ran dry.
    pub owns_words: bool,
    /// Executed by its creator at once.
    pub at_once: bool,
    /// Its own part is over; only its children keep it.
    pub ended: bool,
    /// Neighbours in a queue.
    pub before: u32,
    pub behind: u32,
    /// Neighbours among the queued children of its parent, and its own newest one.
    pub elder: u32,
    pub younger: u32,
    pub youngest: u32,
}

impl Task {
    pub fn new(number: u64, parent: u32, creator: u32) -> Task {
        Task {
            number,
            parent,
            creator,
            executor: NONE,
            children: 0,
            domain: NONE,
            words: 0,
            owns_words: false,
            at_once: false,
            ended: false,
            before: NONE,
            behind: NONE,
            elder: NONE,
            younger: NONE,
            youngest: NONE,
        }
    }
}

/// All of them, in places that are used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    tasks: Vec<Task>,
    free: Vec<u32>,
}

impl Live {
    pub fn add(&mut self, task: Task) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.tasks[at as usize] = task;
                at
            }
            None => {
                self.tasks.push(task);
                self.tasks.len() as u32 - 1
            }
        }
    }

    pub fn remove(&mut self, at: u32) {
        debug_assert_eq!(self[at].children, 0);
        self.free.push(at);
    }

    /// Number of tasks that live.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.tasks.len() - self.free.len()
    }

    /// A task stands in a queue now: its parent can find it.
    pub fn link(&mut self, at: u32) {
        let parent = self[at].parent;
        if parent != NONE {
            let elder = std::mem::replace(&mut self[parent].youngest, at);
            self[at].elder = elder;
            self[at].younger = NONE;
            if elder != NONE {
                self[elder].younger = at;
            }
        }
    }

    /// It no longer does.
    pub fn unlink(&mut self, at: u32) {
        let Task { parent, elder, younger, .. } = self[at];
        if parent != NONE {
            match younger {
                NONE => self[parent].youngest = elder,
                younger => self[younger].elder = elder,
            }
            if elder != NONE {
                self[elder].younger = younger;
            }
        }
    }
}

impl std::ops::Index<u32> for Live {
    type Output = Task;

    fn index(&self, at: u32) -> &Task {
        &self.tasks[at as usize]
    }
}

impl std::ops::IndexMut<u32> for Live {
    fn index_mut(&mut self, at: u32) -> &mut Task {
        &mut self.tasks[at as usize]
    }
}
