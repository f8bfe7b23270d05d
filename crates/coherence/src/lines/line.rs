//! State of a line: its holders and its queue.

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
    pub holders: Holders,
    pub directories: Directories,
    /// Core that was last granted more than a shared copy. If the line has several sharers, this core is asked for
    /// the data.
    pub responder: Option<u32>,
    /// True if some copy on the path to the owner may be exclusive and unmodified.
    pub may_be_exclusive: bool,
    /// True if memory holds the last write.
    pub memory_is_current: bool,
    /// Source of the last transaction's data.
    pub source: Source,
    /// True while the line is promised to an agent for a store: from the service of its request until it receives the
    /// line.
    pub promised: bool,
    /// Time at which the last owner received the line, before which no request reaches the owner. After a shared
    /// copy, earliest time at which the next request can be served.
    pub granted_at: Time,
    /// Times at which the last owner's group and domain received the line from outside; at most `granted_at`.
    pub group_since: Time,
    pub domain_since: Time,
    /// Time at which all served readers have their copies, before which no core owns the line.
    pub read_until: Time,
    /// First agent in the line's queue (`first`), and the agent that joined the queue last, at any position
    /// (`joined`).
    pub first: Option<AgentId>,
    pub joined: Option<AgentId>,
    /// True if all requests in the queue are known to come from one group.
    pub one_group: bool,
    /// Agent in the queue that has an entry in the agenda.
    pub due: Option<AgentId>,
    /// Agent with the only request, while another request can still overtake it.
    pub lone: Option<AgentId>,
    /// True once an owner wrote the line while a request for it was under way (`Lines::race`).
    pub raced: bool,
    /// Number of agents that fetch the line for their groups.
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
            group_since: Time::ZERO,
            domain_since: Time::ZERO,
            read_until: Time::ZERO,
            first: None,
            joined: None,
            one_group: true,
            due: None,
            lone: None,
            raced: false,
            fetched: 0,
        }
    }

    /// Notes that a member got the line at a time, by a request that went through `scope`.
    #[inline]
    pub fn given(&mut self, at: Time, scope: Scope) {
        self.granted_at = at;
        if scope > Scope::Group {
            self.group_since = at;
        }
        if scope > Scope::Domain {
            self.domain_since = at;
        }
    }

    /// True if the line is promised to no agent and its queue is empty. An uncontended request may still be under
    /// way.
    pub fn is_idle(&self) -> bool {
        !self.promised && self.first.is_none()
    }

    #[inline]
    pub fn directory(&self, topology: &Topology, sets: &Sets, scope: Scope, at: Member) -> Directory {
        self.directories
            .get(&sets.lists, scope, at)
            .unwrap_or_else(|| Directory::plain(self.holders.first_in(sets, topology.cores_of(at)).is_some()))
    }

    #[inline]
    pub fn copy(&self, topology: &Topology, sets: &Sets, core: u32) -> CacheState {
        let [own, group, ..] = topology.path(core);
        let has = self.holders.has(sets, core);
        self.directories
            .get(&sets.lists, Scope::Group, group)
            .unwrap_or(Directory::plain(has))
            .copy_of(own, has)
    }

    /// True if the machine's directory has a domain as owner of the line, so that all copies are in that domain.
    #[inline]
    pub fn is_in_one_domain(&self) -> bool {
        self.directories.machine().state == State::Owned
    }

    /// Core with the only copy, its group and its domain; `None` if no core or several cores have copies.
    #[inline]
    pub fn owned(&self) -> Option<[Member; 3]> {
        self.directories.owner().filter(|_| self.holders.are_one())
    }

    /// Member of the directory `at` that supplies the data of a line whose copies are shared.
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
