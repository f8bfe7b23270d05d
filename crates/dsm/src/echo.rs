//! Messages that come back: what a node sends to others as fast as it may, which shows what the network carries.

use crate::engine::Dsm;
use crate::network::{Content, Message};
use numalab_base::{Bytes, Time};

/// Messages of a worker's node to others.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    worker: u32,
    from: u32,
    /// Bytes of each.
    size: u32,
    /// Messages that are still to be sent, and those on their way or on their way back.
    left: u32,
    under_way: u32,
    /// Nodes that they go to, and the place of the next one's.
    peers: Vec<u32>,
    next: usize,
}

impl Dsm {
    /// Nodes with workers, other than the first worker's.
    pub fn peers(&self) -> impl Iterator<Item = u32> + '_ {
        let own = self.meetings.node(0);
        self.meetings.populated().filter(move |node| *node != own)
    }

    /// A worker's node sends messages of a size to the other nodes with workers in turn, of which each comes back: so many
    /// are under way at most, and so many are sent in all. The worker is woken when the last is back.
    pub fn echo(&mut self, worker: u32, size: Bytes, (in_flight, count): (u32, u32), now: Time) {
        let from = self.meetings.node(worker);
        let peers: Vec<u32> = self.meetings.populated().filter(|node| *node != from).collect();
        if peers.is_empty() || count == 0 {
            return self.wake(worker, now);
        }
        let size = size.0.min(u32::MAX.into()) as u32;
        let echo = Echo { worker, from, size, left: count, under_way: 0, peers, next: 0 };
        self.echo = Some(echo);
        for _ in 0..in_flight.clamp(1, count) {
            self.send_echo(now);
        }
    }

    /// Sends the next message.
    fn send_echo(&mut self, now: Time) {
        let Some(Echo { from, size, left, under_way, peers, next, .. }) = &mut self.echo else { return };
        *left -= 1;
        *under_way += 1;
        let to = peers[*next];
        *next = (*next + 1) % peers.len();
        let message = Message { content: Content::Echo, page: 0, from: *from, to, load: *size };
        self.deliver(message, now, None);
    }

    /// A node sends back what has come.
    pub(crate) fn send_back(&mut self, message: Message, now: Time) {
        let Message { page, from, to, load, .. } = message;
        self.deliver(Message { content: Content::Echoed, page, from: to, to: from, load }, now, None);
    }

    /// A message is back: another one departs, and after the last the worker goes on.
    pub(crate) fn echoed(&mut self, now: Time) {
        let Some(Echo { worker, left, under_way, .. }) = &mut self.echo else { return };
        let worker = *worker;
        *under_way -= 1;
        if *left > 0 {
            self.send_echo(now);
        } else if *under_way == 0 {
            self.echo = None;
            self.wake(worker, now);
        }
    }
}
