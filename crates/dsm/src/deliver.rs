//! Effects of messages at the nodes whose daemons serve them.

use crate::counts::{Part, Stop};
use crate::directory::{PageId, Right};
use crate::engine::{Blocked, Dsm};
use crate::network::{Content, Message, Stage};
use numalab_base::{Span, Time};

impl Dsm {
    /// Page and node whose stalled workers wait for the effect of a message; `None` if no worker does.
    pub(crate) fn stop_of(&self, message: &Message) -> Option<(PageId, u32)> {
        match message.content {
            Content::Fault(_) | Content::Request(_) | Content::CopyRequest | Content::DiffRequest => {
                Some((message.page, message.from))
            }
            Content::Forward(_, asker) => Some((message.page, asker)),
            Content::Page(_)
            | Content::Grant(_)
            | Content::AheadPage(_)
            | Content::AheadGrant(_)
            | Content::Copy
            | Content::Diff => Some((message.page, message.to)),
            Content::Fetch | Content::FetchInvalidate | Content::Fetched => {
                let service = self.busy.get(&message.page)?;
                Some((message.page, service.asker))
            }
            Content::Invalidate
            | Content::Ack
            | Content::Fork
            | Content::Arrive
            | Content::Depart
            | Content::Acquire
            | Content::Acquired
            | Content::Unlock
            | Content::Release
            | Content::Deposit
            | Content::Deposited
            | Content::Echo
            | Content::Echoed
            | Content::Signal { .. }
            | Content::Wake => None,
        }
    }

    /// Sends a message, or applies it immediately if it stays on its node. `stop`: page and node whose stalled
    /// workers wait for the message's effect.
    pub(crate) fn deliver(&mut self, message: Message, now: Time, stop: Option<(PageId, u32)>) {
        if message.from == message.to {
            return self.handle(message, now);
        }
        let stop = stop.and_then(|key| self.blocked.get_mut(&key)).map(|blocked| &mut blocked.stop);
        self.network.send(message, now, stop);
    }

    /// Sends a message at the time `at`, which is `now` or later.
    pub(crate) fn deliver_at(&mut self, message: Message, now: Time, at: Time) {
        if at == now {
            let stop = self.stop_of(&message);
            return self.deliver(message, at, stop);
        }
        self.network.put(at, Stage::Departs, message);
    }

    /// Applies a message that a daemon has served.
    pub(crate) fn handle(&mut self, message: Message, now: Time) {
        let Message { content, page, from, to, .. } = message;
        match content {
            Content::Fault(_) if self.lazy.is_some() => self.fetch(page, from, now),
            Content::Fault(request) => {
                let master = self.asked_of(page, from);
                let content = Content::Request(request);
                self.deliver(Message { content, page, from, to: master, load: 0 }, now, Some((page, from)));
            }
            Content::Request(request) => self.asked_at(page, (request, from), to, now),
            Content::Forward(request, asker) => self.asked_at(page, (request, asker), to, now),
            Content::Fetch | Content::FetchInvalidate | Content::Invalidate => self.give_up(message, now),
            Content::Fetched | Content::Ack => self.answered(page, now),
            Content::Page(right) | Content::Grant(right) => {
                self.got(page, to);
                self.granted(page, to, right, now);
                self.count_answer(page, to);
            }
            Content::AheadPage(right) | Content::AheadGrant(right) => self.granted(page, to, right, now),
            Content::Release => self.released(page, from, now),
            Content::Fork => self.forked(to, page, now),
            Content::Arrive => self.arrived(page, now),
            Content::Depart => self.departed(to, page, now),
            Content::Acquire => self.lock_asked(page as u32, now),
            Content::Acquired => self.wake(page as u32, now),
            Content::Unlock => self.unlocked(now),
            Content::Wake => self.woken.push(page as u32),
            Content::CopyRequest => self.copy_asked(page, from, to, now),
            Content::Copy => self.copy_came(page, to, now),
            Content::DiffRequest => self.diff_asked(page, from, to, now),
            Content::Diff => self.diff_came(page, to, now),
            Content::Deposit => self.deposited(page, from, now),
            Content::Deposited => self.applied(page, to, now),
            Content::Echo => self.send_back(message, now),
            Content::Echoed => self.echoed(now),
            Content::Signal { flag, worker, raised } => self.signalled((flag, worker, raised), to, page, now),
        }
    }

