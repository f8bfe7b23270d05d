//! Threads without work. Real threads poll queues; simulated threads are parked. The thread that finds a new task
//! first, and the time until then, are drawn from the distribution that polling has.

use super::live::QueueId;
use numalab_base::ThreadId;
use numalab_des::Stream;
use numalab_openmp::queues::{Audience, QueueLayout, fruitless, part_of};

numalab_base::index_type! {
    /// Index of a thread in its pool.
    Position
}

/// Parked threads that search for tasks.
#[derive(Clone, Debug)]
pub(super) struct Idle {
    audience: Audience,
    /// Searching threads that are not sent to a queue yet: one pool for all, or one for each group of threads that
    /// share a queue.
    pools: Vec<Vec<u32>>,
    /// Index of each thread's pool.
    pool: Vec<u32>,
    /// Index of each thread in its pool; `None` if the thread is not in the pool.
    place: Vec<Option<Position>>,
    /// Queue in which each thread is going to find a task; `None` if the thread is sent to no queue.
    sent: Vec<Option<QueueId>>,
    /// True for each queue that a thread is on the way to.
    expected: Vec<bool>,
    /// Number of other queues that a thread polls in one round.
    round: u64,
    /// Picoseconds of one poll.
    look: u64,
}

impl Idle {
    pub fn new(shape: &QueueLayout, threads: u32, look: u64) -> Idle {
        let audience = shape.audience();
        let together = audience == Audience::AllIdle;
        let pool = |thread| if together { 0 } else { shape.own(ThreadId::new(thread)) };
        let pools = if together { 1 } else { shape.queues() };
        Idle {
            audience,
            pools: vec![Vec::new(); pools as usize],
            pool: (0..threads).map(pool).collect(),
            place: vec![None; threads as usize],
            sent: vec![None; threads as usize],
            expected: vec![false; shape.queues() as usize],
            round: u64::from(shape.queues().saturating_sub(1)).max(1),
            look,
        }
    }

    /// Adds a thread to its pool: it begins to search.
    pub fn park(&mut self, thread: u32) {
        let pool = &mut self.pools[self.pool[thread as usize] as usize];
        self.place[thread as usize] = Some(Position::new(pool.len() as u32));
        pool.push(thread);
    }

    /// A thread stops searching. Returns the queue that it was sent to.
    pub fn leave(&mut self, thread: u32) -> Option<u32> {
        self.withdraw(thread);
        let queue = self.sent[thread as usize].take()?.number();
        self.expected[queue as usize] = false;
        Some(queue)
    }

    /// Removes a thread from its pool, because the thread is going to be woken; it is sent nowhere else then.
    pub fn withdraw(&mut self, thread: u32) {
        let Some(at) = self.place[thread as usize].take() else { return };
        let pool = &mut self.pools[self.pool[thread as usize] as usize];
        pool.swap_remove(at.index());
        if let Some(moved) = pool.get(at.index()) {
            self.place[*moved as usize] = Some(at);
        }
    }

    /// Takes a thread of a group out of its pool, to be woken because other groups have work. `None` if no thread of
    /// the group searches.
    pub fn one_of(&mut self, group: u32) -> Option<u32> {
        let pool = if self.audience == Audience::AllIdle { 0 } else { group };
        let thread = *self.pools[pool as usize].last()?;
        self.withdraw(thread);
        Some(thread)
    }

    /// Empties the pools. Returns their threads, to be woken, in thread order.
    pub fn take_all(&mut self) -> Vec<u32> {
        let mut all: Vec<u32> = self.pools.iter_mut().flat_map(std::mem::take).collect();
        all.sort_unstable();
        for thread in &all {
            self.place[*thread as usize] = None;
        }
        all
    }

    /// True if any thread searches and is not yet sent to a queue.
    pub fn has_any(&self) -> bool {
        self.pools.iter().any(|pool| !pool.is_empty())
    }

    /// Sends a woken thread to a queue that holds a task. A broadcast sends all waiters, so the queue is not marked
    /// as expecting one thread.
    pub fn notify(&mut self, thread: u32, queue: u32) {
        self.sent[thread as usize] = Some(QueueId::new(queue));
    }

    /// Draws the thread that finds a queue's new task first, and the delay in picoseconds. `None` if no searching
    /// thread can find the task, or if a thread is already on the way to the queue. `busy`: groups that have a thief;
    /// their other members do not search other queues.
    pub fn send(&mut self, queue: u32, busy: &[bool], stream: &mut Stream) -> Option<(u64, u32)> {
        if self.expected[queue as usize] {
            return None;
        }
        let own = if self.audience == Audience::AllIdle { 0 } else { queue as usize };
        let looking = self.pools[own].len() as u64;
        let (pool, thieves, round) = match self.audience {
            Audience::AllIdle if looking > 0 => (own, looking, self.round),
            // An owner polls its own queue only, so its next poll finds the task.
            Audience::OwnersFirst | Audience::Owners if looking > 0 => (own, looking, 1),
            Audience::OwnersFirst => {
                let looks = |pool: &usize| !self.pools[*pool].is_empty() && !busy[*pool];
                let groups = (0..self.pools.len()).filter(looks).count() as u64;
                let nth = part_of(stream, groups) as usize;
                let pool = (0..self.pools.len()).filter(looks).nth(nth)?;
                (pool, groups, self.round)
            }
            Audience::AllIdle | Audience::Owners => return None,
        };
        let members = &self.pools[pool];
        let thread = members[part_of(stream, members.len() as u64) as usize];
        let looks = fruitless(stream, 1, round, thieves);
        let delay = looks.saturating_mul(self.look).saturating_add(part_of(stream, self.look));
        self.withdraw(thread);
        self.sent[thread as usize] = Some(QueueId::new(queue));
        self.expected[queue as usize] = true;
        Some((delay, thread))
    }
}
