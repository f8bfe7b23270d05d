//! Flags for the replay of a recorded program.

use super::names::Name;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Facts that a recording does not contain.
#[derive(Debug, Args)]
pub struct Replay {
    /// For a recorded program: speed of a core of the machine relative to the recording computer
    #[arg(long, value_name = "RATIO")]
    pub core_ratio: Option<f64>,

    /// For a recorded program: the machine file of the recording computer
    ///
    /// The recording is simulated on that machine first. This shows how much of its time is waiting
    /// for memory, which narrows the results, and whether the simulated times of one thread and of
    /// a team match the recorded ones.
    #[arg(long, value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub recorded_on: Option<String>,

    /// For a recorded program: a workload file whose phases describe the data of the loops with the
    /// same names
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub data: Option<PathBuf>,
}
