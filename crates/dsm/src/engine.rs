//! Touches, faults, and what is due.

use crate::counts::{NodeCounts, Part, Stop};
use crate::directory::{Directory, NOBODY, Page, PageId, Right};
use crate::lazy::Lazy;
use crate::meetings::Meetings;
use crate::network::{Content, Message, Network, Stage};
use crate::node_set::NodeSet;
use crate::predictor::{Hint, Predictor};
use crate::protocol::{Request, Table};
use crate::rows::{Rows, pages_of};
use crate::serve::Service;
use crate::sharers::Sharers;
use numalab_machine::{Dsm as Parameters, Master, Technique};
use numalab_units::{Bandwidth, Snapshot, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// Kind of use that a worker makes of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// It reads them.
    Read,
    /// It writes them without reading.
    Write,
    /// It reads each and then writes it: where it has no copy, that is two faults.
    Update,
}

/// A page that a worker lacks a right to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The page.
    pub page: PageId,
    /// The right that it needs; none, where the page was only marked so that its use is learned.
    pub request: Option<Request>,
}

/// Workers of a node that wait for a page.
#[derive(Clone, Debug)]
pub(crate) struct Blocked {
    pub needs: Right,
    /// With the time at which each faulted.
    pub workers: Vec<(u32, u64)>,
    /// Parts of the first worker's stop so far.
    pub stop: Stop,
}

/// Memory that nodes share by pages.
#[derive(Clone, Debug)]
pub struct Dsm {
    pub(crate) table: Table,
    pub(crate) master: Master,
    trap: u64,
    wake: u64,
    hold: u64,
    page_shift: u32,
    pub(crate) nodes: u32,
    /// First page of each region, and the end of the last.
    regions: Vec<PageId>,
    /// Rows of all pages, once anybody has faulted.
    rows: Option<Rows>,
    pub(crate) directory: Directory,
    /// Copies of all pages, where they may differ; the directory is empty then.
    pub(crate) lazy: Option<Lazy>,
    pub(crate) network: Network,
    pub(crate) meetings: Meetings,
    /// Predictor, where pages are sent unasked.
    pub(crate) predictor: Option<Predictor>,
    /// Pages that several nodes write.
    pub(crate) sharers: Sharers,
    pub(crate) technique: Technique,
    /// Pages that a virtual synchronisation point forwards at most, and copies that a loop's end drops at most.
    pub(crate) vsp_pages: usize,
    pub(crate) drop_buffer: usize,
    /// Pages that nodes wrote in this loop, where each is marked so that its first byte's writer is seen.
    written: Option<FxHashSet<(PageId, u32)>>,
    /// Whether the first worker is alone in a context of its own, of which the end releases pages.
    pub(crate) alone: bool,
    /// Contents of messages of released pages; empty places are free.
    pub(crate) releases: Vec<Vec<Hint>>,
    /// Requests that masters serve, with those behind them.
    pub(crate) busy: FxHashMap<PageId, Service>,
    /// Workers that wait for a page on a node.
    pub(crate) blocked: FxHashMap<(PageId, u32), Blocked>,
    /// Requests of a node for a page that are not answered; more than one, where the page came unasked meanwhile.
    pub(crate) asked: FxHashMap<(PageId, u32), u32>,
    /// Pages that were sent to nodes unasked and not used yet, on their way or there.
    pub(crate) ahead: FxHashSet<(PageId, u32)>,
    /// Until when a granted page stays where it is.
    holds: FxHashMap<(PageId, u32), u64>,
    /// Workers that spin on a page, until the copy goes away.
    spinning: FxHashMap<(PageId, u32), Vec<u32>>,
    /// The stop that each worker has just been woken from.
    stops: Vec<Stop>,
    woken: Vec<u32>,
    /// Messages that depart at a later instant; empty places are free.
    later: Vec<Option<Message>>,
    now: u64,
}

