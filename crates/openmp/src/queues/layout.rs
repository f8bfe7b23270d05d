//! The task queues of a team, and the threads that own them.

use super::order::{nearest, nearest_first};
use numalab_base::ThreadId;
use numalab_workload::QueueKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadLocation {
    pub node: u32,
    pub socket: u32,
}

/// Idle threads that may notice new tasks in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// All idle threads.
    AllIdle,
    /// The owners of the queue if one of them is idle; otherwise one thread of each other group.
    OwnersFirst,
    /// The owners of the queue only.
    Owners,
}

/// The queues of a team. Threads that share a queue form a group, which has the number of the queue.
#[derive(Clone, Debug)]
pub struct QueueLayout {
    kind: QueueKind,
    /// Group of each thread, by thread number.
    group: Vec<u32>,
    /// Node of each group's first thread, by group number.
    node: Vec<u32>,
}

impl QueueLayout {
    /// Creates the queues for a team; `team` has the location of each thread.
    pub fn new(kind: QueueKind, team: &[ThreadLocation]) -> QueueLayout {
        let mut keys: Vec<u32> = Vec::new();
        let (mut group, mut node) = (Vec::with_capacity(team.len()), Vec::new());
        for (thread, location) in team.iter().enumerate() {
            let key = match kind {
                QueueKind::Central => 0,
                QueueKind::ThreadLocal => thread as u32,
                QueueKind::Hierarchical => location.socket,
                QueueKind::Locality | QueueKind::LocalityStrict => location.node,
            };
            // Adjacent threads are mostly in the same group.
            let known =
                if kind == QueueKind::ThreadLocal { None } else { keys.iter().rposition(|k| *k == key) };
            let at = known.unwrap_or(keys.len());
            if at == keys.len() {
                keys.push(key);
                node.push(location.node);
            }
            group.push(at as u32);
        }
        QueueLayout { kind, group, node }
    }

    pub fn queues(&self) -> u32 {
        self.node.len() as u32
    }

    /// Number of the queue that a thread searches first: the queue of the thread's group.
    #[inline]
    pub fn own(&self, thread: ThreadId) -> u32 {
        self.group[thread.index()]
    }

    /// Home node of the cache lines of a queue's own data: the node of the group's first thread.
    pub fn home(&self, queue: u32) -> u32 {
        self.node[queue as usize]
    }

    /// Number of the queue that serves a node: the first queue with this node as home, or the queue with the nearest
    /// home if there is none.
    pub fn serving(&self, node: u32, distance: impl Fn(u32, u32) -> u64) -> u32 {
        match self.node.iter().position(|own| *own == node) {
            Some(queue) => queue as u32,
            None => nearest(self.queues(), |queue| distance(node, self.home(queue))),
        }
    }

    /// Queue of a new task: the queue `named` by the task, else the queue of the `parent` task, else the queue of the
    /// creator. Only locality queues use `named` and `parent`.
    #[inline]
    pub fn target(&self, creator: ThreadId, named: Option<u32>, parent: Option<u32>) -> u32 {
        match self.kind {
            QueueKind::Locality | QueueKind::LocalityStrict => {
                named.or(parent).unwrap_or_else(|| self.own(creator))
            }
            QueueKind::Central | QueueKind::ThreadLocal | QueueKind::Hierarchical => self.own(creator),
        }
    }

    /// All queues except `queue`, in the order in which the threads of `queue` search them, nearest first.
    pub fn round(&self, queue: u32, distance: impl Fn(u32, u32) -> u64) -> Vec<u32> {
        let home = self.home(queue);
        nearest_first(queue, self.queues(), |other| distance(home, self.home(other)))
    }

    /// Threads that may notice new tasks in a queue.
    pub fn audience(&self) -> Audience {
        match self.kind {
            QueueKind::Central | QueueKind::ThreadLocal | QueueKind::Locality => Audience::AllIdle,
            QueueKind::Hierarchical => Audience::OwnersFirst,
            QueueKind::LocalityStrict => Audience::Owners,
        }
    }
}
