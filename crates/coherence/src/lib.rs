//! Contended cache lines: coherence protocols as tables, and the engine that serves requests by them.
//!
//! A request walks through the levels of the machine until a cache or the memory can answer.
//!
//! The engine stores no values: `numalab-runtime` keeps the contents of lines and runs programs on the engine.
//!
//! A request is served at the smallest scope that can: the core, the group that shares the last-level cache, the
//! snoop domain (a board; the machine, if there are no node controllers), the machine. A group answers in the latency
//! of its cache, or later if a core has to be asked; a domain when its slowest member and memory, if it is read, have
//! answered; the machine through directories, with a limited number of requests outstanding at a controller. One
//! transaction at a time is active on each line, in the order in which its owner hears of them; misses of one group
//! merge; messages queue at links and caches, and behind bulk flows.
//!
//! Rows of the protocol's table decide which copy supplies a line, which copies are lost and what directories record
//! afterwards. The tests contain an oracle, a sequential interpreter of the same tables. A test changes each row in
//! turn and checks that engine and oracle then differ. A core that owns a line keeps it until a request arrives.
//! Lines of synchronisation are never evicted: caches have no capacity in this model.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod lines;
pub mod protocol;

pub use lines::{
    Access, AgentId, Counts, DirectoryView, LineId, LineView, Lines, Owner, Served, Supplied, Transaction,
};
