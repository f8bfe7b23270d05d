//! OpenMP runtimes. What a construct costs is what the cache lines cost that its algorithm moves.
//!
//! | module | what |
//! |---|---|
//! | `profile` | which algorithms a runtime uses, and its few constants |
//! | `code` | programs of loads, stores, atomics and spins |
//! | `exec` | runs them, a thread at a time, over the coherence engine |
//! | `locks`, `barriers`, `constructs` | algorithms, each a short program in a file of its own |
//! | `team` | regions: what each thread of a team runs to open, close and meet |

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod barriers;
pub mod code;
pub mod constructs;
pub mod exec;
pub mod locks;
pub mod profile;
pub mod team;

pub use code::{Address, Arithmetic, Code, CodeBuilder, CodeId, Label, Operand, Reg, Test, Word, WordTable};
pub use exec::{Decisions, Exec, Finished};
pub use locks::{Lock, Locks};
pub use profile::Profile;
pub use team::{TeamMember, TeamSync};
