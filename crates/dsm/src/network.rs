//! Daemons and network cards: stations that serve one message after another, in the order of arrival.

use crate::bounded::Bounded;
use crate::connections::Kept;
use crate::counts::{Part, Stop};
use crate::crowded::{Cards, Crowded};
use crate::directory::{PageId, Right};
use crate::protocol::Request;
use numalab_base::{Snapshot, Span, Time};
use numalab_counts::NodeCounts;
use numalab_machine::Dsm as Parameters;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Kinds of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// A fault, to the master.
    Request,
    /// To an owner, that it sends its page.
    Fetch,
    /// To a holder, that it drops its copy.
    Invalidate,
    /// From a holder that dropped its copy.
    Ack,
    /// A page.
    Page,
    /// A right without the page.
    Grant,
    /// From a holder that is done with a page.
    Release,
    /// Forks, arrivals at a barrier or join, departures, flags, and all about locks.
    Meeting,
    /// Bytes that were written in a page.
    Diff,
    /// Bytes of no page, to another node or back.
    Echo,
}

impl MessageKind {
    /// All of them.
    pub const ALL: [MessageKind; 10] = [
        MessageKind::Request,
        MessageKind::Fetch,
        MessageKind::Invalidate,
        MessageKind::Ack,
        MessageKind::Page,
        MessageKind::Grant,
        MessageKind::Release,
        MessageKind::Meeting,
        MessageKind::Diff,
        MessageKind::Echo,
    ];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        numalab_counts::MESSAGES[self as usize].0
    }
}

/// Content of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// A fault of workers of the same node, before any message.
    Fault(Request),
    Request(Request),
    /// The request of another node, passed on to the present master.
    Forward(Request, u32),
    Fetch,
    FetchInvalidate,
    Invalidate,
    /// The page that a master asked for.
    Fetched,
    Ack,
    Page(Right),
    Grant(Right),
    /// A page, or a right alone, that nobody asked for.
    AheadPage(Right),
    AheadGrant(Right),
    /// The number of the fork.
    Fork,
    /// Pages that a node is done with: the number of its list instead of a page.
    Release,
    /// Arrived at a barrier, or at a join.
    Arrive,
    Depart,
    /// Asks for the lock, grants it, gives it back: the number of the worker instead of a page.
    Acquire,
    Acquired,
    Unlock,
    /// A blocked worker runs again: its number instead of a page. No message.
    Wake,
    /// Asks for a page that may be written elsewhere, and brings it.
    CopyRequest,
    Copy,
    /// Asks a writer for what it has written, and brings it.
    DiffRequest,
    Diff,
    /// Bytes written in an interval, to the page's home, and that it is in the page there, which is no message.
    Deposit,
    Deposited,
    /// Bytes of no page, which come back.
    Echo,
    Echoed,
    /// A flag that was turned for a worker; with the number of a clock instead of a page, as in all that is said between
    /// workers where consistency is lazy.
    Signal {
        flag: u32,
        worker: u32,
        raised: bool,
    },
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Message {
    pub content: Content,
    pub page: PageId,
    pub from: u32,
    pub to: u32,
    /// Bytes besides the header and a page.
    pub load: u32,
}

impl Content {
    fn kind(self) -> MessageKind {
        match self {
            Content::Fault(_)
            | Content::Request(_)
            | Content::Forward(..)
            | Content::CopyRequest
            | Content::DiffRequest => MessageKind::Request,
            Content::Fetch | Content::FetchInvalidate => MessageKind::Fetch,
            Content::Invalidate => MessageKind::Invalidate,
            Content::Fetched | Content::Page(_) | Content::AheadPage(_) | Content::Copy => MessageKind::Page,
            Content::Diff | Content::Deposit | Content::Deposited => MessageKind::Diff,
            Content::Echo | Content::Echoed => MessageKind::Echo,
            Content::Ack => MessageKind::Ack,
            Content::Grant(_) | Content::AheadGrant(_) => MessageKind::Grant,
            Content::Release => MessageKind::Release,
            Content::Fork
            | Content::Arrive
            | Content::Depart
            | Content::Acquire
            | Content::Acquired
            | Content::Unlock
            | Content::Wake
            | Content::Signal { .. } => MessageKind::Meeting,
        }
    }
}

