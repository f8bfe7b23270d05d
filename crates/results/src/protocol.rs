//! A coherence protocol as a table.

use serde::{Deserialize, Serialize};

/// Responses of a line's directory, in every state that the protocol has, to every request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolTable {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The protocol's name.
    pub protocol: String,
    /// States of a line in its directory.
    pub states: Vec<Word>,
    /// Requests of a directory.
    pub requests: Vec<Word>,
    /// Steps of an answer.
    pub actions: Vec<Word>,
    /// States of a line in a cache, by their letters.
    pub copies: Vec<Word>,
    /// One for each state and request that meet.
    pub rows: Vec<ProtocolRow>,
    /// One for each state and request that never meet.
    pub never: Vec<NeverRow>,
}

/// A name, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// The name.
    pub name: String,
    /// A sentence.
    pub meaning: String,
}

/// Response of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolRow {
    /// The state of the line before.
    pub state: String,
    /// Request.
    pub request: String,
    /// The state of the line after.
    pub next: String,
    /// Actions in between, in this order.
    pub actions: Vec<String>,
    /// New state of the requester's copy; `None` if it stays what it is, here and below.
    pub requester: Option<String>,
    /// New state of the owner's copy, if the owner is not the requester.
    pub owner: Option<String>,
    /// New state of the forwarder's copy, if the forwarder is not the requester.
    pub forwarder: Option<String>,
    /// New state of all other copies.
    pub sharers: Option<String>,
}

/// Combination that a directory never meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverRow {
    /// The state of the line.
    pub state: String,
    /// Request that nobody makes then.
    pub request: String,
    /// Why.
    pub reason: String,
}
