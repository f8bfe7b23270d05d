//! Where a request is served and who has the data, by what the directories know and the tables say.

use super::agent::Place;
use super::line::{Line, Reach};
use super::{Access, Lines};
use crate::protocol::{Protocol, Request, State};

/// Where the data comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    /// The requester's group has it.
    #[default]
    Here,
    /// The group of this core.
    Cache(u32),
    /// The home's memory.
    Memory,
}

/// The nearest place that can serve a request, and what the line is left as.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    pub place: Place,
    pub source: Source,
    /// The requester answers for the line from now on.
    pub answers: bool,
    /// How the line is shared from now on.
    pub shared: State,
}

impl Lines<'_> {
    /// What a request of a core needs.
    #[inline]
    pub(super) fn plan(&self, line: &Line, core: u32, access: Access) -> Plan {
        let near = |place| Plan { place, source: Source::Here, answers: false, shared: line.shared };
        let topology = &self.topology;
        let group = topology.group_of(core);
        // Whoever has a copy is in one group, or else anywhere.
        let one_group = line.owned <= Reach::Group;
        let in_group = one_group && topology.group_of(line.answers) == group;
        let here = || line.holders.first_in(&self.sets, topology.cores_of_group(group)).is_some();
        match access {
            Access::Read if one_group && !in_group => self.read(line, core),
            Access::Own if one_group && !in_group => self.own(line, core, false),
            Access::Read if line.holders.has(&self.sets, core) => near(Place::Core),
            Access::Own if line.owned == Reach::Core && line.answers == core => near(Place::Core),
            Access::Own if in_group => near(Place::Group),
            Access::Read if line.owned == Reach::Core => near(Place::Group),
            Access::Read if in_group || here() => near(Place::Cache),
            Access::Read => self.read(line, core),
            Access::Own => self.own(line, core, here()),
        }
    }

    /// A core that could answer for the line in the domain of another; what the domain's directory knows.
    fn in_domain(&self, line: &Line, core: u32) -> Option<(u32, State)> {
        let topology = &self.topology;
        let domain = topology.domain_of(core);
        if line.holders.is_empty() {
            return None;
        }
        if topology.domain_of(line.answers) == domain {
            return Some((line.answers, if line.owned < Reach::Domain { State::Owned } else { line.shared }));
        }
        if line.owned != Reach::Machine {
            return None;
        }
        // Each domain that shares the line has a forwarder of its own; the owner is only in one.
        let state = if self.protocol == Protocol::Mesif { State::Forwarded } else { State::Shared };
        let holder = line.holders.first_in(&self.sets, topology.cores_of_domain(domain))?;
        Some((holder, state))
    }

    /// Where the answer can be given if the data comes from inside the domain.
    fn inside(&self, line: &Line, core: u32) -> Place {
        let at_home = self.topology.domain_of_home(line.home) == self.topology.domain_of(core);
        if at_home { Place::Home } else { Place::Controller }
    }

    fn read(&self, line: &Line, core: u32) -> Plan {
        if let Some((holder, state)) = self.in_domain(line, core) {
            let row = self.table.row(state, Request::Read);
            let (place, source) = if row.cached {
                (self.inside(line, core), Source::Cache(holder))
            } else {
                (Place::Home, Source::Memory)
            };
            return Plan { place, source, answers: row.answers, shared: row.next };
        }
        if line.holders.is_empty() {
            let row = self.table.row(State::Uncached, Request::Read);
            return Plan {
                place: Place::Home,
                source: Source::Memory,
                answers: row.answers,
                shared: row.next,
            };
        }
        // Other domains have it: their directory decides where the data comes from, the requester's own how
        // it is granted.
        let state = if line.owned == Reach::Machine { State::Shared } else { State::Owned };
        let cached = self.between.row(state, Request::Read).cached;
        let source = if cached { Source::Cache(line.answers) } else { Source::Memory };
        let grant = self.table.row(State::Uncached, Request::ReadShared);
        let shared = match (grant.answers, line.owned) {
            (true, _) => grant.next,
            (false, Reach::Core | Reach::Group) => self.table.row(State::Owned, Request::SnoopRead).next,
            (false, _) => line.shared,
        };
        Plan { place: Place::Home, source, answers: grant.answers, shared }
    }

    fn own(&self, line: &Line, core: u32, here: bool) -> Plan {
        let topology = &self.topology;
        let owned_here =
            line.owned <= Reach::Domain && topology.domain_of(line.answers) == topology.domain_of(core);
        let source = match self.in_domain(line, core) {
            _ if here => Source::Here,
            Some((holder, state)) if self.table.row(state, Request::Own).cached => Source::Cache(holder),
            Some(_) => Source::Memory,
            None if line.holders.is_empty() => Source::Memory,
            None => {
                let state = if line.owned == Reach::Machine { State::Shared } else { State::Owned };
                let cached = self.between.row(state, Request::Own).cached;
                if cached { Source::Cache(line.answers) } else { Source::Memory }
            }
        };
        let place =
            if owned_here && source != Source::Memory { self.inside(line, core) } else { Place::Home };
        Plan { place, source, answers: true, shared: State::Owned }
    }
}
