//! OpenMP runtimes: the cost of a construct is that of the cache lines that its algorithm moves.
//!
//! | module | what |
//! |---|---|
//! | `profile` | algorithms of a runtime, and its few constants |
//! | `code` | programs of loads, stores, atomics and spins |
//! | `exec` | interpreter of programs over the coherence engine |
//! | `locks`, `barriers`, `constructs` | algorithms, each a short program in its own file |
//! | `team` | regions: the programs by which a team opens, closes and meets |

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod barriers;
pub mod code;
pub mod constructs;
pub mod exec;
pub mod locks;
pub mod profile;
pub mod team;

pub use code::{Address, Arithmetic, Code, CodeBuilder, CodeId, Label, Operand, Reg, Test, Word, WordTable};
pub use exec::{AT_ONCE, Decisions, Exec, Finished, Sleep};
pub use locks::{Lock, Locks};
pub use profile::Profile;
pub use team::{TeamMember, TeamSync};
