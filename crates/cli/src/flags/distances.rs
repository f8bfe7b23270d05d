//! `numalab distances`.

use super::Output;
use super::names::Name;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Measure how far apart a machine's NUMA nodes are, beside what its firmware would say
///
/// For every two nodes all cores of one read from the memory of the other, nobody else running. The
/// distance is 10 times the bandwidth of node 0 from its own memory, over theirs. Firmware tables state
/// latencies instead: how long one load takes, not what many together get.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Distances {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// Distances to put beside them: a square of numbers as CSV, or what "numactl -H" prints
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub compare: Option<PathBuf>,

    /// Change one value of the machine; repeat it for more
    #[arg(long = "set", value_name = "machine.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub output: Output,

    /// Draw the matrices as a heat map into FILE as well; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab distances bcs16
  numalab distances hp8 --compare measured.csv --svg hp8.svg
      Is the model as far apart as the machine?
  numactl -H > here.txt; numalab distances my-machine.toml --compare here.txt
      Is the firmware's table worth anything?
  numalab distances bcs16 --format csv -o bcs16.csv
      The simulated matrix, a row per node that reads.";
