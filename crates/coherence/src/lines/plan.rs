//! The place where a request is served and the source of the data, by what directories know and rows say.

use super::agent::Place;
use super::directories::{Directory, Surroundings};
use super::line::Line;
use super::rows::Supplier;
use super::topology::Member;
use super::{Access, Lines};
use crate::protocol::{CacheState, Request, Scope};

/// Where the data comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    /// The requester's group has it.
    #[default]
    Here,
    /// This group.
    Group(u32),
    /// The home's memory.
    Memory,
}

/// The requests that an access takes, from directory to directory. A directory that may grant what it is asked
/// asks nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests([Option<Request>; Scope::ALL.len()]);

impl Requests {
    #[inline]
    pub fn at(self, scope: Scope) -> Option<Request> {
        self.0[scope as usize]
    }
}

/// The effect of all rows of an access together, where it is a simple one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Effect {
    /// Row by row.
    #[default]
    Rows,
    /// The core joins those that share a copy.
    Joins,
    /// The core is left as the only holder.
    Takes,
}

/// The nearest place that can serve an access, and all that it takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    pub place: Place,
    pub source: Source,
    pub requests: Requests,
    pub effect: Effect,
}

/// The request of a cache that holds such a copy.
#[inline]
pub(super) fn need(held: CacheState, access: Access) -> Option<Request> {
    match access {
        Access::Read => held.load(),
        Access::Own => held.store(),
    }
}

/// The request of a directory that holds such a copy, where a row of its own reads what lies behind it or
/// not. One that answers for the line reads memory with nobody's permission.
#[inline]
fn need_above(held: CacheState, access: Access, reads: bool) -> Option<Request> {
    match (held, access) {
        (CacheState::Invalid | CacheState::Shared, _) if reads => need(CacheState::Invalid, access),
        (_, Access::Read) => None,
        (_, Access::Own) => held.store(),
    }
}

impl Lines<'_> {
    /// The plan for an access of a core.
    #[inline]
    pub(super) fn plan(&self, line: &Line, core: u32, access: Access) -> Plan {
        let topology = &self.topology;
        let path = topology.path(core);
        let (in_group, in_domain) = (topology.cores_of_group(core), topology.cores_of_domain(core));
        let has = line.holders.near(&self.sets, core, in_group, in_domain);
        let mut requests = Requests::default();
        let directory = line.directories.get(Scope::Group, path[1]).unwrap_or(Directory::plain(has[1]));
        if access == Access::Read && has[1] && !has[0] && self.rows.joins(directory) {
            requests.0[Scope::Group as usize] = Some(Request::Read);
            return Plan { place: Place::Cache, source: Source::Here, requests, effect: Effect::Joins };
        }
        let around = Surroundings::with_group(topology, &line.directories, core, has, directory);
        let held = around.held(Scope::Group, path);
        let Some(request) = need(held, access) else { return Plan::default() };
        requests.0[Scope::Group as usize] = Some(request);
        let state = around.directory(Scope::Group).state;
        let row = self.rows.row(Scope::Group, state, request);
        let held = around.held(Scope::Domain, path);
        // The group's own cache has what the group holds.
        let reads = row.reads_memory() && held == CacheState::Invalid;
        if let Some(request) = need_above(held, access, reads) {
            requests.0[Scope::Domain as usize] = Some(request);
            return self.plan_beyond(line, core, access, &around, requests, row.takes_all);
        }
        let effect = if row.takes_all { Effect::Takes } else { Effect::Rows };
        let place = if row.asks_members { Place::Group } else { Place::Cache };
        Plan { place, source: Source::Here, requests, effect }
    }

    /// The plan for an access that the core's group cannot serve.
    fn plan_beyond(
        &self,
        line: &Line,
        core: u32,
        access: Access,
        around: &Surroundings,
        mut requests: Requests,
        takes: bool,
    ) -> Plan {
        let path @ [_, _, domain, machine] = self.topology.path(core);
        let request = requests.at(Scope::Domain).unwrap_or(Request::Read);
        let (directory, top) = (around.directory(Scope::Domain), around.directory(Scope::Machine));
        let held = around.held(Scope::Machine, path);
        let row = self.rows.row(Scope::Domain, directory.state, request);
        let above = need_above(held, access, row.reads_memory());
        requests.0[Scope::Machine as usize] = above;
        // Who asks for no more than a copy, while the line is outside as well, is served by a row of its own.
        let top_row = above.map(|request| self.rows.row(Scope::Machine, top.state, request));
        let held = top_row.map_or(held, |row| row.requester.unwrap_or_default());
        let takes = takes && row.takes_all && top_row.is_none_or(|row| row.takes_all);
        let row = self.rows.row(Scope::Domain, directory.state, request.refined(held));
        let source = match row.data {
            None => Source::Here,
            Some(Supplier::Memory) => match above {
                Some(request @ (Request::Read | Request::Own)) => {
                    self.source_elsewhere(line, machine, top, request, access)
                }
                _ => Source::Memory,
            },
            Some(supplier) => self.source_in(line, domain, directory, supplier),
        };
        let at_home = self.topology.domain_of_home(line.home) == self.topology.domain_of(core);
        let inside = above.is_none() && source != Source::Memory && !at_home;
        let place = if inside { Place::Controller } else { Place::Home };
        let effect = if takes { Effect::Takes } else { Effect::Rows };
        Plan { place, source, requests, effect }
    }

    /// The source of a line that the requester's domain has to ask the machine's directory for.
    fn source_elsewhere(
        &self,
        line: &Line,
        machine: Member,
        top: Directory,
        request: Request,
        access: Access,
    ) -> Source {
        let other = match self.rows.row(Scope::Machine, top.state, request).data {
            None => return Source::Here,
            Some(Supplier::Memory) => return Source::Memory,
            Some(supplier) => self.supplier(line, Scope::Machine, machine, top, supplier),
        };
        let Some(other) = other else { return Source::Here };
        let snoop = match access {
            Access::Read => Request::SnoopRead,
            Access::Own => Request::SnoopOwn,
        };
        let directory = line.directory(&self.topology, &self.sets, Scope::Domain, other);
        match self.rows.row(Scope::Domain, directory.state, snoop).data {
            Some(supplier) => self.source_in(line, other, directory, supplier),
            None => Source::Here,
        }
    }

    /// The group of a domain that supplies the line.
    fn source_in(&self, line: &Line, domain: Member, directory: Directory, supplier: Supplier) -> Source {
        let group = self.supplier(line, Scope::Domain, domain, directory, supplier);
        group
            .map_or(Source::Here, |group| Source::Group(self.topology.group_of(self.topology.core_of(group))))
    }

    /// The member of a directory that supplies the line.
    fn supplier(
        &self,
        line: &Line,
        scope: Scope,
        at: Member,
        directory: Directory,
        supplier: Supplier,
    ) -> Option<Member> {
        match supplier {
            Supplier::Memory => None,
            Supplier::Owner | Supplier::Forwarder => directory.holder,
            Supplier::Sharer => line.sharer(&self.topology, &self.sets, scope, at),
        }
    }

    /// Whether a group has to ask one of its cores before it can give a copy away.
    pub(super) fn asks_a_core(&self, line: &Line, group: u32) -> bool {
        let group = self.topology.group(group);
        let state = line.directory(&self.topology, &self.sets, Scope::Group, group).state;
        self.rows.row(Scope::Group, state, Request::SnoopRead).data == Some(Supplier::Owner)
    }
}
