//! Service point and data source of a request, derived from directories and rows.

use super::agent::ServicePoint;
use super::chain::{Chain, Data, Effect, Requests, need};
use super::directories::{Directory, Surroundings};
use super::line::Line;
use super::rows::Supplier;
use super::topology::Member;
use super::{Access, Lines};
use crate::protocol::{Request, Scope};

/// Source of a request's data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// The requester's group has the data, or the access needs no data.
    #[default]
    Here,
    Group(u32),
    /// Memory of the line's home.
    Memory,
}

/// Nearest service point of an access, and its requests.
#[derive(Clone, Copy, Debug, Default, Hash)]
pub(super) struct RequestPlan {
    pub place: ServicePoint,
    pub source: Source,
    pub requests: Requests,
    pub effect: Effect,
}

impl Lines<'_> {
    /// Plan of a core's access: service point, requests, and source of the data.
    #[inline]
    pub(super) fn request_plan(&self, line: &Line, core: u32, access: Access) -> RequestPlan {
        match line.owned() {
            Some([own, group, domain]) => self.plan_for_owned(line, core, access, own, group, domain),
            None => self.plan_for_shared(line, core, access),
        }
    }

    /// Plan for a line that one core owns.
    #[inline]
    fn plan_for_owned(
        &self,
        line: &Line,
        core: u32,
        access: Access,
        owner: Member,
        group: Member,
        domain: Member,
    ) -> RequestPlan {
        let path = self.topology.path(core);
        let scope = if path[0] == owner {
            return RequestPlan::default();
        } else if path[1] == group {
            Scope::Group
        } else if path[2] == domain {
            Scope::Domain
        } else {
            Scope::Machine
        };
        let (chain, supplies) = self.owned.chain(access, scope);
        let source = match chain.data {
            Data::Memory => Source::Memory,
            _ if supplies => Source::Group(self.topology.group_number(group)),
            Data::Here | Data::Domain(_) | Data::Machine(_) => Source::Here,
        };
        self.plan_of(line, core, chain, source)
    }

    /// Plan for a line that no core or several cores hold.
    #[inline]
    fn plan_for_shared(&self, line: &Line, core: u32, access: Access) -> RequestPlan {
        let topology = &self.topology;
        let path = topology.path(core);
        let (in_group, in_domain) = (topology.cores_of_group(core), topology.cores_of_domain(core));
        let has = line.holders.near(&self.sets, core, in_group, in_domain);
        let group =
            line.directories.get(&self.sets.lists, Scope::Group, path[1]).unwrap_or(Directory::plain(has[1]));
        if need(group.copy_of(path[0], has[0]), access).is_none() {
            return RequestPlan::default();
        }
        if access == Access::Read && has[1] && !has[0] && self.rows.joins(group) {
            let requests = Requests::of_group(Request::Read);
            return RequestPlan {
                place: ServicePoint::Cache,
                source: Source::Here,
                requests,
                effect: Effect::Joins,
            };
        }
        let around =
            Surroundings::with_group(topology, &self.sets.lists, &line.directories, core, has, group);
        let chain = self.rows.chain(around.states(), around.copies(path), access);
        let source = match chain.data {
            Data::Here => Source::Here,
            Data::Memory => Source::Memory,
            Data::Domain(supplier) => {
                self.source_in(line, path[2], around.directory(Scope::Domain), supplier)
            }
            Data::Machine(supplier) => {
                let top = around.directory(Scope::Machine);
                let other = self.supplier(line, Scope::Machine, path[3], top, supplier);
                other.map_or(Source::Here, |other| {
                    let directory = line.directory(topology, &self.sets, Scope::Domain, other);
                    let supplier = self.rows.snooped(directory.state, access);
                    supplier.map_or(Source::Here, |from| self.source_in(line, other, directory, from))
                })
            }
        };
        self.plan_of(line, core, &chain, source)
    }

    /// Plan for a chain of requests. The service point is that of the farthest request. A request to a domain's
    /// directory is served at the home if memory supplies the data or if the home is in the domain, otherwise at the
    /// controller.
    #[inline]
    fn plan_of(&self, line: &Line, core: u32, chain: &Chain, source: Source) -> RequestPlan {
        let Chain { requests, effect, asks_cores, .. } = *chain;
        let asked = |scope| requests.at(scope).is_some();
        let place = if !asked(Scope::Group) {
            ServicePoint::Core
        } else if !asked(Scope::Domain) {
            if asks_cores { ServicePoint::Group } else { ServicePoint::Cache }
        } else if asked(Scope::Machine)
            || source == Source::Memory
            || self.topology.domain_of_home(line.home) == self.topology.domain_of(core)
        {
            ServicePoint::Home
        } else {
            ServicePoint::Controller
        };
        RequestPlan { place, source, requests, effect }
    }

    /// Group of a domain that supplies the line; [`Source::Here`] if there is none.
    fn source_in(&self, line: &Line, domain: Member, directory: Directory, supplier: Supplier) -> Source {
        let group = self.supplier(line, Scope::Domain, domain, directory, supplier);
        group.map_or(Source::Here, |group| Source::Group(self.topology.group_number(group)))
    }

    /// Member of a directory that supplies the line; `None` if the data comes from memory or above.
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

    /// True if a group has to ask one of its cores before it can give a copy away.
    pub(super) fn asks_a_core(&self, line: &Line, group: u32) -> bool {
        let group = self.topology.group(group);
        let state = line.directory(&self.topology, &self.sets, Scope::Group, group).state;
        self.rows.row(Scope::Group, state, Request::SnoopRead).data == Some(Supplier::Owner)
    }
}
