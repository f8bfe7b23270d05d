//! Echo: a node sends messages as fast as it can, and the receivers return each message, which measures the network.

use crate::engine::Dsm;
use crate::network::{Content, Message};
use numalab_base::{Bytes, Time};

/// Echo messages between a worker's node and others.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    worker: u32,
    from: u32,
    /// Bytes of each message.
    size: u32,
    /// Messages still to be sent (`left`), and messages in flight in either direction (`under_way`).
    left: u32,
    under_way: u32,
    /// `peers`: destinations, used in turn. `next`: index of the next destination.
    peers: Vec<u32>,
    next: usize,
}

impl Dsm {
    /// Nodes with workers, without the first worker's node.
    pub fn peers(&self) -> impl Iterator<Item = u32> + '_ {
        let own = self.meetings.node(0);
        self.meetings.populated().filter(move |node| *node != own)
    }

    /// True while an echo runs.
    pub fn echoes(&self) -> bool {
        self.echo.is_some()
    }

    /// Sends `count` messages of `size` bytes from a worker's node to the other nodes with workers in turn, which
    /// return each message. At most `in_flight` messages are under way at a time. The worker is woken when the last
    /// message is back.
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

    fn send_echo(&mut self, now: Time) {
        let Some(Echo { from, size, left, under_way, peers, next, .. }) = &mut self.echo else { return };
        *left -= 1;
        *under_way += 1;
        let to = peers[*next];
        *next = (*next + 1) % peers.len();
        let message = Message { content: Content::Echo, page: 0, from: *from, to, load: *size };
        self.deliver(message, now, None);
    }

    /// Returns a message to its sender.
    pub(crate) fn send_back(&mut self, message: Message, now: Time) {
        let Message { page, from, to, load, .. } = message;
        self.deliver(Message { content: Content::Echoed, page, from: to, to: from, load }, now, None);
    }

    /// A returned message arrives: sends the next message, or wakes the worker after the last.
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
