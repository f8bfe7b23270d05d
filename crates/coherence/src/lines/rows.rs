//! Rows compiled for execution: a few bytes each, in one array for each scope.

use super::directories::Directory;
use crate::protocol::{Action, CacheState, NextState, Request, Row, Scope, State, Tables};

/// Place from which a row takes its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supplier {
    Memory,
    Owner,
    Forwarder,
    Sharer,
}

/// Row of a protocol table, compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub next: State,
    /// Source of the data; `None` if the requester needs no data.
    pub data: Option<Supplier>,
    /// New state of the requester's copy; `None` if the state stays.
    pub requester: Option<CacheState>,
    /// New states of other members' copies, indexed by their present state.
    others: [CacheState; CacheState::ALL.len()],
    /// States of copies that supply the data, one bit for each state.
    suppliers: u8,
    pub writes_memory: bool,
    /// True if the requester becomes the only holder.
    pub takes_all: bool,
    /// True if the row fetches data from a member, or changes the state of a copy other than the requester's.
    pub asks_members: bool,
}

impl Steps {
    fn of(state: State, request: Request, row: Row) -> Steps {
        let (next, actions, requester) = match row {
            Row::Go(next, actions) => (next, actions, NextState::of(request, actions).requester),
            // This request never occurs; a directory that receives it refuses.
            Row::Never(_) => (state, [].as_slice(), None),
        };
        let supplier = |action: &Action| match action {
            Action::ReadMemory => Some(Supplier::Memory),
            Action::FetchFromOwner => Some(Supplier::Owner),
            Action::FetchFromForwarder => Some(Supplier::Forwarder),
            Action::FetchFromSharer => Some(Supplier::Sharer),
            Action::DowngradeOwner
            | Action::KeepOwner
            | Action::DemoteForwarder
            | Action::InvalidateOwner
            | Action::InvalidateSharers
            | Action::WriteMemory
            | Action::GrantShared
            | Action::GrantForward
            | Action::GrantExclusive
            | Action::GrantModified => None,
        };
        let after = NextState::of(request, actions);
        let data = actions.iter().find_map(supplier);
        let supplies = |held: &CacheState| match held {
            CacheState::Invalid => false,
            CacheState::Shared => data == Some(Supplier::Sharer),
            CacheState::Forward => data == Some(Supplier::Forwarder),
            CacheState::Exclusive | CacheState::Modified | CacheState::Owned => data == Some(Supplier::Owner),
        };
        Steps {
            next,
            data,
            suppliers: CacheState::ALL
                .iter()
                .filter(|held| supplies(held))
                .map(|held| 1 << *held as u8)
                .sum(),
            requester,
            others: CacheState::ALL.map(|held| after.bystander(held)),
            writes_memory: actions.contains(&Action::WriteMemory),
            takes_all: false,
            asks_members: false,
        }
    }

    /// True if the row reads data from memory or from the directory above.
    #[inline]
    pub fn reads_memory(&self) -> bool {
        self.data == Some(Supplier::Memory)
    }

    /// New state of a copy in state `held` of a member other than the requester.
    #[inline]
    pub fn leaves(&self, held: CacheState) -> CacheState {
        self.others[held as usize]
    }

    /// True if a member whose copy has this state supplies the data.
    #[inline]
    pub fn fetches(&self, held: CacheState) -> bool {
        self.suppliers >> held as u32 & 1 == 1
    }
}

/// Compiled rows of the directories of every scope.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    rows: [[[Steps; Request::ALL.len()]; State::ALL.len()]; Scope::ALL.len()],
    /// By scope: true if every sharer whose copy a directory of this scope takes loses all copies below it.
    takes: [bool; Scope::ALL.len()],
    /// True if a load of a line that the group shares only adds a sharer.
    joins: bool,
}

impl Rows {
    pub fn new(tables: &Tables) -> Rows {
        let row = |scope, state, request| Steps::of(state, request, tables.at(scope).row(state, request));
        let never = |scope, state| {
            Request::ALL.iter().all(|request| matches!(tables.at(scope).row(state, *request), Row::Never(_)))
        };
        let gives = |scope, state: State, request| {
            let row = row(scope, state, request);
            let held = CacheState::ALL.into_iter().filter(|held| state.may_hold(*held));
            row.next == State::Uncached
                && !row.writes_memory
                && held.into_iter().all(|held| row.leaves(held) == CacheState::Invalid)
        };
        let gives_all = Scope::ALL.map(|scope| {
            State::ALL.into_iter().all(|state| match state {
                State::Uncached => true,
                State::Owned => gives(scope, state, Request::SnoopOwn),
                State::Shared | State::Forwarded | State::OwnedShared => {
                    never(scope, state)
                        || gives(scope, state, Request::SnoopOwn)
                            && gives(scope, state, Request::SnoopInvalidate)
                }
            })
        });
        let takes = Scope::ALL.map(|scope| gives_all[..scope as usize].iter().all(|gives| *gives));
        let compiled = |scope: Scope, state: State, request| {
            let mut row = row(scope, state, request);
            let mut held = CacheState::ALL.into_iter().filter(|held| state.may_hold(*held));
            let fetches = matches!(row.data, Some(Supplier::Owner | Supplier::Forwarder | Supplier::Sharer));
            row.asks_members = fetches || CacheState::ALL.into_iter().any(|held| row.leaves(held) != held);
            row.takes_all = takes[scope as usize]
                && (row.requester, row.next) == (Some(CacheState::Modified), State::Owned)
                && !row.writes_memory
                && held.all(|held| row.leaves(held) == CacheState::Invalid);
            row
        };
        Rows {
            rows: Scope::ALL.map(|scope| {
                State::ALL.map(|state| Request::ALL.map(|request| compiled(scope, state, request)))
            }),
            takes,
            joins: [Request::Read, Request::ReadShared].into_iter().all(|request| {
                let row = compiled(Scope::Group, State::Shared, request);
                (row.requester, row.next) == (Some(CacheState::Shared), State::Shared) && !row.asks_members
            }),
        }
    }

    #[inline]
    pub fn row(&self, scope: Scope, state: State, request: Request) -> &Steps {
        &self.rows[scope as usize][state as usize][request as usize]
    }

    /// True if a core that loads a line shared by its group gets a shared copy and nothing else changes.
    #[inline]
    pub fn joins(&self, group: Directory) -> bool {
        self.joins && group == Directory::plain(true)
    }

    /// True if every sharer whose copy a directory of this scope takes loses all copies below it.
    #[inline]
    pub fn take_all(&self, scope: Scope) -> bool {
        self.takes[scope as usize]
    }
}
