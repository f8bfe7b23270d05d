//! Flags of `numalab trace` and its subcommands.

use super::Output;
use super::names::Name;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// Inspect a recorded program
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab trace show prog.nlt
      The parts of the program, and the time of each on one thread.
  numalab trace check prog.nlt
      Check that the file is complete.
  numalab trace dump prog.nlt -o events.jsonl
      Every event, as JSON Lines.
  numalab trace import grains.csv -o prog.nlt
      Import a table of chunk and task costs from another tool.
  numalab trace import traces.otf2 -o prog.nlt --nested nested --processors bound.csv --machine bcs16
      Import an archive, and write it with nested tasks, classed by distance from their creators.")]
pub struct TraceFile {
    #[command(subcommand)]
    pub step: TraceStep,
}

#[derive(Debug, Subcommand)]
pub enum TraceStep {
    Show(TraceShow),
    Check(TraceCheck),
    Dump(TraceDump),
    Import(TraceImport),
}

/// List the parts of a recorded program with their costs
#[derive(Debug, Args)]
pub struct TraceShow {
    /// Recording to list
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    #[command(flatten)]
    pub output: Output,
}

/// Read a whole recording and list what is lost; exit status 1 if anything is
#[derive(Debug, Args)]
pub struct TraceCheck {
    /// Recording to check
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// Write every event of a recording, as JSON Lines
#[derive(Debug, Args)]
pub struct TraceDump {
    /// Recording to read
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Write to FILE; "-" is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Convert a trace of another tool to a recording
///
/// Reads an OTF2 archive (through otf2-print, or its output "otf2-print -A"), a Paraver trace
/// (.prv), or a CSV table. The columns of a table are id, region and us (microseconds), and
/// optionally first and count (iterations of a chunk), parent (the task that creates it), after
/// (tasks that must finish before, separated by blanks) and data (bytes of arrays that it touches,
/// as in "u:0..8192 v:0..4096:w").
#[derive(Debug, Args)]
pub struct TraceImport {
    /// Trace or table to convert
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Write the recording to FILE
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,

    /// Type of the events that name regions, in a Paraver trace
    #[arg(long, value_name = "TYPE")]
    pub event: Option<u64>,

    /// Also write an OTF2 archive in which tasks leave the thread while suspended
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub nested: Option<PathBuf>,

    /// Class tasks by distance from their creators: a table with the columns thread and processor
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub processors: Option<PathBuf>,

    /// Machine that these processors belong to
    #[arg(long, value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: Option<String>,
}
