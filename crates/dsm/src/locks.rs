//! Lock of critical sections: a queue at the daemon of the first node, and messages to and from that daemon.

use crate::engine::Dsm;
use crate::network::{Content, Message};
use numalab_base::{Snapshot, Time};
use std::collections::VecDeque;

/// Lock with its holder and waiters, as worker numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    holder: Option<u32>,
    /// Waiters in the order in which their requests reached the daemon.
    waiting: VecDeque<u32>,
}

impl Lock {
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
    /// A worker requests the lock. The worker is woken when it holds the lock.
    pub fn lock(&mut self, worker: u32, now: Time) {
        self.ask_lock(Content::Acquire, worker, now);
    }

    /// A worker releases the lock. The worker continues without waiting.
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