impl Dsm {
    /// Nodes with their workers (by the node of each), a network card's bandwidth, and the latency one way by source and
    /// destination.
    pub fn new(
        parameters: &Parameters,
        bandwidth: Bandwidth,
        latencies: Arc<[Span]>,
        nodes: u32,
        workers: Vec<u32>,
    ) -> Dsm {
        let stops = vec![Stop::default(); workers.len()];
        // On one node there is nobody to send to.
        let several = workers.iter().any(|node| *node != workers[0]);
        Dsm {
            table: Table::default(),
            master: parameters.master,
            trap: parameters.trap.0,
            wake: parameters.wake.0,
            hold: parameters.hold.0,
            page_shift: parameters.page.0.trailing_zeros(),
            nodes,
            regions: vec![0],
            rows: None,
            directory: Directory::default(),
            lazy: Lazy::new(parameters, nodes, &workers),
            network: Network::new(parameters, bandwidth, nodes, latencies),
            meetings: Meetings::new(workers, nodes),
            predictor: (several && parameters.technique != Technique::None)
                .then(|| Predictor::new(parameters.technique.chops())),
            sharers: Sharers::default(),
            technique: parameters.technique,
            vsp_pages: parameters.vsp_pages.map_or(usize::MAX, |pages| pages as usize),
            drop_buffer: parameters.drop_buffer as usize,
            written: None,
            alone: false,
            releases: Vec::new(),
            busy: FxHashMap::default(),
            blocked: FxHashMap::default(),
            asked: FxHashMap::default(),
            ahead: FxHashSet::default(),
            holds: FxHashMap::default(),
            spinning: FxHashMap::default(),
            stops,
            woken: Vec::new(),
            later: Vec::new(),
            now: 0,
        }
    }

    /// The same with another table.
    pub fn with_table(self, table: Table) -> Dsm {
        Dsm { table, ..self }
    }

    /// Adds a region of so many bytes, at a page of its own.
    pub fn add_region(&mut self, bytes: u64) {
        let end = self.regions.last().copied().unwrap_or(0);
        self.regions.push(end + pages_of(bytes, self.page_shift));
    }

    /// Bytes of a page.
    pub fn page_size(&self) -> u64 {
        1 << self.page_shift
    }

    /// The pages that hold some bytes of a region; none for no bytes.
    pub fn pages(&self, region: usize, bytes: Range<u64>) -> Range<PageId> {
        let first = self.regions.get(region).copied().unwrap_or(0);
        if bytes.is_empty() {
            return first..first;
        }
        first + (bytes.start >> self.page_shift)..first + ((bytes.end - 1) >> self.page_shift) + 1
    }

    /// The node of a worker.
    pub fn node_of(&self, worker: u32) -> u32 {
        self.meetings.node(worker)
    }

    /// A worker uses pages one after the other, so many bytes of each. The first that it lacks a right to; those before are
    /// used.
    pub fn touch(&mut self, worker: u32, pages: Range<PageId>, how: Use, each: u32) -> Option<Fault> {
        let fault = self.lacked(worker, pages.clone(), how, each);
        if !self.ahead.is_empty() {
            let node = self.meetings.node(worker);
            let used = pages.start..fault.map_or(pages.end, |fault| fault.page);
            let came = used.filter(|page| self.ahead.remove(&(*page, node))).count();
            self.network.counts[node as usize].ahead_used += came as u64;
        }
        fault
    }

    fn lacked(&mut self, worker: u32, pages: Range<PageId>, how: Use, each: u32) -> Option<Fault> {
        let node = self.meetings.node(worker);
        let needs = match how {
            Use::Read => Right::Read,
            Use::Write | Use::Update => Right::Write,
        };
        if self.written.is_some() || self.predictor.as_ref().is_some_and(Predictor::learns) {
            return pages.into_iter().find_map(|page| {
                let noted = self.note(page, (worker, node), how);
                let marked = noted && self.right(page, node) >= needs;
                let found = marked.then_some(Fault { page, request: None });
                found.or_else(|| self.lacking(node, page..page + 1, how, (needs, each)))
            });
        }
        self.lacking(node, pages, how, (needs, each))
    }

    /// Records a use, where uses are learned. Whether it was marked for that.
    fn note(&mut self, page: PageId, (worker, node): (u32, u32), how: Use) -> bool {
        let marked =
            how != Use::Read && self.written.as_mut().is_some_and(|written| written.insert((page, node)));
        let learning = self.predictor.as_mut().filter(|predictor| predictor.learns());
        learning.is_some_and(|predictor| predictor.note(page, (worker, node), how)) || marked
    }

    /// Whether pages that are written from now on are marked, each once for every node.
    pub fn mark_writes(&mut self, marks: bool) {
        self.written = marks.then(FxHashSet::default);
    }

