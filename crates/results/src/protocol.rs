//! A coherence protocol as a table.

use serde::{Deserialize, Serialize};

/// Responses of a directory to every request in every state of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolTable {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name of the protocol.
    pub protocol: String,
    /// States of a line in its directory.
    pub states: Vec<Word>,
    /// Requests to a directory.
    pub requests: Vec<Word>,
    /// Actions of a response.
    pub actions: Vec<Word>,
    /// States of a line in a cache, by their letters.
    pub copies: Vec<Word>,
    /// One row for each possible pair of state and request.
    pub rows: Vec<ProtocolRow>,
    /// One row for each impossible pair of state and request.
    pub never: Vec<NeverRow>,
}

/// A name and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// The name.
    pub name: String,
    /// A sentence that explains the name.
    pub meaning: String,
}

/// Response of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolRow {
    /// State of the line before.
    pub state: String,
    /// Name of the request.
    pub request: String,
    /// State of the line afterwards.
    pub next: String,
    /// Actions in between, in this order.
    pub actions: Vec<String>,
    /// New state of the requester's copy; `None` here and below if it is unchanged.
    pub requester: Option<String>,
    /// New state of the owner's copy, if the owner is not the requester.
    pub owner: Option<String>,
    /// New state of the forwarder's copy, if the forwarder is not the requester.
    pub forwarder: Option<String>,
    /// New state of all other copies.
    pub sharers: Option<String>,
}

/// A pair of state and request that never occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverRow {
    /// State of the line.
    pub state: String,
    /// Request that is impossible in that state.
    pub request: String,
    /// Why it is impossible.
    pub reason: String,
}
