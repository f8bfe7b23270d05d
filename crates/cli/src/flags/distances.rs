//! Flags of `numalab distances`.

use super::names::Name;
use super::{Assume, Output};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Distances {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    #[command(flatten)]
    pub assume: Assume,

    /// Distances to compare with: a square matrix as CSV, or the output of "numactl -H"
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub compare: Option<PathBuf>,

    /// Change one value of the machine; repeat it for more
    #[arg(long = "set", value_name = "machine.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub output: Output,

    /// Also write the topology for hwloc to FILE, as lstopo's XML with distances, bandwidths and latencies; "-" is
    /// standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub hwloc: Option<PathBuf>,

    /// Also write what "numactl -H" would print to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub numactl: Option<PathBuf>,

    /// Also draw latencies, bandwidths and distances as heat maps to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab distances bcs16
  numalab distances hp8 --compare measured.csv --svg hp8.svg
      Do the model's distances agree with the machine's?
  numactl -H > here.txt; numalab distances my-machine.toml --compare here.txt
      Does the firmware's table agree with the model?
  numalab distances xeon-max-9480-2p --hwloc max.xml; lstopo --input max.xml --memattrs
      Latencies and bandwidths for programs that ask hwloc.
  numalab distances bcs16 --format csv -o bcs16.csv
      The simulated matrix, one row per reading node.";
