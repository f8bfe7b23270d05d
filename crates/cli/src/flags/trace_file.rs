//! `numalab trace`.

use super::Output;
use super::names::Name;
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
      A table of what chunks and tasks cost, of any other tool.
  numalab trace import traces.otf2 -o prog.nlt --nested nested --processors bound.csv --machine bcs16
      An archive; again with tasks that nest, by how far from their creators they ran.")]
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

/// Make a recording of what another tool wrote
///
/// An archive of OTF2 (read by otf2-print, or what "otf2-print -A" prints), a trace of Paraver (.prv), or a table as CSV. Columns of
/// a table are id, region and us (microseconds), and where there are any first and count (iterations of a chunk), or parent
/// (the task that creates it) or after (tasks that must be finished before, with blanks between them), and data (bytes of arrays
/// that it touches, as in "u:0..8192 v:0..4096:w").
#[derive(Debug, Args)]
pub struct TraceImport {
    /// The trace or table
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Write the recording to FILE
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,

    /// Type of the events that name regions, in a trace of Paraver
    #[arg(long, value_name = "TYPE")]
    pub event: Option<u64>,

    /// Write an archive of OTF2 as well, in which tasks are left where they are suspended
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub nested: Option<PathBuf>,

    /// Class tasks by how far from their creators they run: a table with the columns thread and processor
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub processors: Option<PathBuf>,

    /// The machine that these processors are of
    #[arg(long, value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: Option<String>,
}
