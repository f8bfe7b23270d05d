//! Connections between nodes whose cards keep only so many bytes: what does not fit is lost and sent again, and its
//! connection has fewer bytes under way from then on, as under TCP with selective acknowledgements.

use crate::network::Message;
use numalab_base::{Snapshot, Span, Time};
use std::collections::{BTreeMap, VecDeque};

/// Bytes of a segment, by which windows grow: an Ethernet frame less its headers.
const SEGMENT: u64 = 1448;

/// A message of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub message: Message,
    pub bytes: u64,
    /// Instant at which it was handed to the network.
    pub since: Time,
    /// Times that it was lost.
    pub losses: u32,
}

/// Messages from one node to another, which are delivered in the order in which they were handed over.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// Bytes under way at most: now, up to where it grows fast, and ever.
    window: u64,
    threshold: u64,
    most: u64,
    /// Bytes sent of which the sender has not heard that they have come.
    under_way: u64,
    /// Messages that wait for the window.
    waiting: VecDeque<Kept>,
    /// Those sent that the sender has not heard of, by their numbers.
    sent: BTreeMap<u32, Kept>,
    next_out: u32,
    next_in: u32,
    /// The window falls once for all that is lost before this message.
    recover: u32,
    /// Those that are lost, and when they are sent again at the latest.
    lost: BTreeMap<u32, Time>,
    /// Those that came before others that were sent earlier, and when.
    early: BTreeMap<u32, (Message, Time)>,
}

impl Connection {
    /// Nothing is under way.
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

    /// Queues a message.
    pub fn push(&mut self, kept: Kept) {
        self.waiting.push_back(kept);
    }

    /// The next message that may depart, if the window has room for it. A message alone may always.
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

    /// A message that was sent.
    pub fn sent(&self, number: u32) -> Option<&Kept> {
        self.sent.get(&number)
    }

    /// A message is lost; its sender waits so long before it sends it again, and twice as long each time, unless it hears
    /// of a later one. When that is. A sender that had no room itself sends less at once.
    pub fn lose(&mut self, number: u32, now: Time, wait: Span, at_sender: bool) -> Time {
        /// Times that the wait doubles at most: enough for a wait of a picosecond to become longer than any card is taken.
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

    /// A message is there: those that can be delivered now, in their order, and since when each is there.
    pub fn come(&mut self, number: u32, message: Message, now: Time) -> Vec<(Message, Time)> {
        self.early.insert(number, (message, now));
        let mut delivered = Vec::new();
        while let Some(one) = self.early.remove(&self.next_in) {
            self.next_in += 1;
            delivered.push(one);
        }
        delivered
    }

    /// The sender hears that a message has come. One before it that is lost is to be sent again at once.
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

    /// Whether a lost message is to be sent again now, since nothing was heard of later ones.
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

    /// Distance of a number from that of the next message that comes.
    pub fn place(&self, number: u32) -> u32 {
        number.wrapping_sub(self.next_in)
    }

    /// Writes down what is under way; numbers as distances from that of the next message that comes.
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
