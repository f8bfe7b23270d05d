//! Plain simulator of software-shared memory, page by page and message by message. Shares no code with the engine.

use crate::support::US;
use numalab_dsm::Use;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// Step of a worker's program.
#[derive(Clone, Debug)]
pub enum Step {
    Compute(u64),
    Use(Range<u64>, Use),
    /// A region opens: the first worker sends a fork to the other nodes.
    Open,
    Join,
}

/// Time at which the program ends, and sums of the counts of all nodes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub end: u64,
    pub read_faults: u64,
    pub write_faults: u64,
    pub upgrades: u64,
    pub messages: u64,
    pub bytes: u64,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Fault {
        page: u64,
        writes: bool,
    },
    Ask {
        page: u64,
        writes: bool,
    },
    /// From the master to the owner: send the page, and keep a copy for reading (`keep`) or no copy.
    Fetch {
        page: u64,
        keep: bool,
    },
    Invalidate {
        page: u64,
    },
    /// `Brought` and `Dropped`: to the master, the page or the confirmation that the copy is dropped.
    Brought {
        page: u64,
    },
    Dropped {
        page: u64,
    },
    /// `Page` and `Grant`: answer to a fault, with or without the page.
    Page {
        page: u64,
        writes: bool,
    },
    Grant {
        page: u64,
    },
    Fork,
    Arrived,
}

#[derive(Clone, Copy, Debug)]
struct Message {
    what: What,
    from: usize,
    to: usize,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Card(Message),
    Daemon(Message),
    Served(Message),
    Runs(usize),
}

/// The master's knowledge of a page, and the right of each node: 0 (none), 1 (copy to read) or 2 (right to write).
#[derive(Clone, Debug)]
struct Page {
    master: usize,
    owner: Option<usize>,
    copies: BTreeSet<usize>,
    right: Vec<u8>,
    /// Time until which the page stays at each node, so that woken workers can use the page.
    stays: Vec<Option<u64>>,
    /// Requests as (node, true for a write); the first request is being served.
    asked: VecDeque<(usize, bool)>,
    /// Number of answers for which the master waits.
    missing: usize,
}

#[derive(Default)]
struct Plain {
    nodes: usize,
    cyclic: bool,
    events: BTreeMap<(u64, bool, u64), Event>,
    sequence: u64,
    pages: BTreeMap<u64, Page>,
    work: Vec<VecDeque<Step>>,
    daemon: Vec<u64>,
    sending: Vec<u64>,
    receiving: Vec<u64>,
    /// Number of regions of which each node has heard (`forks`), number that each worker has begun, and true for
    /// workers that wait for a region.
    forks: Vec<u64>,
    begun: Vec<u64>,
    idle: Vec<bool>,
    arrived: usize,
    sums: Sums,
}

/// Default costs in picoseconds, as in `hand`.
const TRAP: u64 = 28 * US;
const WAKE: u64 = 21 * US;
const LATENCY: u64 = 64 * US;

fn bytes(what: What) -> u64 {
    if matches!(what, What::Brought { .. } | What::Page { .. }) { 64 + 4096 } else { 64 }
}

fn on_card(what: What) -> u64 {
    (bytes(what) as f64 * (1e12 / 90e6)).ceil() as u64
}

impl Plain {
    fn put(&mut self, at: u64, event: Event) {
        self.sequence += 1;
        let runs = matches!(event, Event::Runs(_));
        let order = if let Event::Runs(worker) = event { worker as u64 } else { self.sequence };
        self.events.insert((at, runs, order), event);
    }

    fn send(&mut self, what: What, from: usize, to: usize, now: u64) {
        let message = Message { what, from, to };
        if from == to {
            return self.served(message, now);
        }
        self.sums.messages += 1;
        self.sums.bytes += bytes(what);
        let start = self.sending[from].max(now);
        self.sending[from] = start + on_card(what);
        self.put(start + LATENCY, Event::Card(message));
    }

    fn run(mut self) -> Sums {
        while let Some(((now, ..), event)) = self.events.pop_first() {
            match event {
                Event::Card(message) => {
                    let done = self.receiving[message.to].max(now) + on_card(message.what);
                    self.receiving[message.to] = done;
                    self.put(done, Event::Daemon(message));
                }
                Event::Daemon(message) => {
                    let Message { what, from, to } = message;
                    let own = if bytes(what) > 64 { 17 + 36 } else { 17 };
                    let done = self.daemon[to].max(now) + if from == to { 0 } else { own * US };
                    self.daemon[to] = done;
                    self.put(done, Event::Served(message));
                }
                Event::Served(message) => self.served(message, now),
                Event::Runs(worker) => {
                    self.sums.end = now;
                    self.works(worker, now);
                }
            }
        }
        assert!(self.work.iter().all(VecDeque::is_empty));
        self.sums
    }

    fn works(&mut self, worker: usize, now: u64) {
        while let Some(step) = self.work[worker].pop_front() {
            match step {
                Step::Compute(span) => return self.put(now + span, Event::Runs(worker)),
                Step::Use(mut pages, how) => {
                    let Some(page) = pages.next() else { continue };
                    self.work[worker].push_front(Step::Use(pages.clone(), how));
                    let Some(writes) = self.lacks(page, worker, how) else { continue };
                    self.work[worker][0] = Step::Use(page..pages.end, how);
                    let message = Message { what: What::Fault { page, writes }, from: worker, to: worker };
                    return self.put(now + TRAP, Event::Daemon(message));
                }
                Step::Open if worker == 0 => (0..self.nodes).for_each(|to| self.send(What::Fork, 0, to, now)),
                Step::Open => {
                    self.begun[worker] += 1;
                    self.idle[worker] = self.forks[worker] < self.begun[worker];
                    if self.idle[worker] {
                        return;
                    }
                }
                Step::Join => {
                    self.send(What::Arrived, worker, 0, now);
                    if worker == 0 {
                        return;
                    }
                }
            }
        }
    }

