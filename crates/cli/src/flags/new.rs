//! Flags of `numalab new`.

use super::ShownKind;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab new machine mine                     machines/mine.toml; numalab show mine
  numalab new workload mine --from stream      workloads/mine.yaml, a copy of stream
  numalab new sweep mine -o -                  written to standard output")]
pub struct New {
    /// Kind of file
    #[arg(value_enum)]
    pub kind: ShownKind,

    /// Name: letters, digits, -, _ and .
    pub name: String,

    /// Start from the file of this name [default: a commented template]
    #[arg(long, value_name = "NAME")]
    pub from: Option<String>,

    /// Write to FILE; "-" is standard output [default: NAME in the folder of its kind]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}