/// Position of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// About to depart, when what its source does before is done.
    Departs,
    /// Its first byte is at the network card of its destination.
    Card,
    /// At the daemon.
    Daemon,
    /// Served by the daemon.
    Served,
    /// Its sender hears that it has come, where cards keep only so many bytes.
    Heard,
    /// Its sender has not heard of it for too long.
    Overdue,
}

/// Something that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Due {
    pub at: Time,
    sequence: u64,
    pub stage: Stage,
    /// Its number in its connection, where there are some.
    pub number: u32,
    pub message: Message,
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> Ordering {
        (self.at, self.sequence).cmp(&(other.at, other.sequence))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A node's stations: until when each is taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stations {
    daemon: Time,
    pub sending: Time,
    pub receiving: Time,
}

/// Stations of all nodes, and what is due.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    handle: Span,
    handle_page: Span,
    header: u64,
    page: u64,
    /// Picoseconds of a byte on a network card.
    per_byte: f64,
    /// One way, by source and destination.
    latencies: Arc<[Span]>,
    pub stations: Vec<Stations>,
    pub counts: Vec<NodeCounts>,
    due: BinaryHeap<Reverse<Due>>,
    sequence: u64,
    /// What is on its way, where a crowd costs bandwidth. Cards that keep only so many bytes have none.
    crowded: Option<Box<Crowded>>,
    /// Connections, where cards keep only so many bytes.
    pub bounded: Option<Box<Bounded>>,
}

impl Network {
    pub fn new(parameters: &Parameters, cards: &Cards, nodes: u32, latencies: Arc<[Span]>) -> Network {
        let &Cards { bandwidth, ref crowding } = cards;
        let bounded = Bounded::new(parameters, bandwidth);
        Network {
            handle: parameters.handle,
            handle_page: parameters.handle_page,
            header: parameters.header.0,
            page: parameters.page.0,
            per_byte: 1e12 / bandwidth.0,
            latencies,
            stations: vec![Stations::default(); nodes as usize],
            counts: vec![NodeCounts::default(); nodes as usize],
            due: BinaryHeap::new(),
            sequence: 0,
            crowded: Crowded::new(crowding, parameters.page.0, nodes).filter(|_| bounded.is_none()),
            bounded,
        }
    }

    pub fn next(&self) -> Option<Time> {
        self.due.peek().map(|Reverse(due)| due.at)
    }

    pub fn pop(&mut self, until: Time) -> Option<Due> {
        (self.next()? <= until).then(|| self.due.pop()).flatten().map(|Reverse(due)| due)
    }

    pub fn put(&mut self, at: Time, stage: Stage, message: Message) {
        self.put_numbered(at, stage, message, 0);
    }

    pub fn put_numbered(&mut self, at: Time, stage: Stage, message: Message, number: u32) {
        self.sequence += 1;
        self.due.push(Reverse(Due { at, sequence: self.sequence, stage, number, message }));
    }

    pub fn latency(&self, from: u32, to: u32) -> Span {
        self.latencies[from as usize * self.stations.len() + to as usize]
    }

    /// Whether cards keep only so many bytes, so that messages have connections.
    pub fn is_bounded(&self) -> bool {
        self.bounded.is_some()
    }

    pub fn bytes(&self, message: &Message) -> u64 {
        let page = if message.content.kind() == MessageKind::Page { self.page } else { 0 };
        self.header + page + u64::from(message.load)
    }

    pub fn on_card(&self, message: &Message) -> Span {
        Span((self.bytes(message) as f64 * self.per_byte).ceil() as u64)
    }

    /// A daemon works for so long, in its turn, besides serving messages. When it is done.
    pub fn occupy(&mut self, node: u32, span: Span, now: Time) -> Time {
        let daemon = &mut self.stations[node as usize].daemon;
        *daemon = (*daemon).max(now) + span;
        self.counts[node as usize].daemon_busy_ps += span.0;
        *daemon
    }

