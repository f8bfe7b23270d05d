//! Daemons and network cards: stations that serve messages in the order of arrival.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// To the master of a page, from a node that lacks a right to it.
    Request,
    /// From the master to the owner of a page: send the page.
    Fetch,
    /// From the master to a holder of a copy: drop the copy.
    Invalidate,
    /// From a holder to the master: the copy is dropped.
    Ack,
    /// Contents of a page, with or without a right. Only messages of this kind carry a whole page.
    Page,
    /// A right to a page without the contents of the page.
    Grant,
    /// From a holder that has finished with a page, to the master.
    Release,
    /// Forks, arrivals at and departures from meetings, flags, and lock messages.
    Meeting,
    /// Bytes written in a page.
    Diff,
    /// Bytes that belong to no page, sent to another node or returned.
    Echo,
}

impl MessageKind {
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

    /// Name in result records.
    pub fn name(self) -> &'static str {
        numalab_counts::MESSAGES[self as usize].0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// Fault of a worker, reported to the daemon of its own node; an event without a message.
    Fault(Request),
    Request(Request),
    /// Another node's request, forwarded to the present master.
    Forward(Request, u32),
    Fetch,
    FetchInvalidate,
    Invalidate,
    /// Page that its owner sends back to the master on request.
    Fetched,
    Ack,
    Page(Right),
    Grant(Right),
    /// `AheadPage` and `AheadGrant`: page or right that the master sends before it is requested.
    AheadPage(Right),
    AheadGrant(Right),
    /// Opening of a parallel region. Under lazy consistency carries the number of a clock in place of a page.
    Fork,
    /// Hints about pages that a node has finished with. Carries the number of their list in place of a page.
    Release,
    /// `Arrive` and `Depart`: arrival at a barrier or a join, and permission to continue.
    Arrive,
    Depart,
    /// `Acquire`, `Acquired`, `Unlock`: request, grant and release of the lock. They carry the number of the worker
    /// in place of a page.
    Acquire,
    Acquired,
    Unlock,
    /// Wakes a blocked worker. Carries the worker's number in place of a page; an event without a message.
    Wake,
    /// `CopyRequest` and `Copy`: request and delivery of a whole page, under lazy consistency.
    CopyRequest,
    Copy,
    /// `DiffRequest` and `Diff`: request and delivery of a writer's diff.
    DiffRequest,
    Diff,
    /// `Deposit`: bytes written in an interval, sent to the page's home. `Deposited`: the end of their application at
    /// the home, an event without a message.
    Deposit,
    Deposited,
    /// `Echo` and `Echoed`: bytes that belong to no page, on their way to another node and back.
    Echo,
    Echoed,
    /// State of a flag, for a worker. Carries the number of a clock in place of a page, as `Fork`, `Arrive` and
    /// `Depart` do under lazy consistency.
    Signal {
        flag: u32,
        worker: u32,
        raised: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Message {
    pub content: Content,
    pub page: PageId,
    pub from: u32,
    pub to: u32,
    /// Bytes of the message besides its header and, if the kind carries a page, besides the page.
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

/// Step in the transmission of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// The message waits until its source has finished earlier work.
    Departs,
    /// The message's first byte arrives at the network card of the destination.
    Card,
    /// The message arrives at the daemon of the destination.
    Daemon,
    /// The daemon has served the message.
    Served,
    /// The message's acknowledgement arrives at the sender. With bounded queues only.
    Heard,
    /// The message's acknowledgement is overdue. With bounded queues only.
    Overdue,
}

/// Event of a message. Events at one time are handled in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Due {
    pub at: Time,
    sequence: u64,
    pub stage: Stage,
    /// Number of the message in its connection; not used without connections.
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

/// Times until which a node's daemon and its card, in each direction, are busy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stations {
    daemon: Time,
    pub sending: Time,
    pub receiving: Time,
}

/// Stations of all nodes, and the queue of events.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    handle: Span,
    handle_page: Span,
    header: u64,
    page: u64,
    /// Picoseconds per byte on a network card.
    per_byte: f64,
    /// Latency of messages by source and destination node.
    latencies: Arc<[Span]>,
    pub stations: Vec<Stations>,
    pub counts: Vec<NodeCounts>,
    due: BinaryHeap<Reverse<Due>>,
    sequence: u64,
    /// Bytes in flight; `None` if congestion costs no bandwidth, or with bounded queues.
    crowded: Option<Box<Crowded>>,
    /// Connections between nodes; `None` unless queues of cards are bounded.
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

    /// True if queues of cards are bounded, so that messages have connections.
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

    /// Occupies a daemon for `span` after its earlier work, with work that is no message. Returns the end of the
    /// work.
    pub fn occupy(&mut self, node: u32, span: Span, now: Time) -> Time {
        let daemon = &mut self.stations[node as usize].daemon;
        *daemon = (*daemon).max(now) + span;
        self.counts[node as usize].daemon_busy_ps += span.0;
        *daemon
    }

    /// Sends a message as soon as the sender's card is free. Adds the wait for the card and the latency to `stop`,
    /// except with bounded queues, where `receive_bounded` adds them.
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

    /// The first byte of a message has arrived. The daemon gets the message when the card has received all of it.
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

    /// The daemon serves a message after earlier messages. The service of messages within one node takes no time.
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

    /// Adds the busy times of stations, and the events in order, to a snapshot.
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
