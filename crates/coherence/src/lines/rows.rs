//! Rows compiled for execution: a few bytes each, in one array for every scope.

use crate::protocol::{Action, CacheState, Outcome, Request, Row, Scope, State, Tables};

/// The place from which a row takes the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supplier {
    Memory,
    Owner,
    Forwarder,
    Sharer,
}

/// A row as the engine executes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub next: State,
    /// `None` where the requester needs no data.
    pub data: Option<Supplier>,
    pub becomes: Outcome,
    pub writes_memory: bool,
}

impl Steps {
    fn of(state: State, request: Request, row: Row) -> Steps {
        let (next, actions) = match row {
            Row::Go(next, actions) => (next, actions),
            // Nobody asks for this: a directory that is asked all the same refuses.
            Row::Never(_) => {
                return Steps { next: state, data: None, becomes: Outcome::default(), writes_memory: false };
            }
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
        Steps {
            next,
            data: actions.iter().find_map(supplier),
            becomes: Outcome::of(request, actions),
            writes_memory: actions.contains(&Action::WriteMemory),
        }
    }

    /// Whether the directory takes the data from behind it.
    #[inline]
    pub fn reads_memory(&self) -> bool {
        self.data == Some(Supplier::Memory)
    }

    /// Whether caches below the directory are asked for data or for their copies.
    #[inline]
    pub fn asks_members(&self) -> bool {
        let Outcome { owner, forwarder, sharers, .. } = self.becomes;
        let fetches = matches!(self.data, Some(Supplier::Owner | Supplier::Forwarder | Supplier::Sharer));
        fetches || owner.is_some() || forwarder.is_some() || sharers == Some(CacheState::Invalid)
    }
}

/// The rows of every scope.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    rows: [[[Steps; Request::ALL.len()]; State::ALL.len()]; Scope::ALL.len()],
}

impl Rows {
    pub fn new(tables: &Tables) -> Rows {
        let row = |scope, state, request| Steps::of(state, request, tables.at(scope).row(state, request));
        Rows {
            rows: Scope::ALL
                .map(|scope| State::ALL.map(|state| Request::ALL.map(|request| row(scope, state, request)))),
        }
    }

    #[inline]
    pub fn row(&self, scope: Scope, state: State, request: Request) -> &Steps {
        &self.rows[scope as usize][state as usize][request as usize]
    }
}
