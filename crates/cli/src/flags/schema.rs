//! Flags of `numalab schema`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab schema machine > machine.schema.json
  numalab schema workload --format markdown")]
pub struct Schema {
    /// Kind of file to describe
    pub kind: Kind,
    /// Form of the description
    #[arg(long, value_enum, default_value_t = SchemaFormat::Json)]
    pub format: SchemaFormat,
}

/// Forms of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// JSON Schema, for editors
    Json,
    /// Tables of all keys, for people
    Markdown,
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
    /// policies/*.yaml
    Policy,
}
