//! Statements about the replay of a recorded program.

use super::names::Name;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Facts that a recording does not say by itself.
#[derive(Debug, Args)]
pub struct Replay {
    /// For a recorded program: how fast a core of the machine is beside one of the recording computer
    #[arg(long, value_name = "RATIO")]
    pub core_ratio: Option<f64>,

    /// For a recorded program: the machine file of the recording computer
    ///
    /// What is recorded is simulated there first: how much of it is waiting for memory, which narrows the results, and whether
    /// one thread and a team take what they took.
    #[arg(long, value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub recorded_on: Option<String>,

    /// For a recorded program: a workload file whose phases say what the loops of their names touch
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub data: Option<PathBuf>,
}