    /// `None` if the use does not fault; otherwise true if the request is for writing.
    fn lacks(&mut self, page: u64, node: usize, how: Use) -> Option<bool> {
        let master = if self.cyclic { page as usize % self.nodes } else { node };
        let new = || {
            let mut right = vec![0; self.nodes];
            right[master] = 2;
            Page {
                master,
                owner: Some(master),
                copies: BTreeSet::new(),
                right,
                stays: vec![None; self.nodes],
                asked: VecDeque::new(),
                missing: 0,
            }
        };
        let right = self.pages.entry(page).or_insert_with(new).right[node];
        let sums = &mut self.sums;
        match (how, right) {
            (_, 2) | (Use::Read, 1) => return None,
            (Use::Read | Use::Update, 0) => sums.read_faults += 1,
            (Use::Write, 0) => sums.write_faults += 1,
            (Use::Write | Use::Update, _) => sums.upgrades += 1,
            (Use::Read, _) => unreachable!("rights are 0 to 2"),
        }
        Some(how == Use::Write || how == Use::Update && right == 1)
    }

    fn served(&mut self, message: Message, now: u64) {
        let Message { what, from, to } = message;
        match what {
            What::Fault { page, writes } => {
                let master = self.pages[&page].master;
                self.send(What::Ask { page, writes }, from, master, now);
            }
            What::Ask { page, writes } => {
                let entry = self.pages.get_mut(&page).unwrap();
                entry.asked.push_back((from, writes));
                if entry.asked.len() == 1 {
                    self.begin(page, now);
                }
            }
            What::Fetch { page, .. } | What::Invalidate { page } => {
                let entry = self.pages.get_mut(&page).unwrap();
                if let Some(until) = entry.stays[to].filter(|until| *until >= now) {
                    return self.put(until + 1, Event::Served(message));
                }
                let keeps = matches!(what, What::Fetch { keep: true, .. });
                entry.right[to] = if keeps { 1 } else { 0 };
                let gone = matches!(what, What::Invalidate { .. });
                let reply = if gone { What::Dropped { page } } else { What::Brought { page } };
                self.send(reply, to, from, now);
            }
            What::Brought { page } | What::Dropped { page } => {
                let entry = self.pages.get_mut(&page).unwrap();
                entry.missing -= 1;
                if entry.missing == 0 {
                    self.answer(page, now);
                }
            }
            What::Page { page, .. } | What::Grant { page } => {
                let writes = !matches!(what, What::Page { writes: false, .. });
                let entry = self.pages.get_mut(&page).unwrap();
                entry.right[to] = if writes { 2 } else { 1 };
                entry.stays[to] = Some(now + WAKE);
                self.put(now + WAKE, Event::Runs(to));
            }
            What::Fork => {
                self.forks[to] += 1;
                if std::mem::take(&mut self.idle[to]) {
                    self.put(now + WAKE, Event::Runs(to));
                }
            }
            What::Arrived => {
                self.arrived += 1;
                if self.arrived == self.nodes {
                    self.arrived = 0;
                    self.put(now + WAKE, Event::Runs(0));
                }
            }
        }
    }

    /// The master requests that other nodes give up their rights.
    fn begin(&mut self, page: u64, now: u64) {
        let entry = self.pages.get_mut(&page).unwrap();
        let (asker, writes) = entry.asked[0];
        let others: Vec<usize> = match entry.owner {
            Some(owner) => vec![owner],
            None if writes => entry.copies.iter().copied().filter(|node| *node != asker).collect(),
            None => Vec::new(),
        };
        let what = match entry.owner {
            Some(_) => What::Fetch { page, keep: !writes },
            None => What::Invalidate { page },
        };
        entry.missing = others.len();
        let master = entry.master;
        if others.is_empty() {
            return self.answer(page, now);
        }
        others.into_iter().for_each(|node| self.send(what, master, node, now));
    }

    fn answer(&mut self, page: u64, now: u64) {
        let entry = self.pages.get_mut(&page).unwrap();
        let Some((asker, writes)) = entry.asked.pop_front() else { return };
        let had = entry.copies.contains(&asker);
        if writes {
            entry.owner = Some(asker);
            entry.copies.clear();
        } else {
            entry.copies.extend(entry.owner.take());
            entry.copies.extend([entry.master, asker]);
            let own = &mut entry.right[entry.master];
            *own = (*own).max(1);
        }
        let master = entry.master;
        let what = if writes && had { What::Grant { page } } else { What::Page { page, writes } };
        self.send(what, master, asker, now);
        if !self.pages[&page].asked.is_empty() {
            self.begin(page, now);
        }
    }
}

/// Runs a program on the plain simulator. `work`: steps of each worker. `cyclic`: masters are assigned in turn,
/// otherwise by first touch.
pub fn plainly(work: &[Vec<Step>], cyclic: bool) -> Sums {
    let nodes = work.len();
    let mut plain = Plain {
        nodes,
        cyclic,
        work: work.iter().map(|steps| steps.iter().cloned().collect()).collect(),
        daemon: vec![0; nodes],
        sending: vec![0; nodes],
        receiving: vec![0; nodes],
        forks: vec![0; nodes],
        begun: vec![0; nodes],
        idle: vec![false; nodes],
        ..Plain::default()
    };
    (0..nodes).for_each(|worker| plain.put(0, Event::Runs(worker)));
    plain.run()
}
