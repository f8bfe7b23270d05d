//! Cache lines that threads fight for: protocol tables as data, and one engine that walks a request
//! through the levels of the machine until it finds who can answer.
//!
//! The engine knows no values: `numalab-runtime` keeps what the words hold and runs programs on it.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod lines;
pub mod protocol;

pub use lines::{
    Access, AgentId, Counts, DirectoryView, LineId, LineView, Lines, Owner, Served, Supplied, Transaction,
};
