//! Software-shared memory: pages that nodes share, and the queue of message events.

use crate::counts::{Part, Stop};
use crate::crowded::Cards;
use crate::directory::{Directory, NOBODY, Page, PageId, Right};
use crate::echo::Echo;
use crate::lazy::Lazy;
use crate::locks::Lock;
use crate::meetings::Meetings;
use crate::migration::Migration;
use crate::network::{Network, Stage};
use crate::node_set::NodeSet;
use crate::predictor::{Hint, Predictor};
use crate::protocol::Table;
use crate::rows::{Rows, add_region};
use crate::serve::Service;
use crate::sharers::Sharers;
use numalab_base::{Snapshot, Span, Time};
use numalab_counts::NodeCounts;
use numalab_machine::{Daemon, DirtyPages, Dsm as Parameters, Master, Technique};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// Most events of one call of [`Dsm::advance`], so that the caller sees events that wake no worker.
pub const AT_ONCE: u64 = 1 << 20;

/// Workers of a node that wait for a page.
#[derive(Clone, Debug)]
pub(crate) struct Blocked {
    pub needs: Right,
    /// Each worker with the time of its fault.
    pub workers: Vec<(u32, Time)>,
    /// Components of the stall time of the first worker so far.
    pub stop: Stop,
}

#[derive(Clone, Debug)]
pub struct Dsm {
    pub(crate) table: Table,
    pub(crate) master: Master,
    /// State of the migration of masters; `None` if they do not migrate.
    pub(crate) migration: Option<Migration>,
    /// Service time of daemons that [`Dsm::take_daemons`] has reported so far, by node; `None` unless a daemon shares
    /// its processor with the node's first worker.
    shared_daemons: Option<Vec<Span>>,
    pub(crate) trap: Span,
    pub(crate) wake: Span,
    pub(crate) hold: Span,
    pub(crate) page_shift: u32,
    pub(crate) nodes: u32,
    /// First page of each region, and as last entry the end of the last region.
    pub(crate) regions: Vec<PageId>,
    /// Rows of pages by which faults are counted; `None` before the first fault.
    pub(crate) rows: Option<Rows>,
    pub(crate) directory: Directory,
    /// Copies of all pages under lazy release consistency, where the directory stays empty; `None` otherwise.
    pub(crate) lazy: Option<Lazy>,
    pub(crate) network: Network,
    pub(crate) meetings: Meetings,
    pub(crate) lock: Lock,
    /// Predictor of the next users of pages; `None` unless a technique needs it.
    pub(crate) predictor: Option<Predictor>,
    /// Pages that several nodes write in one loop, which reveal false sharing.
    pub(crate) sharers: Sharers,
    pub(crate) technique: Technique,
    /// Most pages that a virtual synchronisation point forwards (`vsp_pages`), and most copies that the end of a loop
    /// drops (`drop_buffer`).
    pub(crate) vsp_pages: usize,
    pub(crate) drop_buffer: usize,
    /// Treatment of owned pages that another node is expected to write.
    pub(crate) presend_writes: DirtyPages,
    /// Pages written since marking began, each with the writing node; `None` unless pages are marked to find the
    /// nodes that write them.
    pub(crate) written: Option<FxHashSet<(PageId, u32)>>,
    /// True while the first worker is alone in a context of its own, whose end releases pages.
    pub(crate) alone: bool,
    /// True if the end of the present context (a loop, or a part of the program in which the first worker is alone)
    /// sends pages ahead.
    pub(crate) presends: bool,
    /// Lists of hints in release messages, by number of the list; empty entries are free.
    pub(crate) releases: Vec<Vec<Hint>>,
    /// Request that the master of a page is serving, with the requests that wait for its end, by page.
    pub(crate) busy: FxHashMap<PageId, Service>,
    /// Workers that wait for a page, by page and node.
    pub(crate) blocked: FxHashMap<(PageId, u32), Blocked>,
    /// Number of unanswered requests, by page and node. More than one if a page that was sent ahead woke the workers
    /// before the answer came, and a worker of the node then faulted on the page again.
    pub(crate) asked: FxHashMap<(PageId, u32), u32>,
    /// Pages sent ahead to a node and not used there yet, in flight or arrived.
    pub(crate) ahead: FxHashSet<(PageId, u32)>,
    /// Time until which a granted page stays on its node, by page and node.
    pub(crate) holds: FxHashMap<(PageId, u32), Time>,
    /// Workers that spin on a page while its copy is valid, by page and node.
    pub(crate) spinning: FxHashMap<(PageId, u32), Vec<u32>>,
    /// Components of the time of the last stall, by worker.
    pub(crate) stops: Vec<Stop>,
    /// State of the running echo; `None` if none runs.
    pub(crate) echo: Option<Echo>,
    pub(crate) woken: Vec<u32>,
    pub(crate) now: Time,
}

