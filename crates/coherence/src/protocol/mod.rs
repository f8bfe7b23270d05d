//! Protocol tables: one row for each state of a directory and each request to it.
//!
//! All states are stable: a directory serves one request for a line at a time, so intermediate states are never
//! visible. Costs and counts are kept elsewhere. `README.md` in this folder describes how directories nest.

// Glossary: protocol row: Entry of a coherence protocol's table for a state and a request: the next state
//   and the actions.

mod action;
mod cache_state;
mod documented_enum;
mod mesi;
mod mesif;
mod moesi;
mod request;
mod state;
mod table;

pub use action::Action;
pub use cache_state::{CacheState, NextState};
pub use numalab_machine::Protocol;
pub use request::Request;
pub use state::State;
pub use table::{Scope, Table, Tables};

/// Row of a table for a state and a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// Next state of the directory, and actions of the transaction in their order.
    Go(State, &'static [Action]),
    /// The request cannot occur in this state; the text is the reason.
    Never(&'static str),
}

/// Row of a protocol's table for a state and a request.
#[inline]
pub fn transition(protocol: Protocol, state: State, request: Request) -> Row {
    match protocol {
        Protocol::Mesi => mesi::row(state, request),
        Protocol::Mesif => mesif::row(state, request),
        Protocol::Moesi => moesi::row(state, request),
    }
}
