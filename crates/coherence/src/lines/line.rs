//! A line: who has it, who is served next.

use super::agent::AgentId;
use super::directories::{Directories, Directory};
use super::holders::{Holders, Sets};
use super::request_plan::Source;
use super::topology::{Member, Topology};
use crate::protocol::{CacheState, Scope, State};
use numalab_base::Time;
use numalab_machine::NodeId;

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub home: NodeId,
    /// The cores that have copies.
    pub holders: Holders,
    pub directories: Directories,
    /// The core that was last granted more than a shared copy: of several sharers, the one that is asked.
    pub responder: Option<u32>,
    /// Some copy on the way to the owner may be exclusive, not yet modified.
    pub may_be_exclusive: bool,
    /// Memory has what was written last.
    pub memory_is_current: bool,
    /// The place from which the last transaction took the data.
    pub source: Source,
    /// An agent has been promised the line and has not seen it yet.
    pub promised: bool,
    /// The time at which the last that was served had it, or, of a copy, at which the next one could be served: nobody
    /// is sent for it before.
    pub granted_at: Time,
    /// All that were served copies have them by then: nobody owns the line before.
    pub read_until: Time,
    /// The first agent in the queue, and the last that joined it, wherever that stands.
    pub first: Option<AgentId>,
    pub joined: Option<AgentId>,
    /// The one agent that asked, while it may still be overtaken.
    pub lone: Option<AgentId>,
    /// Agents that fetch it for their groups.
    pub fetched: u32,
}

impl Line {
    pub fn new(home: NodeId) -> Line {
        Line {
            home,
            holders: Holders::default(),
            directories: Directories::new(),
            responder: None,
            may_be_exclusive: false,
            memory_is_current: true,
            source: Source::Here,
            promised: false,
            granted_at: Time::ZERO,
            read_until: Time::ZERO,
            first: None,
            joined: None,
            lone: None,
            fetched: 0,
        }
    }

    /// Whether nobody is promised it or waits for it.
    pub fn is_idle(&self) -> bool {
        !self.promised && self.first.is_none()
    }

    /// A directory's knowledge.
    #[inline]
    pub fn directory(&self, topology: &Topology, sets: &Sets, scope: Scope, at: Member) -> Directory {
        self.directories
            .get(&sets.lists, scope, at)
            .unwrap_or_else(|| Directory::plain(self.holders.first_in(sets, topology.cores_of(at)).is_some()))
    }

    /// A core's copy.
    #[inline]
    pub fn copy(&self, topology: &Topology, sets: &Sets, core: u32) -> CacheState {
        let [own, group, ..] = topology.path(core);
        let has = self.holders.has(sets, core);
        self.directories
            .get(&sets.lists, Scope::Group, group)
            .unwrap_or(Directory::plain(has))
            .copy_of(own, has)
    }

    /// Whether all copies are in one domain.
    #[inline]
    pub fn is_in_one_domain(&self) -> bool {
        self.directories.machine().state == State::Owned
    }

    /// The core that has the only copy, its group and its domain.
    #[inline]
    pub fn owned(&self) -> Option<[Member; 3]> {
        self.directories.owner().filter(|_| self.holders.are_one())
    }

    /// The one of the sharers below a directory of this scope that is asked for the data.
    pub fn sharer(&self, topology: &Topology, sets: &Sets, scope: Scope, at: Member) -> Option<Member> {
        let cores = topology.cores_of(at);
        let holder = |range| self.holders.first_in(sets, range);
        self.responder
            .filter(|core| cores.contains(core))
            .map(|core| topology.member(scope, core))
            .filter(|member| holder(topology.cores_of(*member)).is_some())
            .or_else(|| holder(cores).map(|core| topology.member(scope, core)))
    }
}
