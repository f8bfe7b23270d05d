//! The lock of critical sections: a queue at the starter's daemon, and messages to and from it.

use crate::engine::Dsm;
use crate::network::{Content, Message};
use numalab_base::{Snapshot, Time};
use std::collections::VecDeque;

/// A lock, by workers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    holder: Option<u32>,
    /// Those who wait, in the order in which the daemon heard of them.
    waiting: VecDeque<u32>,
}

impl Lock {
    /// Whether a worker has it.
    pub fn is_held_by(&self, worker: u32) -> bool {
        self.holder == Some(worker)
    }

    pub fn is_free(&self) -> bool {
        self.holder.is_none()
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Lock { holder, waiting } = self;
        into.add(&(holder, waiting));
    }
}

impl Dsm {
    /// A worker asks for the lock. It is woken when it has it.
    pub fn lock(&mut self, worker: u32, now: Time) {
        self.ask_lock(Content::Acquire, worker, now);
    }

    /// A worker gives the lock back, and does not wait for that.
    pub fn unlock(&mut self, worker: u32, now: Time) {
        self.ask_lock(Content::Unlock, worker, now);
    }

    fn ask_lock(&mut self, content: Content, worker: u32, now: Time) {
        let (from, to) = (self.meetings.node(worker), self.meetings.node(0));
        self.deliver(Message { content, page: worker.into(), from, to, load: 0 }, now, None);
    }

    pub(crate) fn lock_asked(&mut self, worker: u32, now: Time) {
        self.lock.waiting.push_back(worker);
        self.grant_lock(now);
    }

    pub(crate) fn unlocked(&mut self, now: Time) {
        self.lock.holder = None;
        self.grant_lock(now);
    }

    fn grant_lock(&mut self, now: Time) {
        if self.lock.holder.is_none()
            && let Some(worker) = self.lock.waiting.pop_front()
        {
            self.lock.holder = Some(worker);
            let (from, to) = (self.meetings.node(0), self.meetings.node(worker));
            let content = Content::Acquired;
            self.deliver(Message { content, page: worker.into(), from, to, load: 0 }, now, None);
        }
    }
}
