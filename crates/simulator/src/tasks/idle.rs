//! Threads without work. In reality they look into queues again and again; here they are parked, and when
//! a queue gets something, who finds it first and when is drawn from what all these looks would have been.

use super::live::QueueId;
use numalab_base::ThreadId;
use numalab_des::Stream;
use numalab_openmp::queues::{Audience, QueueLayout, fruitless, part_of};

numalab_base::index_type! {
    /// A place in a pool.
    Position
}

/// Parked threads that look for tasks.
#[derive(Clone, Debug)]
pub(super) struct Idle {
    audience: Audience,
    /// Threads that nobody has sent anywhere: in one pool, or in one for each group.
    pools: Vec<Vec<u32>>,
    /// The pool of each thread.
    pool: Vec<u32>,
    /// Position of each thread in it, if it has one.
    place: Vec<Option<Position>>,
    /// The queue in which each thread is going to find something.
    sent: Vec<Option<QueueId>>,
    /// Whether somebody is on the way to a queue.
    expected: Vec<bool>,
    /// Queues of others that a thread looks into, one after another.
    round: u64,
    /// Picoseconds of a look.
    look: u64,
}

impl Idle {
    pub fn new(shape: &QueueLayout, threads: u32, look: u64) -> Idle {
        let audience = shape.audience();
        let together = audience == Audience::Everybody;
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

    /// A thread looks for work from now on.
    pub fn park(&mut self, thread: u32) {
        let pool = &mut self.pools[self.pool[thread as usize] as usize];
        self.place[thread as usize] = Some(Position::new(pool.len() as u32));
        pool.push(thread);
    }

    /// A thread no longer looks. Returns the queue that it was sent to.
    pub fn leave(&mut self, thread: u32) -> Option<u32> {
        self.withdraw(thread);
        let queue = self.sent[thread as usize].take()?.number();
        self.expected[queue as usize] = false;
        Some(queue)
    }

    /// A thread is to be woken: nobody else sends it anywhere.
    pub fn withdraw(&mut self, thread: u32) {
        let Some(at) = self.place[thread as usize].take() else { return };
        let pool = &mut self.pools[self.pool[thread as usize] as usize];
        pool.swap_remove(at.index());
        if let Some(moved) = pool.get(at.index()) {
            self.place[*moved as usize] = Some(at);
        }
    }

    /// Somebody who looks on behalf of a group, to be woken: work is to be had elsewhere.
    pub fn one_of(&mut self, group: u32) -> Option<u32> {
        let pool = if self.audience == Audience::Everybody { 0 } else { group };
        let thread = *self.pools[pool as usize].last()?;
        self.withdraw(thread);
        Some(thread)
    }

    /// All who look, to be woken, in the order of threads.
    pub fn everybody(&mut self) -> Vec<u32> {
        let mut all: Vec<u32> = self.pools.iter_mut().flat_map(std::mem::take).collect();
        all.sort_unstable();
        for thread in &all {
            self.place[*thread as usize] = None;
        }
        all
    }

    /// Whether anybody looks for work whom nobody has sent anywhere.
    pub fn somebody(&self) -> bool {
        self.pools.iter().any(|pool| !pool.is_empty())
    }

    /// Sends a thread to a queue that has something, as everybody else is sent.
    pub fn notify(&mut self, thread: u32, queue: u32) {
        self.sent[thread as usize] = Some(QueueId::new(queue));
    }

    /// A queue holds something: who finds it first, and after how many picoseconds. `None` if nobody looks,
    /// or somebody is on the way already. `busy`: groups in which somebody steals for all.
    pub fn send(&mut self, queue: u32, busy: &[bool], stream: &mut Stream) -> Option<(u64, u32)> {
        if self.expected[queue as usize] {
            return None;
        }
        let own = if self.audience == Audience::Everybody { 0 } else { queue as usize };
        let looking = self.pools[own].len() as u64;
        let (pool, thieves, round) = match self.audience {
            Audience::Everybody if looking > 0 => (own, looking, self.round),
            // Who looks nowhere else sees it with the next look.
            Audience::OwnersFirst | Audience::Owners if looking > 0 => (own, looking, 1),
            Audience::OwnersFirst => {
                let looks = |pool: &usize| !self.pools[*pool].is_empty() && !busy[*pool];
                let groups = (0..self.pools.len()).filter(looks).count() as u64;
                let nth = part_of(stream, groups) as usize;
                let pool = (0..self.pools.len()).filter(looks).nth(nth)?;
                (pool, groups, self.round)
            }
            Audience::Everybody | Audience::Owners => return None,
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