    /// A message departs, as soon as the card is free. The parts of its way that it knows.
    pub fn send(&mut self, message: Message, now: Time, stop: Option<&mut Stop>) {
        let Message { content, from, to, .. } = message;
        let bytes = self.bytes(&message);
        let span = self.on_card(&message);
        let counts = &mut self.counts[from as usize];
        counts.messages[content.kind() as usize] += 1;
        counts.bytes += bytes;
        if let Some(bounded) = &mut self.bounded {
            let kept = Kept { message, bytes, since: now, losses: 0 };
            bounded.connection(from, to).push(kept);
            return self.pump(from, to, now);
        }
        if let Some(crowded) = &mut self.crowded {
            crowded.depart(from, to, bytes);
        }
        let sending = &mut self.stations[from as usize].sending;
        let start = (*sending).max(now);
        *sending = start + span;
        let latency = self.latency(from, to);
        if let Some(stop) = stop {
            stop.add(Part::LinkWait, start - now);
            stop.add(Part::Wire, latency);
        }
        self.put(start + latency, Stage::Card, message);
    }

    /// The first byte is there; the daemon has the message when the card has all of it.
    pub fn receive(&mut self, message: Message, now: Time, stop: Option<&mut Stop>) {
        let bytes = self.bytes(&message);
        let alone = self.on_card(&message);
        let span = match &self.crowded {
            Some(crowded) => Span((alone.0 as f64 / crowded.left(message.to)).ceil() as u64),
            None => alone,
        };
        let counts = &mut self.counts[message.to as usize];
        counts.received += 1;
        counts.bytes_received += bytes;
        let receiving = &mut self.stations[message.to as usize].receiving;
        let start = (*receiving).max(now);
        *receiving = start + span;
        if let Some(stop) = stop {
            stop.add(Part::LinkWait, start - now);
            stop.add(Part::Wire, span);
        }
        self.put(start + span, Stage::Daemon, message);
    }

    /// The daemon serves a message in its turn. What it asks of its own node costs it nothing.
    pub fn serve(&mut self, message: Message, now: Time, stop: Option<&mut Stop>) {
        let bytes = self.bytes(&message);
        if let Some(crowded) = &mut self.crowded
            && message.from != message.to
        {
            crowded.come(message.from, message.to, bytes);
        }
        let span = match (message.from == message.to, message.content.kind()) {
            (true, _) => Span::ZERO,
            (false, MessageKind::Page) => self.handle + self.handle_page,
            (
                false,
                MessageKind::Request
                | MessageKind::Fetch
                | MessageKind::Invalidate
                | MessageKind::Ack
                | MessageKind::Grant
                | MessageKind::Release
                | MessageKind::Meeting
                | MessageKind::Diff
                | MessageKind::Echo,
            ) => self.handle,
        };
        let daemon = &mut self.stations[message.to as usize].daemon;
        let start = (*daemon).max(now);
        *daemon = start + span;
        self.counts[message.to as usize].daemon_busy_ps += span.0;
        if let Some(stop) = stop {
            stop.add(Part::DaemonWait, start - now);
            stop.add(Part::DaemonService, span);
        }
        self.put(start + span, Stage::Served, message);
    }

    /// Writes down until when stations are taken, and what is due, in order.
    pub fn snapshot(&self, into: &mut Snapshot) {
        for Stations { daemon, sending, receiving } in &self.stations {
            [daemon, sending, receiving].into_iter().for_each(|until| into.not_before(*until));
        }
        let mut due: Vec<&Due> = self.due.iter().map(|Reverse(due)| due).collect();
        due.sort();
        into.add(&due.len());
        for Due { at, sequence: _, stage, number, message } in due {
            into.time(*at);
            into.add(&(stage, message));
            if let Some(bounded) = &self.bounded {
                bounded.place(*number, message, into);
            }
        }
        if let Some(crowded) = &self.crowded {
            crowded.snapshot(into);
        }
        if let Some(bounded) = &self.bounded {
            bounded.snapshot(into);
        }
    }
}
