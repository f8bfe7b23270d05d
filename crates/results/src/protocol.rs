//! A coherence protocol as a table.

use serde::{Deserialize, Serialize};

/// What the directory of a line does, in every state that the protocol has, whatever it is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolTable {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The protocol's name.
    pub protocol: String,
    /// States of a line in its directory.
    pub states: Vec<Word>,
    /// What a directory is asked.
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

/// What a directory does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolRow {
    /// The state of the line before.
    pub state: String,
    /// What is asked.
    pub request: String,
    /// The state of the line after.
    pub next: String,
    /// What is done in between, in this order.
    pub actions: Vec<String>,
    /// What the requester's copy becomes; `None` if it stays what it is, here and below.
    pub requester: Option<String>,
    /// What the owner's copy becomes, if the owner is not the requester.
    pub owner: Option<String>,
    /// What the forwarder's copy becomes, if the forwarder is not the requester.
    pub forwarder: Option<String>,
    /// What all other copies become.
    pub sharers: Option<String>,
}

/// What a directory is never asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverRow {
    /// The state of the line.
    pub state: String,
    /// What nobody asks then.
    pub request: String,
    /// Why.
    pub reason: String,
}
