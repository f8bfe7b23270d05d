//! Connections between nodes whose cards have bounded queues. Lost messages are resent, and the window of a
//! connection shrinks at a loss, as under TCP with selective acknowledgements.

use crate::network::Message;
use numalab_base::{Snapshot, Span, Time};
use std::collections::{BTreeMap, VecDeque};

/// Bytes of a segment, by which windows grow: an Ethernet frame without its headers.
const SEGMENT: u64 = 1448;

/// Message of a connection that can be resent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub message: Message,
    pub bytes: u64,
    /// Time at which the message was handed to the connection.
    pub since: Time,
    pub losses: u32,
}

/// Messages from one node to another, delivered in the order of sending.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// Window (bytes that may be in flight at present), `threshold` up to which the window grows fast, and its upper
    /// limit `most`.
    window: u64,
    threshold: u64,
    most: u64,
    /// Bytes sent and not yet acknowledged.
    under_way: u64,
    /// Messages that are sent once the window allows, in order.
    waiting: VecDeque<Kept>,
    /// Messages sent and not yet acknowledged, by number.
    sent: BTreeMap<u32, Kept>,
    next_out: u32,
    next_in: u32,
    /// Number of the first message sent after the window last shrank. Losses of earlier messages do not shrink the
    /// window again, unless the message is overdue.
    recover: u32,
    /// Lost messages by number, each with the time at which it is resent unless a later message is acknowledged
    /// before.
    lost: BTreeMap<u32, Time>,
    /// Messages that arrived before an earlier message, by number, with their times of arrival.
    early: BTreeMap<u32, (Message, Time)>,
}

impl Connection {
    /// Connection without traffic. `most`: upper limit of the window, in bytes.
    pub fn new(most: u64) -> Connection {
        Connection {
            window: (3 * SEGMENT).min(most),
            threshold: most,
            most,
            under_way: 0,
            waiting: VecDeque::new(),
            sent: BTreeMap::new(),
            next_out: 0,
            next_in: 0,
            recover: 0,
            lost: BTreeMap::new(),
            early: BTreeMap::new(),
        }
    }

    /// Queues a message that is to be sent.
    pub fn push(&mut self, kept: Kept) {
        self.waiting.push_back(kept);
    }

    /// Next message that can be sent, if the window allows. A single message is always allowed.
    pub fn depart(&mut self) -> Option<(u32, Kept)> {
        let first = self.waiting.front()?;
        if self.under_way > 0 && self.under_way + first.bytes > self.window {
            return None;
        }
        let kept = self.waiting.pop_front()?;
        let number = self.next_out;
        self.next_out += 1;
        self.under_way += kept.bytes;
        self.sent.insert(number, kept);
        Some((number, kept))
    }

    pub fn sent(&self, number: u32) -> Option<&Kept> {
        self.sent.get(&number)
    }

    /// Records the loss of a message. Returns the time at which the message is resent, unless a later message is
    /// acknowledged before: after `wait`, doubled at each further loss of the message. If the queue of the sender's
    /// own card was full, the window shrinks immediately, at most once for the messages in flight.
    pub fn lose(&mut self, number: u32, now: Time, wait: Span, at_sender: bool) -> Time {
        /// Greatest number of doublings of `wait`. Even a `wait` of 1 ps then becomes 1.1 s, longer than any card is
        /// busy.
        const DOUBLED: u32 = 40;
        let losses = self.sent.get_mut(&number).map_or(1, |kept| {
            kept.losses += 1;
            kept.losses
        });
        if at_sender && number >= self.recover {
            self.fall(false);
        }
        let at = now + Span(wait.0.saturating_mul(1 << (losses - 1).min(DOUBLED)));
        self.lost.insert(number, at);
        at
    }

    /// A message has arrived. Returns the messages that can be delivered now, in order, with their arrival times.
    pub fn come(&mut self, number: u32, message: Message, now: Time) -> Vec<(Message, Time)> {
        self.early.insert(number, (message, now));
        let mut delivered = Vec::new();
        while let Some(one) = self.early.remove(&self.next_in) {
            self.next_in += 1;
            delivered.push(one);
        }
        delivered
    }

    /// Processes the acknowledgement of a message. Returns an earlier, lost message that is to be resent immediately;
    /// `None` if there is none.
    pub fn heard(&mut self, number: u32) -> Option<u32> {
        let bytes = self.sent.remove(&number).map_or(0, |kept| kept.bytes);
        self.under_way -= bytes;
        let more = if self.window < self.threshold { bytes } else { SEGMENT * bytes / self.window.max(1) };
        self.window = (self.window + more).min(self.most);
        let (first, _) = self.lost.first_key_value().filter(|(first, _)| **first < number)?;
        let first = *first;
        if first >= self.recover {
            self.fall(false);
        }
        self.lost.remove(&first);
        Some(first)
    }

    /// True if a lost message has to be resent now, since no later message was acknowledged. The window then shrinks
    /// to one segment.
    pub fn overdue(&mut self, number: u32, now: Time) -> bool {
        let due = self.lost.get(&number) == Some(&now);
        if due {
            self.lost.remove(&number);
            self.fall(true);
        }
        due
    }

    fn fall(&mut self, to_one: bool) {
        self.threshold = (self.under_way.min(self.window) / 2).max(2 * SEGMENT);
        self.window = if to_one { SEGMENT } else { self.threshold };
        self.recover = self.next_out;
    }

    /// Distance of a message's number from the number of the next message to arrive.
    pub fn place(&self, number: u32) -> u32 {
        number.wrapping_sub(self.next_in)
    }

    /// Adds the messages in flight to a snapshot, numbered relative to the next message to arrive.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Connection {
            window,
            threshold,
            most: _,
            under_way,
            waiting,
            sent,
            next_out,
            next_in,
            recover,
            lost,
            early,
        } = self;
        into.add(&(window, threshold, under_way, next_out - next_in, recover.saturating_sub(*next_in)));
        into.add(&(waiting.len(), sent.len(), lost.len(), early.len()));
        let numbered = sent.iter().map(|(number, kept)| (number.wrapping_sub(*next_in), kept));
        for (number, Kept { message, bytes: _, since, losses }) in
            waiting.iter().map(|kept| (0, kept)).chain(numbered)
        {
            into.add(&(number, message, losses));
            into.time(*since);
        }
        for (number, at) in lost.iter().chain(early.iter().map(|(number, (_, at))| (number, at))) {
            into.add(&number.wrapping_sub(*next_in));
            into.time(*at);
        }
    }
}
