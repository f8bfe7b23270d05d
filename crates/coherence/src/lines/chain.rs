//! Requests of an access from directory to directory, derived from the states of the directories and of the copies on
//! the path. The requester's number has no influence.

use super::Access;
use super::rows::{Rows, Supplier};
use crate::protocol::{CacheState, Request, Scope, State};

/// Requests of one load or store to the directories of its path, by scope; `None` for scopes beyond the directory
/// that grants the access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Requests([Option<Request>; Scope::ALL.len()]);

impl Requests {
    /// A single request, which the directory of the core's group serves.
    #[inline]
    pub fn of_group(request: Request) -> Requests {
        Requests([Some(request), None, None])
    }

    #[inline]
    pub fn at(self, scope: Scope) -> Option<Request> {
        self.0[scope as usize]
    }
}

/// Combined effect of all rows of an access on the copies of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Effect {
    /// Neither `Joins` nor `Takes`: rows are executed one by one.
    #[default]
    Rows,
    /// The core joins the sharers; nothing else changes.
    Joins,
    /// The core becomes the only holder.
    Takes,
}

/// Source of the data of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Data {
    /// The requester's group supplies the data, or the access needs no data.
    #[default]
    Here,
    /// A group of the requester's domain supplies the data.
    Domain(Supplier),
    /// A group of another domain supplies the data.
    Machine(Supplier),
    /// Memory of the line's home.
    Memory,
}

/// Requests and effect of an access, and source of its data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    pub requests: Requests,
    pub effect: Effect,
    pub data: Data,
    /// True if the group grants the access, but first has to ask a core below it: for the data, or to invalidate or
    /// downgrade its copy.
    pub asks_cores: bool,
}

/// Request that a cache with a copy in state `held` makes for an access; `None` if the copy suffices.
#[inline]
pub(super) fn need(held: CacheState, access: Access) -> Option<Request> {
    match access {
        Access::Read => held.load(),
        Access::Own => held.store(),
    }
}

/// Request that a directory with a copy in state `held` makes to the directory above; `None` if the copy suffices.
/// `reads`: true if the directory's row reads data from above, for which an invalid or shared copy does not suffice.
#[inline]
fn need_above(held: CacheState, access: Access, reads: bool) -> Option<Request> {
    match (held, access) {
        (CacheState::Invalid | CacheState::Shared, _) if reads => need(CacheState::Invalid, access),
        (_, Access::Read) => None,
        (_, Access::Own) => held.store(),
    }
}

impl Rows {
    /// Chain of an access, from the states of the directories of every scope and the copies of core, group and
    /// domain.
    #[inline]
    pub fn chain(&self, states: [State; 3], held: [CacheState; 3], access: Access) -> Chain {
        let mut chain = Chain::default();
        let Some(request) = need(held[0], access) else { return chain };
        chain.requests.0[0] = Some(request);
        let group = self.row(Scope::Group, states[0], request);
        // The group's cache has what the group holds.
        let reads = group.reads_memory() && held[1] == CacheState::Invalid;
        let Some(request) = need_above(held[1], access, reads) else {
            chain.asks_cores = group.asks_members;
            chain.effect = if group.takes_all { Effect::Takes } else { Effect::Rows };
            return chain;
        };
        chain.requests.0[1] = Some(request);
        let domain = self.row(Scope::Domain, states[1], request);
        let above = need_above(held[2], access, domain.reads_memory());
        chain.requests.0[2] = above;
        let machine = above.map(|request| self.row(Scope::Machine, states[2], request));
        if group.takes_all && domain.takes_all && machine.is_none_or(|row| row.takes_all) {
            chain.effect = Effect::Takes;
        }
        // A load of a line that is also cached outside the domain has a row of its own.
        let held = machine.map_or(held[2], |row| row.requester.unwrap_or_default());
        let domain = self.row(Scope::Domain, states[1], request.refined(held));
        let brought = machine.filter(|_| matches!(above, Some(Request::Read | Request::Own)));
        chain.data = match (domain.data, brought.map(|row| row.data)) {
            (None, _) | (Some(Supplier::Memory), Some(None)) => Data::Here,
            (Some(Supplier::Memory), None | Some(Some(Supplier::Memory))) => Data::Memory,
            (Some(Supplier::Memory), Some(Some(supplier))) => Data::Machine(supplier),
            (Some(supplier), _) => Data::Domain(supplier),
        };
        chain
    }

    /// Source, inside a domain, of the data for an access from another domain. `state`: state of the domain's
    /// directory. `None` if the access needs no data.
    #[inline]
    pub fn snooped(&self, state: State, access: Access) -> Option<Supplier> {
        let request = match access {
            Access::Read => Request::SnoopRead,
            Access::Own => Request::SnoopOwn,
        };
        self.row(Scope::Domain, state, request).data
    }
}

/// Chains for a line that one core owns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Owned {
    /// Chains, indexed by access (load, store) and by the smallest scope that contains both the owner and the
    /// requester.
    chains: [[Chain; 3]; 2],
    /// True if the owner's domain supplies the data to another domain, by access (load, store).
    answers: [bool; 2],
}

impl Owned {
    pub fn new(rows: &Rows) -> Owned {
        use {CacheState::Invalid, CacheState::Modified, State::Owned as O, State::Uncached as U};
        let nearby = [
            ([O, O, O], [Invalid, Modified, Modified]),
            ([U, O, O], [Invalid, Invalid, Modified]),
            ([U, U, O], [Invalid, Invalid, Invalid]),
        ];
        let kinds = [Access::Read, Access::Own];
        Owned {
            chains: kinds.map(|access| nearby.map(|(states, held)| rows.chain(states, held, access))),
            answers: kinds.map(|access| rows.snooped(O, access).is_some_and(|from| from != Supplier::Memory)),
        }
    }

    /// Chain of an access, by the smallest scope that contains both the owner and the requester; true if the owner
    /// supplies the data.
    #[inline]
    pub fn chain(&self, access: Access, scope: Scope) -> (&Chain, bool) {
        let chain = &self.chains[access as usize][scope as usize];
        let supplies = match chain.data {
            Data::Here | Data::Memory => false,
            Data::Domain(_) => true,
            Data::Machine(_) => self.answers[access as usize],
        };
        (chain, supplies)
    }
}