    /// The first page of a range that a node lacks a right to. Pages that nobody touched before get a master.
    fn lacking(
        &mut self,
        node: u32,
        pages: Range<PageId>,
        how: Use,
        (needs, each): (Right, u32),
    ) -> Option<Fault> {
        if self.lazy.is_some() {
            return self.lacking_lazily(node, pages, how, each);
        }
        let mut from = pages.start;
        loop {
            let enough = |page: &Page| page.right(node) >= needs;
            from = self.directory.first_without(from..pages.end, enough)?;
            if self.directory.page(from).master != NOBODY {
                break;
            }
            let master = match self.master {
                Master::FirstTouch => node,
                Master::Starter => self.meetings.node(0),
                Master::Cyclic => (from % u64::from(self.nodes)) as u32,
            };
            let page = self.directory.page_mut(from);
            (page.master, page.owner, page.writers) = (master, master, NodeSet::of(master));
            self.directory.settle(from);
        }
        let lacks_all = self.directory.page(from).right(node) == Right::None;
        let request = match how {
            Use::Read => Request::Read,
            Use::Update if lacks_all => Request::Read,
            Use::Write | Use::Update => Request::Write,
        };
        Some(Fault { page: from, request: Some(request) })
    }

    /// A worker is blocked by a fault, until it is woken.
    pub fn fault(&mut self, worker: u32, Fault { page, request }: Fault, now: u64) {
        let node = self.meetings.node(worker);
        let Some(request) = request else {
            self.network.counts[node as usize].marked_faults += 1;
            let stop = &mut self.stops[worker as usize];
            *stop = Stop::default();
            stop.add(Part::Trap, Span(self.trap));
            // The handler itself restores the right: nobody is asked, and nobody is woken.
            return self.run_at(worker, now + self.trap);
        };
        let right = self.right(page, node);
        let (regions, nodes) = (&self.regions, self.nodes);
        let row = self.rows.get_or_insert_with(|| Rows::new(regions, nodes)).of(page);
        let by_row = &mut self.network.counts[node as usize].by_row;
        if by_row.len() <= row {
            by_row.resize(row + 1, 0);
        }
        by_row[row] += 1;
        let counts = &mut self.network.counts[node as usize];
        if self.ahead.remove(&(page, node)) {
            match right {
                Right::None => counts.ahead_late += 1,
                Right::Read | Right::Write => counts.ahead_used += 1,
            }
        }
        let needs = match request {
            Request::Read => Right::Read,
            Request::Write | Request::Presend | Request::Preinvalidate => Right::Write,
        };
        if needs == Right::Write {
            self.sharers.wrote(page, node);
        }
        match (needs, right) {
            (Right::Write, Right::Read) => counts.upgrades += 1,
            (Right::Write, Right::None | Right::Write) => counts.write_faults += 1,
            (Right::Read | Right::None, _) => counts.read_faults += 1,
        }
        if let Some(blocked) = self.blocked.get_mut(&(page, node)) {
            // The first worker's request serves all; who needs more asks again.
            blocked.workers.push((worker, now));
            return;
        }
        let mut stop = Stop::default();
        stop.add(Part::Trap, Span(self.trap));
        if self.lazy.is_some() && right == Right::Read {
            // The handler makes the twin: nobody is asked, and nobody is woken.
            let twin = self.make_writable(page, node);
            stop.add(Part::Diffs, twin);
            self.stops[worker as usize] = stop;
            return self.run_at(worker, now + self.trap + twin.0);
        }
        self.blocked.insert((page, node), Blocked { needs, workers: vec![(worker, now)], stop });
        *self.asked.entry((page, node)).or_default() += 1;
        let message = Message { content: Content::Fault(request), page, from: node, to: node, load: 0 };
        self.network.put(now + self.trap, Stage::Daemon, message);
    }

    /// A worker spins on what it reads in a page. It is woken when its node loses the copy: nothing changes before.
    pub fn watch(&mut self, worker: u32, page: PageId) {
        let node = self.meetings.node(worker);
        self.spinning.entry((page, node)).or_default().push(worker);
    }

    /// A worker wrote what others of its node spin on.
    pub fn tell(&mut self, worker: u32, page: PageId, now: u64) {
        let node = self.meetings.node(worker);
        for other in self.spinning.remove(&(page, node)).unwrap_or_default() {
            self.run_at(other, now);
        }
    }

    /// The next time at which anything is due.
    pub fn next(&self) -> Option<u64> {
        self.network.next()
    }

    /// Does what is due until then, but no further than to the first instant at which workers are woken. Returns that
    /// instant and the workers, and adds what was done to `events`.
    pub fn advance(&mut self, until: u64, events: &mut u64, woken: &mut Vec<u32>) -> Option<u64> {
        while let Some(due) = self.network.pop(until) {
            *events += 1;
            self.now = due.at;
            let message = due.message;
            match due.stage {
                Stage::Card => {
                    let stop = self.stop_of(&message);
                    let stop =
                        stop.and_then(|key| self.blocked.get_mut(&key)).map(|blocked| &mut blocked.stop);
                    self.network.receive(message, due.at, stop);
                }
                Stage::Daemon => {
                    let stop = self.stop_of(&message);
                    let stop =
                        stop.and_then(|key| self.blocked.get_mut(&key)).map(|blocked| &mut blocked.stop);
                    self.network.serve(message, due.at, stop);
                }
                Stage::Served => self.handle(message, due.at),
            }
            if !self.woken.is_empty() && self.network.next() != Some(due.at) {
                woken.append(&mut self.woken);
                return Some(due.at);
            }
        }
        None
    }

