//! Touches of pages, and faults of workers whose node lacks a right.

use crate::counts::{Part, Stop};
use crate::directory::{NOBODY, Page, PageId, Right};
use crate::engine::{Blocked, Dsm};
use crate::network::{Content, Message, Stage};
use crate::predictor::Predictor;
use crate::protocol::Request;
use crate::rows::Rows;
use numalab_base::Time;

use numalab_machine::Master;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Use of pages by a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Use {
    /// The worker reads the pages.
    Read,
    /// The worker writes the pages without reading them.
    Write,
    /// The worker reads each page and then writes it; two faults if its node has no copy.
    Update,
}

impl Use {
    fn needs(self) -> Right {
        match self {
            Use::Read => Right::Read,
            Use::Write | Use::Update => Right::Write,
        }
    }
}

/// Page to which a worker's node lacks a right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub page: PageId,
    /// Request that the fault makes; `None` if the page was only marked to learn its use.
    pub request: Option<Request>,
}

impl Dsm {
    /// A worker uses consecutive pages, and `each` bytes of each page. Returns the first page to which the worker's
    /// node lacks a right; the pages before it have then been used.
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
        if self.written.is_some() || self.predictor.as_ref().is_some_and(Predictor::learns) {
            let fault = pages.into_iter().find_map(|page| {
                let noted = self.note(page, (worker, node), how);
                let marked = noted && self.right(page, node) >= how.needs();
                let found = marked.then_some(Fault { page, request: None });
                found.or_else(|| self.lacking(node, page..page + 1, how, each))
            });
            if let (Some(fault), Some(predictor)) = (fault, &mut self.predictor)
                && predictor.learns()
            {
                predictor.repeat(worker, fault.page);
            }
            return fault;
        }
        self.lacking(node, pages, how, each)
    }

    /// Records a use of a page, for the predictor and for the search of writers. Returns true if the use is new to
    /// them: the page was then marked, and the use faults.
    fn note(&mut self, page: PageId, (worker, node): (u32, u32), how: Use) -> bool {
        let marked =
            how != Use::Read && self.written.as_mut().is_some_and(|written| written.insert((page, node)));
        let learning = self.predictor.as_mut().filter(|predictor| predictor.learns());
        learning.is_some_and(|predictor| predictor.note(page, (worker, node), how)) || marked
    }

    /// Sets whether pages are marked to find the nodes that write them; a mark causes one fault per page and node.
    pub fn mark_writes(&mut self, marks: bool) {
        self.written = marks.then(FxHashSet::default);
    }

    /// First page of a range to which a node lacks a right. Pages that were never touched get a master.
    fn lacking(&mut self, node: u32, pages: Range<PageId>, how: Use, each: u32) -> Option<Fault> {
        if self.lazy.is_some() {
            return self.lacking_lazily(node, pages, how, each);
        }
        let mut from = pages.start;
        loop {
            let enough = |page: &Page| page.right(node) >= how.needs();
            from = self.directory.first_without(from..pages.end, enough)?;
            if self.directory.page(from).master != NOBODY {
                break;
            }
            let master = self.first_master(from, node);
            // A page that the node gets no right to ends the search: the pages behind it keep no master.
            let end = if master == node && self.master != Master::Cyclic { pages.end } else { from + 1 };
            self.directory.claim(from..end, master);
        }
        let lacks_all = self.directory.page(from).right(node) == Right::None;
        let request = match how {
            Use::Read => Request::Read,
            Use::Update if lacks_all => Request::Read,
            Use::Write | Use::Update => Request::Write,
        };
        Some(Fault { page: from, request: Some(request) })
    }

    /// Master of a page that `node` is the first to touch.
    pub(crate) fn first_master(&self, page: PageId, node: u32) -> u32 {
        match self.master {
            Master::FirstTouch => node,
            Master::Starter => self.meetings.node(0),
            Master::Cyclic => (page % u64::from(self.nodes)) as u32,
        }
    }

    /// Handles a fault of a worker, which is blocked until it is woken.
    pub fn fault(&mut self, worker: u32, Fault { page, request }: Fault, now: Time) {
        let node = self.meetings.node(worker);
        let Some(request) = request else {
            self.network.counts[node as usize].marked_faults += 1;
            let stop = &mut self.stops[worker as usize];
            *stop = Stop::default();
            stop.add(Part::Trap, self.trap);
            // The handler itself restores the right, without messages or a wake-up.
            return self.run_at(worker, now + self.trap);
        };
        let right = self.right(page, node);
        let (regions, nodes) = (&self.regions, self.nodes);
        let row = self.rows.get_or_insert_with(|| Rows::new(regions, nodes)).of(page);
        let counts = &mut self.network.counts[node as usize];
        if counts.faults_by_row.len() <= row {
            counts.faults_by_row.resize(row + 1, 0);
        }
        counts.faults_by_row[row] += 1;
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
        // Threads that write a page under the lock share the page on purpose.
        if needs == Right::Write && !self.lock.is_held_by(worker) {
            self.sharers.wrote(page, node);
        }
        match (needs, right) {
            (Right::Write, Right::Read) => counts.faults.upgrade += 1,
            (Right::Write, Right::None | Right::Write) => counts.faults.write += 1,
            (Right::Read | Right::None, _) => counts.faults.read += 1,
        }
        if let Some(blocked) = self.blocked.get_mut(&(page, node)) {
            // The first worker's request serves all workers of the node; a worker that needs a stronger right
            // requests again.
            blocked.workers.push((worker, now));
            return;
        }
        let mut stop = Stop::default();
        stop.add(Part::Trap, self.trap);
        if self.lazy.is_some() && right == Right::Read {
            // The handler makes the twin, without messages or a wake-up.
            let twin = self.make_writable(page, node);
            stop.add(Part::Diffs, twin);
            self.stops[worker as usize] = stop;
            return self.run_at(worker, now + self.trap + twin);
        }
        self.blocked.insert((page, node), Blocked { needs, workers: vec![(worker, now)], stop });
        *self.asked.entry((page, node)).or_default() += 1;
        let message = Message { content: Content::Fault(request), page, from: node, to: node, load: 0 };
        self.network.put(now + self.trap, Stage::Daemon, message);
    }

    /// A worker spins on a page. The worker is woken when its node loses the copy, or when another worker of the node
    /// writes the page.
    pub fn watch(&mut self, worker: u32, page: PageId) {
        let node = self.meetings.node(worker);
        self.spinning.entry((page, node)).or_default().push(worker);
    }

    /// A worker has written a page: wakes the workers of its node that spin on the page.
    pub fn tell(&mut self, worker: u32, page: PageId, now: Time) {
        let node = self.meetings.node(worker);
        for other in self.spinning.remove(&(page, node)).unwrap_or_default() {
            self.run_at(other, now);
        }
    }
}
