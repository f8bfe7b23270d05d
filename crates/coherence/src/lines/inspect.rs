//! State of a line, for tests and tools only.

use super::request_plan::Source;
use super::topology::Member;
use super::{Access, LineId, Lines};
use crate::protocol::{CacheState, Scope, State};
use numalab_machine::CoreId;

/// Directories and copies of a line, for comparison with an oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineView {
    pub machine: State,
    /// For each domain: its copy in the machine's directory, and the state of its own directory.
    pub domains: Vec<DirectoryView>,
    /// For each group: its copy in its domain's directory, and the state of its own directory.
    pub groups: Vec<DirectoryView>,
    pub cores: Vec<CacheState>,
    /// True if memory holds the last write.
    pub memory_is_current: bool,
}

/// Directory that is a cache of the directory above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryView {
    /// State of the copy that the directory above has granted.
    pub held: CacheState,
    /// State of the directory about the copies below it.
    pub state: State,
}

/// Source of the data of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supplied {
    /// The requester's group has the data, or the transaction needs no data.
    Nearby,
    Group(u32),
    /// Memory of the line's home.
    Memory,
}

/// Recorded load, store or eviction of a core on a line. Loads that are hits are not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    pub core: CoreId,
    pub line: LineId,
    pub kind: Served,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    Load,
    /// Store or atomic operation.
    Store,
    /// Eviction of the core's copy.
    Evict,
}

impl From<Access> for Served {
    fn from(access: Access) -> Served {
        match access {
            Access::Read => Served::Load,
            Access::Own => Served::Store,
        }
    }
}

impl Lines<'_> {
    /// Records transactions from now on, in the order of their effect.
    pub fn record(&mut self) {
        self.log.get_or_insert_default();
        self.ask_always();
    }

    /// Recorded transactions since the last call.
    pub fn recorded(&mut self) -> Vec<Transaction> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Copies of a line, as every directory and core knows them.
    pub fn view(&self, line: LineId) -> LineView {
        let (topology, line) = (&self.topology, &self.lines[line.index()]);
        let directory = |scope, at: Member| line.directory(topology, &self.sets, scope, at);
        let copy = |scope, above: Member, member: Member| {
            directory(scope, above)
                .copy_of(member, line.holders.first_in(&self.sets, topology.cores_of(member)).is_some())
        };
        let path = |core: u32| topology.path(core);
        let view = |scope: Scope, above: Scope, core| DirectoryView {
            held: copy(above, path(core)[above as usize + 1], path(core)[above as usize]),
            state: directory(scope, path(core)[above as usize]).state,
        };
        let firsts = |step: u32| (0..topology.cores).step_by(step as usize);
        LineView {
            machine: line.directories.machine().state,
            domains: firsts(topology.domain).map(|core| view(Scope::Domain, Scope::Machine, core)).collect(),
            groups: firsts(topology.group).map(|core| view(Scope::Group, Scope::Domain, core)).collect(),
            cores: firsts(1).map(|core| line.copy(topology, &self.sets, core)).collect(),
            memory_is_current: line.memory_is_current,
        }
    }

    /// Source of the data of the last transaction on a line.
    pub fn supplied(&self, line: LineId) -> Supplied {
        match self.lines[line.index()].source {
            Source::Here => Supplied::Nearby,
            Source::Group(group) => Supplied::Group(group),
            Source::Memory => Supplied::Memory,
        }
    }
}
