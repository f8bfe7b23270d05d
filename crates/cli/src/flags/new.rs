//! `numalab new`.

use super::ShownKind;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Write a start for a file of your own: a machine, a workload, an OpenMP runtime or a sweep
///
/// It goes where names are looked up, ./machines/NAME.toml and the like, and runs as it is. Comments in it say what every
/// value means and how it is measured.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab new machine mine                     machines/mine.toml; numalab show mine
  numalab new workload mine --from stream      workloads/mine.yaml, as stream is
  numalab new sweep mine -o -                  on standard output")]
pub struct New {
    /// What to write
    #[arg(value_enum)]
    pub kind: ShownKind,

    /// Its name: letters, digits, -, _ and .
    pub name: String,

    /// Begin with what this name or file holds [default: a commented start]
    #[arg(long, value_name = "NAME")]
    pub from: Option<String>,

    /// Write it to FILE; \"-\" is standard output [default: NAME in the folder of its kind]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}
