//! The state of a line, for tests and tools: nothing in the engine asks for it.

use super::request_plan::Source;
use super::topology::Member;
use super::{Access, LineId, Lines};
use crate::protocol::{CacheState, Scope, State};
use numalab_machine::CoreId;

/// A line's directories and copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineView {
    /// The machine's directory.
    pub machine: State,
    /// The domains, as caches to the machine's directory, and their own directories.
    pub domains: Vec<DirectoryView>,
    /// The groups, as caches to the directories of their domains, and their own directories.
    pub groups: Vec<DirectoryView>,
    /// The copies of all cores.
    pub cores: Vec<CacheState>,
    /// Whether memory has what was written last.
    pub memory_is_current: bool,
}

/// A directory that is a cache to the directory above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryView {
    /// Its own copy.
    pub held: CacheState,
    /// Its knowledge of the copies below it.
    pub state: State,
}

/// The source of the data of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supplied {
    /// No data moved, or not from outside the requester's group.
    Nearby,
    /// The group of this number.
    Group(u32),
    /// The home's memory.
    Memory,
}

/// A change of who holds a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The core that asked.
    pub core: CoreId,
    /// The line.
    pub line: LineId,
    /// The operation that it asked for.
    pub kind: Served,
}

/// An operation on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// A load.
    Load,
    /// A store or an atomic.
    Store,
    /// To be rid of its copy.
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
    /// From now on transactions are recorded, in the order in which they take effect.
    pub fn record(&mut self) {
        self.log.get_or_insert_default();
        self.ask_always();
    }

    /// Those that took effect since this was last asked; none unless they are recorded.
    pub fn recorded(&mut self) -> Vec<Transaction> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The copies of a line, as every directory and every core knows them.
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

    /// The source of the data of the last transaction on a line.
    pub fn supplied(&self, line: LineId) -> Supplied {
        match self.lines[line.index()].source {
            Source::Here => Supplied::Nearby,
            Source::Group(group) => Supplied::Group(group),
            Source::Memory => Supplied::Memory,
        }
    }
}
