//! Bounded queues of network cards and switch ports. With them, every message between two nodes belongs to a
//! connection.

use crate::connections::Connection;
use crate::counts::{Part, Stop};
use crate::network::{Due, Message, Network, Stage};
use numalab_base::{Bandwidth, Bytes, Snapshot, Span, Time};
use numalab_machine::Dsm as Parameters;
use std::collections::BTreeMap;

/// Connections by source and destination, with the parameters of losses.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    connections: BTreeMap<(u32, u32), Connection>,
    /// Longest queue of a card, as the time in which the card sends it, in picoseconds.
    room: Span,
    /// Most bytes in flight from one node to another.
    window: u64,
    /// Time after which a lost message is resent if no later message is acknowledged before.
    resend: Span,
}

impl Bounded {
    /// `None` if the queues of cards are unbounded.
    pub fn new(parameters: &Parameters, bandwidth: Bandwidth) -> Option<Box<Bounded>> {
        let Bytes(queue) = parameters.queue?;
        let Bytes(window) = parameters.window;
        let room = Span((queue as f64 * 1e12 / bandwidth.0) as u64);
        let resend = parameters.resend;
        Some(Box::new(Bounded { connections: BTreeMap::new(), room, window, resend }))
    }

    /// Adds the position of a message in its connection to a snapshot.
    pub fn place(&self, number: u32, message: &Message, into: &mut Snapshot) {
        if let Some(connection) = self.connections.get(&(message.from, message.to)) {
            into.add(&connection.place(number));
        }
    }

    /// Adds all connections to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Bounded { connections, room: _, window: _, resend: _ } = self;
        for (pair, connection) in connections {
            into.add(pair);
            connection.snapshot(into);
        }
    }

    /// Connection from one node to another, created at the first call.
    pub fn connection(&mut self, from: u32, to: u32) -> &mut Connection {
        let most = self.window;
        self.connections.entry((from, to)).or_insert_with(|| Connection::new(most))
    }

    /// Records the loss of a message. `at_sender`: true if the sender's own card lost it. Returns the time at which
    /// the message is resent unless a later message is acknowledged before.
    fn lose(&mut self, number: u32, message: Message, now: Time, at_sender: bool) -> Time {
        let wait = self.resend;
        self.connection(message.from, message.to).lose(number, now, wait, at_sender)
    }
}

impl Network {
    /// Sends as much as the window of a connection allows.
    pub fn pump(&mut self, from: u32, to: u32, now: Time) {
        while let Some(bounded) = &mut self.bounded
            && let Some((number, kept)) = bounded.connection(from, to).depart()
        {
            self.transmit(number, kept.message, now);
        }
    }

    /// Sends a message of a connection, or loses it if the card's queue is full.
    fn transmit(&mut self, number: u32, message: Message, now: Time) {
        let Message { from, to, .. } = message;
        let span = self.on_card(&message);
        let latency = self.latency(from, to);
        let Some(bounded) = &mut self.bounded else { return };
        let sending = &mut self.stations[from as usize].sending;
        if *sending > now && *sending - now + span > bounded.room {
            let at = bounded.lose(number, message, now, true);
            return self.put_numbered(at, Stage::Overdue, message, number);
        }
        let start = (*sending).max(now);
        *sending = start + span;
        self.put_numbered(start + latency, Stage::Card, message, number);
    }

    /// Receives a message of a connection, as `receive` does without connections. The message is lost if the card's
    /// queue is full.
    pub fn receive_bounded(&mut self, due: Due, mut stop: Option<&mut Stop>) {
        let Due { at: now, number, message, .. } = due;
        let Message { from, to, .. } = message;
        let span = self.on_card(&message);
        let latency = self.latency(from, to);
        let Some(bounded) = &mut self.bounded else { return };
        let receiving = self.stations[to as usize].receiving;
        if receiving > now && receiving - now + span > bounded.room {
            let at = bounded.lose(number, message, now, false);
            return self.put_numbered(at, Stage::Overdue, message, number);
        }
        if let Some(stop) = &mut stop {
            let since = bounded.connection(from, to).sent(number).map_or(now, |kept| kept.since);
            stop.add(Part::LinkWait, (now - since).saturating_sub(latency));
            stop.add(Part::Wire, latency);
        }
        let start = receiving.max(now);
        self.stations[to as usize].receiving = start + span;
        let bytes = self.bytes(&message);
        let counts = &mut self.counts[to as usize];
        counts.received += 1;
        counts.bytes_received += bytes;
        if let Some(stop) = stop {
            stop.add(Part::LinkWait, start - now);
            stop.add(Part::Wire, span);
        }
        self.put_numbered(start + span, Stage::Daemon, message, number);
    }

    /// A message of a connection has arrived completely. Returns the messages that the daemon gets now, in the order
    /// of sending, and the arrival time of each.
    pub fn come(&mut self, due: Due) -> Vec<(Message, Time)> {
        let Due { at: now, number, message, .. } = due;
        let Message { from, to, .. } = message;
        self.put_numbered(now + self.latency(to, from), Stage::Heard, message, number);
        let Some(bounded) = &mut self.bounded else { return vec![(message, now)] };
        bounded.connection(from, to).come(number, message, now)
    }

    /// A sender receives the acknowledgement of a message: resends an earlier lost message, if any, and sends as much
    /// as the window then allows.
    pub fn heard(&mut self, due: Due) {
        let Due { at: now, number, message: Message { from, to, .. }, .. } = due;
        let Some(bounded) = &mut self.bounded else { return };
        let connection = bounded.connection(from, to);
        if let Some(lost) = connection.heard(number)
            && let Some(kept) = connection.sent(lost).copied()
        {
            self.counts[from as usize].resent += 1;
            self.transmit(lost, kept.message, now);
        }
        self.pump(from, to, now);
    }

    /// Called when an acknowledgement is overdue: resends the message, unless the acknowledgement of a later message
    /// had it resent before.
    pub fn overdue(&mut self, due: Due) {
        let Due { at: now, number, message, .. } = due;
        let Message { from, to, .. } = message;
        let Some(bounded) = &mut self.bounded else { return };
        if bounded.connection(from, to).overdue(number, now) {
            self.counts[from as usize].resent += 1;
            self.transmit(number, message, now);
            self.pump(from, to, now);
        }
    }
}
