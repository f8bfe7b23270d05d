//! A protocol's table as flags, so that a transaction looks its row up in an array.

use crate::protocol::{Action, Protocol, Request, Row, State, transition};

/// What matters of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    /// The data comes from a cache.
    pub cached: bool,
    /// The requester answers for the line from now on.
    pub answers: bool,
    /// The state that the directory is left in.
    pub next: State,
}

/// A compiled table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: [[Flags; Request::ALL.len()]; State::ALL.len()],
}

impl Table {
    pub fn new(protocol: Protocol) -> Table {
        let mut rows = [[Flags::default(); Request::ALL.len()]; State::ALL.len()];
        for state in State::ALL {
            for request in Request::ALL {
                if let Row::Go(next, actions) = transition(protocol, state, request) {
                    rows[state as usize][request as usize] = flags(next, actions);
                }
            }
        }
        Table { rows }
    }

    #[inline]
    pub fn row(&self, state: State, request: Request) -> Flags {
        self.rows[state as usize][request as usize]
    }
}

fn flags(next: State, actions: &[Action]) -> Flags {
    use Action::*;
    let any = |of: &[Action]| actions.iter().any(|action| of.contains(action));
    Flags {
        cached: any(&[FetchFromOwner, FetchFromForwarder, FetchFromSharer]),
        answers: any(&[GrantForward, GrantExclusive, GrantModified]),
        next,
    }
}
