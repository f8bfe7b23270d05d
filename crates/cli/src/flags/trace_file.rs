//! `numalab trace`.

use super::Output;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// Look at a recorded program
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab trace show prog.nlt
      What the program does, and how long each part of it takes one thread alone.
  numalab trace check prog.nlt
      Whether all of the file is there.
  numalab trace dump prog.nlt -o events.jsonl
      Every event, as JSON lines.
  numalab trace import grains.csv -o prog.nlt
      A table of what chunks and tasks cost, of any other tool.")]
pub struct TraceFile {
    /// What is to be done with it.
    #[command(subcommand)]
    pub step: TraceStep,
}

/// What is to be done with a recorded program.
#[derive(Debug, Subcommand)]
pub enum TraceStep {
    Show(TraceShow),
    Check(TraceCheck),
    Dump(TraceDump),
    Import(TraceImport),
}

/// Show the parts of a recorded program and what each costs
#[derive(Debug, Args)]
pub struct TraceShow {
    /// The recording
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    #[command(flatten)]
    pub output: Output,
}

/// Read all of a recording, and say what is lost; exit status 1 if anything is
#[derive(Debug, Args)]
pub struct TraceCheck {
    /// The recording
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// Write every event of a recording, as JSON lines
#[derive(Debug, Args)]
pub struct TraceDump {
    /// The recording
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Write to FILE; "-" is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Make a recording of a table that another tool wrote
///
/// Columns are id, region and us (microseconds), and where there are any first and count (iterations of a chunk), or parent
/// (the task that creates it) or after (tasks that must be finished before, with blanks between them).
#[derive(Debug, Args)]
pub struct TraceImport {
    /// The table, as CSV
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Write the recording to FILE
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}