impl Dsm {
    /// Shared memory without regions. `latencies`: of messages, by source and destination node. `workers`: node of
    /// each worker.
    pub fn new(
        parameters: &Parameters,
        cards: &Cards,
        latencies: Arc<[Span]>,
        nodes: u32,
        workers: Vec<u32>,
    ) -> Dsm {
        let stops = vec![Stop::default(); workers.len()];
        // A single node sends no messages.
        let several = workers.iter().any(|node| *node != workers[0]);
        Dsm {
            table: Table::default(),
            master: parameters.master,
            migration: parameters.migrate.map(Migration::new),
            shared_daemons: (parameters.daemon == Daemon::Shared).then(|| vec![Span::ZERO; nodes as usize]),
            trap: parameters.trap,
            wake: parameters.wake,
            hold: parameters.hold,
            page_shift: parameters.page.0.trailing_zeros(),
            nodes,
            regions: vec![0],
            rows: None,
            directory: Directory::default(),
            lazy: Lazy::new(parameters, nodes, &workers),
            network: Network::new(parameters, cards, nodes, latencies),
            meetings: Meetings::new(workers, nodes),
            lock: Lock::default(),
            predictor: (several && parameters.technique != Technique::None)
                .then(|| Predictor::new(parameters.technique.chops())),
            sharers: Sharers::default(),
            technique: parameters.technique,
            vsp_pages: parameters.vsp_pages.map_or(usize::MAX, |pages| pages as usize),
            drop_buffer: parameters.drop_buffer as usize,
            presend_writes: parameters.presend_writes,
            written: None,
            alone: false,
            presends: true,
            releases: Vec::new(),
            busy: FxHashMap::default(),
            blocked: FxHashMap::default(),
            asked: FxHashMap::default(),
            ahead: FxHashSet::default(),
            holds: FxHashMap::default(),
            spinning: FxHashMap::default(),
            stops,
            echo: None,
            woken: Vec::new(),
            now: Time::ZERO,
        }
    }

    pub fn with_table(self, table: Table) -> Dsm {
        Dsm { table, ..self }
    }

    /// Adds a region of `bytes`, starting at a page of its own.
    pub fn add_region(&mut self, bytes: u64) {
        add_region(&mut self.regions, bytes, self.page_shift);
    }

    /// Size of a page in bytes.
    pub fn page_size(&self) -> u64 {
        1 << self.page_shift
    }

    /// Pages that hold a range of bytes of a region; empty for no bytes.
    pub fn pages(&self, region: usize, bytes: Range<u64>) -> Range<PageId> {
        let first = self.regions.get(region).copied().unwrap_or(0);
        if bytes.is_empty() {
            return first..first;
        }
        first + (bytes.start >> self.page_shift)..first + ((bytes.end - 1) >> self.page_shift) + 1
    }

    /// Number of pages of all regions.
    pub fn all_pages(&self) -> u64 {
        self.regions.last().copied().unwrap_or(0)
    }

    /// Region of a page, and the page's number in that region; `None` beyond the last region.
    pub fn place(&self, page: PageId) -> Option<(usize, u64)> {
        let region = self.regions.partition_point(|first| *first <= page).checked_sub(1)?;
        (page < self.all_pages()).then(|| (region, page - self.regions[region]))
    }

    pub fn node_of(&self, worker: u32) -> u32 {
        self.meetings.node(worker)
    }

    /// Time of the next message event; `None` if no event is queued.
    pub fn next(&self) -> Option<Time> {
        self.network.next()
    }