    /// Stop that a message lengthens: that of those who wait for what it brings about.
    pub(crate) fn stop_of(&self, message: &Message) -> Option<(PageId, u32)> {
        match message.content {
            Content::Fault(_) | Content::Request(_) | Content::CopyRequest | Content::DiffRequest => {
                Some((message.page, message.from))
            }
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
            | Content::Release
            | Content::Deposit
            | Content::Deposited
            | Content::Signal { .. }
            | Content::Later
            | Content::Wake => None,
        }
    }

    /// Sends a message, or does at once what it asks of its own node.
    pub(crate) fn deliver(&mut self, message: Message, now: u64, stop: Option<(PageId, u32)>) {
        if message.from == message.to {
            return self.handle(message, now);
        }
        let stop = stop.and_then(|key| self.blocked.get_mut(&key)).map(|blocked| &mut blocked.stop);
        self.network.send(message, now, stop);
    }

    /// The same at a later instant.
    pub(crate) fn deliver_at(&mut self, message: Message, now: u64, at: u64) {
        if at == now {
            let stop = self.stop_of(&message);
            return self.deliver(message, at, stop);
        }
        let free = self.later.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| {
            self.later.push(None);
            self.later.len() - 1
        });
        self.later[place] = Some(message);
        let Message { from, .. } = message;
        let departs = Message { content: Content::Later, page: place as u64, from, to: from, load: 0 };
        self.network.put(at, Stage::Served, departs);
    }

    /// A message is served: what it says happens.
    pub(crate) fn handle(&mut self, message: Message, now: u64) {
        let Message { content, page, from, to, .. } = message;
        match content {
            Content::Fault(_) if self.lazy.is_some() => self.fetch(page, from, now),
            Content::Fault(request) => {
                let master = self.directory.page(page).master;
                let content = Content::Request(request);
                self.deliver(Message { content, page, from, to: master, load: 0 }, now, Some((page, from)));
            }
            Content::Request(request) => self.requested(page, request, from, now),
            Content::Fetch | Content::FetchInvalidate | Content::Invalidate => self.give_up(message, now),
            Content::Fetched | Content::Ack => self.answered(page, now),
            Content::Page(right) | Content::Grant(right) => {
                self.got(page, to);
                self.granted(page, to, right, now);
            }
            Content::AheadPage(right) | Content::AheadGrant(right) => self.granted(page, to, right, now),
            Content::Release => self.released(page, from, now),
            Content::Fork => self.forked(to, page, now),
            Content::Arrive => self.arrived(page, now),
            Content::Depart => self.departed(to, page, now),
            Content::Wake => self.woken.push(page as u32),
            Content::CopyRequest => self.copy_asked(page, from, to, now),
            Content::Copy => self.copy_came(page, to, now),
            Content::DiffRequest => self.diff_asked(page, from, to, now),
            Content::Diff => self.diff_came(page, to, now),
            Content::Deposit => self.deposited(page, from, now),
            Content::Deposited => self.applied(page, to, now),
            Content::Signal { .. } => self.signalled(message, now),
            Content::Later => {
                if let Some(message) = self.later[page as usize].take() {
                    let stop = self.stop_of(&message);
                    self.deliver(message, now, stop);
                }
            }
        }
    }

    /// A request is answered.
    pub(crate) fn got(&mut self, page: PageId, node: u32) {
        if let Some(asked) = self.asked.get_mut(&(page, node)) {
            *asked -= 1;
            if *asked == 0 {
                self.asked.remove(&(page, node));
            }
        }
    }

    /// A node has a right from now on; who waited for it goes on soon, and the page stays until then.
    fn granted(&mut self, page: PageId, node: u32, right: Right, now: u64) {
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

    /// Workers that wait for a page on a node run again. When they do.
    pub(crate) fn go_on(&mut self, page: PageId, node: u32, now: u64) -> u64 {
        let until = now + self.wake;
        let Some(Blocked { workers, mut stop, .. }) = self.blocked.remove(&(page, node)) else {
            return until;
        };
        stop.add(Part::Wake, Span(self.wake));
        for (at, (worker, since)) in workers.into_iter().enumerate() {
            let total = Span(until - since);
            let mut own = if at == 0 { stop } else { Stop::default() };
            // Who came later waited for the request of another.
            own.fit(Part::PageBusy, total);
            self.stops[worker as usize] = own;
            self.wake(worker, now);
        }
        until
    }

    /// A worker runs again soon.
    pub(crate) fn wake(&mut self, worker: u32, now: u64) {
        self.run_at(worker, now + self.wake);
    }

    fn run_at(&mut self, worker: u32, at: u64) {
        let message = Message { content: Content::Wake, page: worker.into(), from: 0, to: 0, load: 0 };
        self.network.put(at, Stage::Served, message);
    }

    /// A node sends or drops a page that it had, not before its own workers have used it.
    fn give_up(&mut self, message: Message, now: u64) {
        let Message { content, page, from, to, .. } = message;
        match self.holds.get(&(page, to)) {
            // One more instant, so that the worker is woken before.
            Some(&until) if until >= now => {
                return self.network.put(until + 1, Stage::Served, message);
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
            | Content::Release
            | Content::Wake
            | Content::CopyRequest
            | Content::Copy
            | Content::DiffRequest
            | Content::Diff
            | Content::Deposit
            | Content::Deposited
            | Content::Signal { .. }
            | Content::Later => (Right::None, Content::Ack),
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

    /// The stop that a worker has just been woken from.
    pub fn take_stop(&mut self, worker: u32) -> Stop {
        std::mem::take(&mut self.stops[worker as usize])
    }

    /// Counts of every node so far.
    pub fn counts(&self) -> &[NodeCounts] {
        &self.network.counts
    }

    /// Pages that write faults of several nodes were about in the present context, so far.
    pub fn written_by_several(&self) -> u64 {
        self.sharers.several()
    }

    /// Rights of a node over a page.
    pub fn right(&self, page: PageId, node: u32) -> Right {
        match &self.lazy {
            Some(lazy) => lazy.right(page, node),
            None => self.directory.page(page).right(node),
        }
    }

    /// The intervals whose writes a node's copy of a page has, by their nodes, where copies may differ and this one is valid.
    pub fn contains(&self, page: PageId, node: u32) -> Option<Vec<(u32, u32)>> {
        self.lazy.as_ref()?.contains(page, node)
    }

    /// Whether several nodes may write a page.
    pub fn is_lazy(&self) -> bool {
        self.lazy.is_some()
    }

    /// A page whose entry is not what nodes have, while no request for it is served: there is none.
    pub fn disagreement(&self, pages: Range<PageId>) -> Option<PageId> {
        let agree = |page: &Page| match page.master {
            NOBODY => page.writers.len() + page.readers.len() == 0,
            _ if page.owner == NOBODY => {
                page.writers.len() == 0 && page.copies == page.readers && page.copies.contains(page.master)
            }
            _ => page.writers == NodeSet::of(page.owner) && page.readers.len() == 0,
        };
        self.directory.first_without(pages, agree)
    }

    /// Whether nothing is under way.
    pub fn is_quiet(&self) -> bool {
        self.network.next().is_none()
            && self.busy.is_empty()
            && self.blocked.is_empty()
            && self.asked.is_empty()
            && self.lazy.as_ref().is_none_or(Lazy::is_quiet)
    }

    /// Writes down entries, rights, stations and what is due. A state in which requests are served is refused.
    pub fn snapshot(&self, into: &mut Snapshot) {
        if !self.busy.is_empty()
            || !self.blocked.is_empty()
            || !self.asked.is_empty()
            || !self.spinning.is_empty()
        {
            into.refuse();
            return;
        }
        self.directory.snapshot(into);
        if let Some(lazy) = &self.lazy {
            lazy.snapshot(into);
        }
        self.network.snapshot(into);
        self.meetings.snapshot(into);
        if let Some(predictor) = &self.predictor {
            predictor.snapshot(into);
        }
        let departing = self.later.iter().any(Option::is_some);
        if departing || self.releases.iter().any(|list| !list.is_empty()) || self.written.is_some() {
            into.refuse();
        }
        into.add(&self.alone);
        let mut ahead: Vec<_> = self.ahead.iter().collect();
        ahead.sort_unstable();
        into.add(&ahead);
        // Pages that still stay where they are.
        let mut held: Vec<_> = self.holds.iter().filter(|(_, until)| **until >= into.now()).collect();
        held.sort_unstable();
        for (key, until) in held {
            into.add(key);
            into.time(*until);
        }
    }
}
