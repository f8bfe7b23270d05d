//! Queues at links, caches and memory. A port serves one message after another; its remaining work at an arrival is
//! the wait of that message. At memory, transactions wait for bulk flows, not for each other.

use super::topology::Topology;
use numalab_base::{Snapshot, Span, Time};
use numalab_machine::{Fabric, MemoryPorts, NodeId, ResourceId};

/// Message on a link.
#[derive(Clone, Copy, Debug)]
pub(super) enum Message {
    /// Message with the data of a line.
    Data,
    /// Message without data, such as a request.
    Header,
}

/// Remaining work of a port. Messages join in the order of sending, which can differ from the order of their times. A
/// message with a time before `now` counts as arriving at `now`, even if the port was free earlier.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    /// Latest time of a message so far (`now`), and time at which all queued messages are served (`done`).
    now: Time,
    done: Time,
}

impl Queue {
    /// Queues a message that arrives at the time `at` and is served for the span `takes`. Returns its wait.
    #[inline]
    fn join(&mut self, at: Time, takes: Span) -> Span {
        self.now = self.now.max(at);
        let wait = self.done.since(self.now);
        self.done = self.now + wait + takes;
        wait
    }

    /// Adds the remaining work to a snapshot. `seen`: span by which messages may have been sent before the present.
    fn snapshot(&self, seen: Span, into: &mut Snapshot) {
        let Queue { now, done } = *self;
        into.not_before(now + seen);
        into.not_before(done + seen);
    }

    /// Takes back a message that is not sent as planned.
    fn leave(&mut self, takes: Span) {
        self.done = self.done.saturating_sub(takes);
    }
}

/// Queue of a link in one direction.
#[derive(Clone, Copy, Debug)]
struct Port {
    queue: Queue,
    /// Time for which a line (`data`) or a message without data (`header`) occupies the link.
    data: Span,
    header: Span,
    /// Time for which bulk flows delay each message.
    load: Span,
}

impl Port {
    #[inline]
    fn takes(&self, message: Message) -> Span {
        match message {
            Message::Data => self.data,
            Message::Header => self.header,
        }
    }
}

/// Queues of all links and of all caches of groups.
#[derive(Clone, Debug)]
pub(super) struct Ports {
    links: Vec<Port>,
    caches: Vec<Queue>,
    /// Network resources of each node's memory, indexed by node.
    memory: Vec<MemoryPorts>,
    /// Time for which a line occupies the last-level cache of a group.
    cache: Span,
    /// True while messages of a withdrawn plan are taken back instead of queued.
    pub undoing: bool,
}

impl Ports {
    pub fn new(topology: &Topology, fabric: &Fabric) -> Ports {
        let port = |resource| {
            let bandwidth = fabric.capacity(ResourceId(resource));
            let (data, header) = (bandwidth.time_for(topology.line), bandwidth.time_for(topology.header));
            Port { queue: Queue::default(), data, header, load: Span::ZERO }
        };
        Ports {
            links: (0..fabric.resources()).map(port).collect(),
            caches: vec![Queue::default(); topology.groups() as usize],
            memory: (0..fabric.memory_nodes()).map(|node| fabric.memory(NodeId(node))).collect(),
            cache: topology.port,
            undoing: false,
        }
    }

    /// Adds the remaining work of all queues to a snapshot. Work that is done by now delays no message.
    pub fn snapshot(&self, seen: Span, into: &mut Snapshot) {
        let Ports { links, caches, memory: _, cache: _, undoing } = self;
        for Port { queue, data: _, header: _, load } in links {
            into.add(load);
            queue.snapshot(seen, into);
        }
        caches.iter().for_each(|queue| queue.snapshot(seen, into));
        into.add(undoing);
    }

    pub fn load(&mut self, ResourceId(resource): ResourceId, wait: Span) {
        self.links[resource as usize].load = wait;
    }

    /// Wait of a line that is read from a node's memory, caused by bulk flows.
    pub fn memory(&self, NodeId(home): NodeId) -> Span {
        let MemoryPorts { total, read, .. } = self.memory[home as usize];
        let wait = |ResourceId(resource): ResourceId| self.links[resource as usize].load;
        wait(total) + read.map_or(Span::ZERO, wait)
    }

    /// Sends a message over several links. Returns its total wait.
    #[inline]
    pub fn cross(&mut self, links: &[u32], at: Time, message: Message) -> Span {
        if self.undoing {
            self.take_back(links, message);
            return Span::ZERO;
        }
        let mut waited = Span::ZERO;
        for link in links {
            let port = &mut self.links[*link as usize];
            let takes = port.takes(message);
            waited += port.load;
            waited += port.queue.join(at + waited, takes);
        }
        waited
    }

    #[cold]
    fn take_back(&mut self, links: &[u32], message: Message) {
        for link in links {
            let port = &mut self.links[*link as usize];
            port.queue.leave(port.takes(message));
        }
    }

    /// Queues a line at a group's cache. Returns the time at which the cache serves it.
    #[inline]
    pub fn cache(&mut self, group: u32, at: Time) -> Time {
        if self.undoing {
            self.caches[group as usize].leave(self.cache);
            return at;
        }
        at + self.caches[group as usize].join(at, self.cache)
    }
}