    /// Processes events until `until`, at most [`AT_ONCE`], but not beyond the first time at which workers are woken.
    /// Returns the time at which workers were woken; `None` if none was. Appends the woken workers to `woken` and adds
    /// the number of events to `events`.
    pub fn advance(&mut self, until: Time, events: &mut u64, woken: &mut Vec<u32>) -> Option<Time> {
        let most = *events + AT_ONCE;
        while *events < most
            && let Some(due) = self.network.pop(until)
        {
            *events += 1;
            self.now = due.at;
            let message = due.message;
            match due.stage {
                Stage::Departs => {
                    let stop = self.stop_of(&message);
                    self.deliver(message, due.at, stop);
                }
                Stage::Card => {
                    let stop = self.stop_of(&message);
                    let stop =
                        stop.and_then(|key| self.blocked.get_mut(&key)).map(|blocked| &mut blocked.stop);
                    match self.network.is_bounded() {
                        false => self.network.receive(message, due.at, stop),
                        true => self.network.receive_bounded(due, stop),
                    }
                }
                // Messages inside a node use no card.
                Stage::Daemon if self.network.is_bounded() && message.from != message.to => {
                    for (message, since) in self.network.come(due) {
                        let stop = self.stop_of(&message);
                        let mut stop =
                            stop.and_then(|key| self.blocked.get_mut(&key)).map(|blocked| &mut blocked.stop);
                        if let Some(stop) = &mut stop {
                            stop.add(Part::LinkWait, due.at - since);
                        }
                        self.network.serve(message, due.at, stop);
                    }
                }
                Stage::Heard => self.network.heard(due),
                Stage::Overdue => self.network.overdue(due),
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

    /// Service time of each node's daemon since the last call, with the node's first worker; nodes without such time
    /// are left out. Empty unless daemons share processors with these workers.
    pub fn take_daemons(&mut self) -> Vec<(u32, Span)> {
        let Some(taken) = &mut self.shared_daemons else { return Vec::new() };
        let mut all = Vec::new();
        for (node, (counts, taken)) in (0..).zip(self.network.counts.iter().zip(taken)) {
            let busy = Span(counts.daemon_busy_ps);
            let span = busy - *taken;
            if span > Span::ZERO
                && let Some(worker) = self.meetings.first_on(node)
            {
                *taken = busy;
                all.push((worker, span));
            }
        }
        all
    }

    /// Components of the time of the stall from which a worker was just woken.
    pub fn take_stop(&mut self, worker: u32) -> Stop {
        std::mem::take(&mut self.stops[worker as usize])
    }

    pub fn counts(&self) -> &[NodeCounts] {
        &self.network.counts
    }

    /// Number of pages on which several nodes had write faults so far in the present loop.
    pub fn written_by_several(&self) -> u64 {
        self.sharers.several()
    }

    pub fn right(&self, page: PageId, node: u32) -> Right {
        match &self.lazy {
            Some(lazy) => lazy.right(page, node),
            None => self.directory.page(page).right(node),
        }
    }

    /// Intervals (writer node, number) whose writes the page's copy on a node contains. `None` if the copy is not
    /// valid, and under sequential consistency.
    pub fn contains(&self, page: PageId, node: u32) -> Option<Vec<(u32, u32)>> {
        self.lazy.as_ref()?.contains(page, node)
    }

    /// True under lazy release consistency, where several nodes can write a page.
    pub fn is_lazy(&self) -> bool {
        self.lazy.is_some()
    }

    /// First page whose directory entry differs from the actual rights. If the protocol is correct, there is none
    /// while no request is being served.
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

    /// True if no message or request is under way.
    pub fn is_quiet(&self) -> bool {
        self.network.next().is_none()
            && self.busy.is_empty()
            && self.blocked.is_empty()
            && self.asked.is_empty()
            && self.lock.is_free()
            && self.lazy.as_ref().is_none_or(Lazy::is_quiet)
    }

    /// Adds entries, rights, stations and events to a snapshot. Refuses states in which a worker waits for a page or
    /// spins on a page, pages are marked to find their writers, or an echo runs.
    pub fn snapshot(&self, into: &mut Snapshot) {
        if !self.blocked.is_empty()
            || !self.spinning.is_empty()
            || self.written.is_some()
            || self.echo.is_some()
        {
            into.refuse();
            return;
        }
        self.directory.snapshot(into);
        if let Some(migration) = &self.migration {
            migration.snapshot(into);
        }
        if let Some(lazy) = &self.lazy {
            lazy.snapshot(into);
        }
        self.network.snapshot(into);
        self.meetings.snapshot(into);
        self.lock.snapshot(into);
        if let Some(predictor) = &self.predictor {
            predictor.snapshot(into);
        }
        // There can be requests though no worker is blocked: hints, upon which masters send pages ahead.
        let mut busy: Vec<_> = self.busy.iter().collect();
        busy.sort_unstable_by_key(|(page, _)| **page);
        into.add(&busy.len());
        for (page, service) in busy {
            into.add(page);
            service.snapshot(into);
        }
        let mut asked: Vec<_> = self.asked.iter().collect();
        asked.sort_unstable();
        into.add(&asked);
        into.add(&self.releases.len());
        for (list, hints) in self.releases.iter().enumerate().filter(|(_, hints)| !hints.is_empty()) {
            into.add(&(list, hints));
        }
        into.add(&(self.alone, self.presends));
        let mut ahead: Vec<_> = self.ahead.iter().collect();
        ahead.sort_unstable();
        into.add(&ahead);
        // Pages that still have to stay on their nodes.
        let mut held: Vec<_> = self.holds.iter().filter(|(_, until)| **until >= into.now()).collect();
        held.sort_unstable();
        for (key, until) in held {
            into.add(key);
            into.time(*until);
        }
    }
}
