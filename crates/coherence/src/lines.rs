//! Line transactions: who has which line, and when the next one gets it.

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
}

impl<'a> Lines<'a> {
    /// No line and no agent yet.
    pub fn new(_machine: &Machine, fabric: &'a Fabric) -> Lines<'a> {
        Lines { fabric }
    }

    /// A thread on a core. Agents are numbered from 0 in the order in which they are added.
    pub fn add_agent(&mut self, _core: CoreId) -> u32 {
        todo!()
    }

    /// A line that nobody caches, whose memory is on a node.
    pub fn add_line(&mut self, _home: NodeId) -> LineId {
        let _ = self.fabric;
        todo!()
    }

    /// Asks for a line. `Some` is the time of a hit in the agent's own cache, and nothing is outstanding
    /// then; after `None` the agent comes out of [`Lines::pop`] when it has the line.
    pub fn request(&mut self, _now: u64, _agent: u32, _line: LineId, _access: Access) -> Option<u64> {
        todo!()
    }

    /// The agent, which has the line, keeps it until then: requests of others wait.
    pub fn hold(&mut self, _line: LineId, _until: u64) {
        todo!()
    }

    /// The agent comes out of [`Lines::pop`] at this time.
    pub fn timer(&mut self, _at: u64, _agent: u32) {
        todo!()
    }

    /// When the next event is due.
    pub fn next(&self) -> Option<u64> {
        todo!()
    }

    /// The next agent whose request or timer is due, in the order of time and then of agents.
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        todo!()
    }

    /// What happened so far.
    pub fn counts(&self) -> Counts {
        todo!()
    }
}
