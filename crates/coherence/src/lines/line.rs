//! A line: who has it, who answers for it, who is served next.

use super::holders::Holders;
use super::{NOBODY, topology::Topology};
use crate::protocol::State;
use numalab_machine::NodeId;

/// The smallest part of the machine outside of which nobody has a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    Core,
    Group,
    Domain,
    #[default]
    Machine,
}

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub home: NodeId,
    /// Answers for the line: the owner, the last owner of what is owned in common, or the forwarder.
    pub answers: u32,
    /// Where [`answers`](Line::answers) is, as far as the line is owned there and nowhere else.
    pub owned: Reach,
    /// How the caches share it that have it in common.
    pub shared: State,
    /// An agent has been promised the line and has not seen it yet.
    pub promised: bool,
    pub holders: Holders,
    /// Nobody is served before, in picoseconds.
    pub free_at: u64,
    /// All that were served copies have them by then, in picoseconds: nobody owns the line before.
    pub read_until: u64,
    /// The first agent in the queue, and the last that joined it, wherever that stands.
    pub first: u32,
    pub joined: u32,
    /// The one agent that asked, while it may still be overtaken.
    pub lone: u32,
    /// Agents that fetch it for their groups.
    pub fetched: u32,
}

impl Line {
    pub fn new(home: NodeId) -> Line {
        Line {
            home,
            answers: NOBODY,
            owned: Reach::Machine,
            shared: State::Uncached,
            promised: false,
            holders: Holders::default(),
            free_at: 0,
            read_until: 0,
            first: NOBODY,
            joined: NOBODY,
            lone: NOBODY,
            fetched: 0,
        }
    }

    /// Whether nobody is promised it or waits for it.
    pub fn is_idle(&self) -> bool {
        !self.promised && self.first == NOBODY
    }

    /// What owns it together with one more core.
    #[inline]
    pub fn joined_by(&self, topology: &Topology, core: u32) -> Reach {
        let least = if self.answers == core {
            Reach::Core
        } else if topology.group_of(self.answers) == topology.group_of(core) {
            Reach::Group
        } else if topology.domain_of(self.answers) == topology.domain_of(core) {
            Reach::Domain
        } else {
            Reach::Machine
        };
        self.owned.max(least)
    }
}
