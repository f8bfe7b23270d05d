//! Line transactions: who has which line, and when the next one gets it.

use numalab_kernel::IndexedQueue;
use numalab_machine::{CoreId, Fabric, Machine, NodeId};

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

/// What an agent wants of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A copy.
    Read,
    /// The only copy: stores and atomics.
    Own,
}

/// What happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Served by the core's own copy: no transaction.
    pub hits: u64,
    /// Answered below the last-level cache that the core shares.
    pub cache: u64,
    /// Answered inside the snoop domain (board, or machine without node controllers).
    pub domain: u64,
    /// Went through a node controller.
    pub machine: u64,
}

impl Counts {
    /// Requests that needed somebody else.
    pub fn transactions(&self) -> u64 {
        self.cache + self.domain + self.machine
    }
}

/// The lines of a run, and the queue of what happens to them. An agent is a hardware thread; it has at
/// most one request or timer outstanding.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    fabric: &'a Fabric,
    group: u32,
    llc: u64,
    hit: u64,
    agents: Vec<u32>,
    lines: Vec<Line>,
    due: IndexedQueue,
    counts: Counts,
}

#[derive(Clone, Debug)]
struct Line {
    home: NodeId,
    holders: Vec<u32>,
    owned: bool,
    free_at: u64,
}

impl<'a> Lines<'a> {
    /// No line and no agent yet.
    pub fn new(machine: &Machine, fabric: &'a Fabric) -> Lines<'a> {
        let last = machine.caches.iter().rev().find(|cache| cache.shared_by > 1);
        Lines {
            fabric,
            group: last.map_or(1, |cache| cache.shared_by),
            llc: last.map_or(0, |cache| cache.latency.0),
            hit: machine.caches.first().map_or(0, |cache| cache.latency.0),
            agents: Vec::new(),
            lines: Vec::new(),
            due: IndexedQueue::new(),
            counts: Counts::default(),
        }
    }

    /// A thread on a core. Agents are numbered from 0 in the order in which they are added.
    pub fn add_agent(&mut self, CoreId(core): CoreId) -> u32 {
        self.agents.push(core);
        self.agents.len() as u32 - 1
    }

    /// A line that nobody caches, whose memory is on a node.
    pub fn add_line(&mut self, home: NodeId) -> LineId {
        self.lines.push(Line { home, holders: Vec::new(), owned: false, free_at: 0 });
        LineId(self.lines.len() as u32 - 1)
    }

    /// Asks for a line. `Some` is the time of a hit in the agent's own cache, and nothing is outstanding
    /// then; after `None` the agent comes out of [`Lines::pop`] when it has the line.
    pub fn request(&mut self, now: u64, agent: u32, line: LineId, access: Access) -> Option<u64> {
        let core = self.agents[agent as usize];
        let line = &mut self.lines[line.0 as usize];
        let has = line.holders.contains(&core);
        let alone = has && line.owned;
        if alone || (has && access == Access::Read) {
            self.counts.hits += 1;
            return Some(now + self.hit);
        }
        let near = !line.holders.is_empty()
            && line.holders.iter().all(|other| other / self.group == core / self.group);
        let cost = if near {
            self.counts.cache += 1;
            2 * self.llc
        } else {
            self.counts.domain += 1;
            self.fabric.latency(line.home, self.fabric.reader_of(CoreId(core))).0
        };
        let at = now.max(line.free_at) + cost;
        line.free_at = at;
        line.owned = access == Access::Own || line.holders.is_empty();
        if access == Access::Own {
            line.holders.clear();
        }
        line.holders.push(core);
        self.due.set(agent, at);
        None
    }

    /// The agent, which has the line, keeps it until then: requests of others wait.
    pub fn hold(&mut self, line: LineId, until: u64) {
        let line = &mut self.lines[line.0 as usize];
        line.free_at = line.free_at.max(until);
    }

    /// The agent comes out of [`Lines::pop`] at this time.
    pub fn timer(&mut self, at: u64, agent: u32) {
        self.due.set(agent, at);
    }

    /// When the next event is due.
    pub fn next(&self) -> Option<u64> {
        self.due.peek().map(|(at, _)| at)
    }

    /// The next agent whose request or timer is due, in the order of time and then of agents.
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        self.due.pop()
    }

    /// What happened so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}
