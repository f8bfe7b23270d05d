//! The protocol's table of rows, and tables with one changed row, which tests execute.

use super::Answer::{Grant, Nothing as Silent, Page, PageToReaders, PageToWriter, UpgradeLast};
use super::Ask::{DropOwn, Fetch, FetchInvalidate, InvalidateOthers, Nothing};
use super::Next::{AddRequester, DropRequester, Own, OwnWriter, Same, Share, ShareAhead};
use super::Request::{self, Preinvalidate, Presend, Read, Write};
use super::Standing::{self, Bare, Holder};
use super::State::{self, Owned, Shared};
use super::{Answer, Ask, Next, Row};

/// All rows by state, request and standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table([[[Row; 2]; 4]; 2]);

const fn go(ask: Ask, answer: Answer, next: Next) -> Row {
    Row { ask, answer, next }
}

#[rustfmt::skip]
const fn row(state: State, request: Request, standing: Standing) -> Row {
    match (state, request, standing) {
        (Shared, Read, Bare)            => go(Nothing, Page, AddRequester),
        (Owned, Read, Bare)             => go(Fetch, Page, Share),
        (Shared, Write, Holder)         => go(InvalidateOthers, Grant, Own),
        (Shared, Write, Bare)           => go(InvalidateOthers, Page, Own),
        (Owned, Write, Bare)            => go(FetchInvalidate, Page, Own),
        // The page was sent ahead and arrived while the request was under way.
        (Shared | Owned, Read, Holder)  => go(Nothing, Grant, Same),
        (Owned, Write, Holder)          => go(Nothing, Grant, Same),

        (Shared, Presend, Holder)       => go(Nothing, PageToReaders, Same),
        (Owned, Presend, Holder)        => go(Fetch, PageToReaders, ShareAhead),
        (Shared, Preinvalidate, Holder) => go(DropOwn, UpgradeLast, DropRequester),
        // A dirty page moves with its ownership.
        (Owned, Preinvalidate, Holder)  => go(FetchInvalidate, PageToWriter, OwnWriter),
        // The holder's copy was taken away while the hint was under way.
        (_, Presend | Preinvalidate, Bare) => go(Nothing, Silent, Same),
    }
}

impl Default for Table {
    fn default() -> Table {
        Table(State::ALL.map(|state| {
            Request::ALL.map(|request| Standing::ALL.map(|standing| row(state, request, standing)))
        }))
    }
}

impl Table {
    pub fn row(&self, state: State, request: Request, standing: Standing) -> Row {
        self.0[state as usize][request as usize][standing as usize]
    }

    /// Replaces one row.
    pub fn with(mut self, state: State, request: Request, standing: Standing, row: Row) -> Table {
        self.0[state as usize][request as usize][standing as usize] = row;
        self
    }
}
