//! A coherence protocol as a table.

use serde::{Deserialize, Serialize};

/// Responses of a directory to every request in every state of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolTable {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name of the protocol, as in machine files.
    pub protocol: String,
    /// States of a line in its directory.
    pub states: Vec<Word>,
    /// Requests that a directory serves.
    pub requests: Vec<Word>,
    /// Actions of which a response consists, such as invalidations.
    pub actions: Vec<Word>,
    /// States of a line in a cache, by their letters.
    pub copies: Vec<Word>,
    /// One row for each possible pair of state and request.
    pub rows: Vec<ProtocolRow>,
    /// One row for each impossible pair of state and request.
    pub never: Vec<NeverRow>,
}

/// A name used in the table, and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// Name of the state, request or action.
    pub name: String,
    /// A sentence that explains the name.
    pub meaning: String,
}

/// Response of a directory to one request in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolRow {
    /// State of the line before the request.
    pub state: String,
    /// Request that the directory receives.
    pub request: String,
    /// State of the line after the request.
    pub next: String,
    /// Actions of the directory and the caches, in order.
    pub actions: Vec<String>,
    /// New state of the requester's copy; `None` if it is unchanged.
    pub requester: Option<String>,
    /// New state of the owner's copy, if the owner is not the requester; `None` if it is unchanged.
    pub owner: Option<String>,
    /// New state of the forwarder's copy, if the forwarder is not the requester; `None` if it is unchanged.
    pub forwarder: Option<String>,
    /// New state of all other copies; `None` if it is unchanged.
    pub sharers: Option<String>,
}

/// A pair of state and request that never occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverRow {
    /// State of the line in its directory.
    pub state: String,
    /// Request that never reaches a directory in that state.
    pub request: String,
    /// Reason why the pair is impossible.
    pub reason: String,
}
