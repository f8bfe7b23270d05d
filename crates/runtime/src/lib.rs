//! OpenMP runtimes. What a construct costs is what the cache lines cost that its algorithm moves.
//!
//! | module | what |
//! |---|---|
//! | `profile` | which algorithms a runtime uses, and its few constants |
//! | `code` | programs of loads, stores, atomics and spins |
//! | `exec` | runs them, a thread at a time, over the coherence engine |

pub mod code;
pub mod exec;
pub mod profile;

pub use code::{Arithmetic, Builder, Code, CodeId, Label, Operand, Place, Reg, Table, Test, Word};
pub use exec::{Exec, Finished};
pub use profile::Profile;
