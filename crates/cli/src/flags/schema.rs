//! `numalab schema`.

use clap::{Args, ValueEnum};

/// Print the JSON Schema of a kind of file, for editors that complete and check
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab schema machine > machine.schema.json")]
pub struct Schema {
    /// Kind of file to describe
    pub kind: Kind,
}

/// Kinds of input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// machines/*.toml
    Machine,
    /// workloads/*.yaml
    Workload,
    /// runtimes/*.toml
    Runtime,
    /// sweeps/*.yaml
    Sweep,
}
