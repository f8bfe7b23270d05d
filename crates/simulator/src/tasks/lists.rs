//! Queues of waiting tasks: lists linked through the tasks themselves, without allocation.

use super::live::{Live, TaskId};
use numalab_openmp::queues::QueueEnd;

#[derive(Clone, Copy, Debug)]
struct List {
    front: Option<TaskId>,
    back: Option<TaskId>,
    length: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Lists {
    lists: Vec<List>,
    /// Queues that hold a task, in an order that is arbitrary but reproducible.
    filled: Vec<u32>,
    /// Index of each queue in `filled`; meaningless for an empty queue.
    place: Vec<u32>,
    waiting: u64,
    /// Greatest number of tasks that waited at one time.
    pub longest: u64,
}

impl Lists {
    pub fn new(queues: u32) -> Lists {
        let queues = queues as usize;
        Lists {
            lists: vec![List { front: None, back: None, length: 0 }; queues],
            filled: Vec::with_capacity(queues),
            place: vec![0; queues],
            waiting: 0,
            longest: 0,
        }
    }

    pub fn length(&self, queue: u32) -> u64 {
        self.lists[queue as usize].length
    }

    pub fn is_empty(&self, queue: u32) -> bool {
        self.lists[queue as usize].length == 0
    }

    pub fn filled(&self) -> &[u32] {
        &self.filled
    }

    pub fn push(&mut self, queue: u32, task: TaskId, live: &mut Live) {
        let list = &mut self.lists[queue as usize];
        let last = list.back.replace(task);
        match last {
            None => list.front = Some(task),
            Some(last) => live[last].behind = Some(task),
        }
        (live[task].before, live[task].behind) = (last, None);
        list.length += 1;
        if list.length == 1 {
            self.place[queue as usize] = self.filled.len() as u32;
            self.filled.push(queue);
        }
        self.waiting += 1;
        self.longest = self.longest.max(self.waiting);
    }

    /// Takes a task from one end of a queue.
    pub fn pop(&mut self, queue: u32, end: QueueEnd, live: &mut Live) -> Option<TaskId> {
        let list = &self.lists[queue as usize];
        let task = if end == QueueEnd::Front { list.front } else { list.back }?;
        self.take(queue, task, live);
        Some(task)
    }

    /// Takes the task `task`, at any position, out of queue `queue`.
    pub fn take(&mut self, queue: u32, task: TaskId, live: &mut Live) {
        let (before, behind) = (live[task].before, live[task].behind);
        let list = &mut self.lists[queue as usize];
        match before {
            None => list.front = behind,
            Some(before) => live[before].behind = behind,
        }
        match behind {
            None => list.back = before,
            Some(behind) => live[behind].before = before,
        }
        list.length -= 1;
        if list.length == 0 {
            let at = self.place[queue as usize] as usize;
            self.filled.swap_remove(at);
            if let Some(moved) = self.filled.get(at) {
                self.place[*moved as usize] = at as u32;
            }
        }
        self.waiting -= 1;
    }
}