    /// Counts a request of a node for a page as answered.
    pub(crate) fn got(&mut self, page: PageId, node: u32) {
        if let Some(asked) = self.asked.get_mut(&(page, node)) {
            *asked -= 1;
            if *asked == 0 {
                self.asked.remove(&(page, node));
            }
        }
    }

    /// Gives a node a right to a page. If the right suffices for the node's stalled workers, they continue after the
    /// wake-up time, and the page stays on the node for the hold time after that.
    fn granted(&mut self, page: PageId, node: u32, right: Right, now: Time) {
        let entry = self.directory.page_mut(page);
        if entry.right(node) < right {
            entry.give(node, right);
        }
        let key = (page, node);
        if self.blocked.get(&key).is_none_or(|blocked| blocked.needs > right) {
            return;
        }
        let until = self.go_on(page, node, now);
        self.holds.insert(key, until + self.hold);
    }

    /// Wakes the workers that wait for a page on a node. Returns the time at which they continue.
    pub(crate) fn go_on(&mut self, page: PageId, node: u32, now: Time) -> Time {
        let until = now + self.wake;
        let Some(Blocked { workers, mut stop, .. }) = self.blocked.remove(&(page, node)) else {
            return until;
        };
        stop.add(Part::Wake, self.wake);
        for (at, (worker, since)) in workers.into_iter().enumerate() {
            let total = until - since;
            let mut own = if at == 0 { stop } else { Stop::default() };
            // Workers that faulted later waited for the first worker's request.
            own.fit(Part::PageBusy, total);
            self.stops[worker as usize] = own;
            self.wake(worker, now);
        }
        until
    }

    /// Wakes a worker after the wake-up time.
    pub(crate) fn wake(&mut self, worker: u32, now: Time) {
        self.run_at(worker, now + self.wake);
    }

    /// Wakes a worker at the time `at`.
    pub(crate) fn run_at(&mut self, worker: u32, at: Time) {
        let message = Message { content: Content::Wake, page: worker.into(), from: 0, to: 0, load: 0 };
        self.network.put(at, Stage::Served, message);
    }

    /// A node receives the master's request to give up its right to a page (under `Fetch` it keeps the right to
    /// read), and answers. While the page has to stay for the node's own workers, the request waits.
    fn give_up(&mut self, message: Message, now: Time) {
        let Message { content, page, from, to, .. } = message;
        match self.holds.get(&(page, to)) {
            // One picosecond later, so that the worker is woken first.
            Some(&until) if until >= now => {
                return self.network.put(until + Span(1), Stage::Served, message);
            }
            Some(_) => {
                self.holds.remove(&(page, to));
            }
            None => {}
        }
        let entry = self.directory.page_mut(page);
        let (right, reply) = match content {
            Content::Fetch => (Right::Read, Content::Fetched),
            Content::FetchInvalidate => (Right::None, Content::Fetched),
            Content::Fault(_)
            | Content::Request(_)
            | Content::Forward(..)
            | Content::Invalidate
            | Content::Fetched
            | Content::Ack
            | Content::Page(_)
            | Content::Grant(_)
            | Content::AheadPage(_)
            | Content::AheadGrant(_)
            | Content::Fork
            | Content::Arrive
            | Content::Depart
            | Content::Acquire
            | Content::Acquired
            | Content::Unlock
            | Content::Release
            | Content::Wake
            | Content::CopyRequest
            | Content::Copy
            | Content::DiffRequest
            | Content::Diff
            | Content::Deposit
            | Content::Deposited
            | Content::Echo
            | Content::Echoed
            | Content::Signal { .. } => (Right::None, Content::Ack),
        };
        if entry.right(to) > right {
            entry.give(to, right);
        }
        if right == Right::None {
            self.ahead.remove(&(page, to));
            self.network.counts[to as usize].invalidations += 1;
            for worker in self.spinning.remove(&(page, to)).unwrap_or_default() {
                self.run_at(worker, now);
            }
        }
        let reply = Message { content: reply, page, from: to, to: from, load: 0 };
        let stop = self.stop_of(&reply);
        self.deliver(reply, now, stop);
    }
}
