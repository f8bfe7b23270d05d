//! Flags of `numalab validate`.

use super::names::Name;
use super::view::ViewOutput;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab validate
  numalab validate --experiment health --seeds 5 --commands
      Rows of one experiment, each with five seeds, and the commands that repeat their runs.
  numalab validate --machine bcs16 --experiment loadbal
  numalab validate -o accuracy.md
      A scorecard of all machines and experiments as Markdown.
  numalab validate host.jsonl --machine host.toml --svg host.svg
      Measurements of \"calibrate run\" against the machine of \"calibrate fit\".")]
pub struct Validate {
    /// Measurements of "numalab calibrate run", instead of published ones
    #[arg(value_name = "MEASUREMENTS", value_hint = ValueHint::FilePath)]
    pub measurements: Option<PathBuf>,

    /// Only published rows of this machine; with MEASUREMENTS, the machine to simulate: a name or a
    /// file
    #[arg(long, value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: Option<String>,

    /// Only rows of this experiment
    #[arg(long, value_name = "EXPERIMENT")]
    pub experiment: Option<String>,

    /// Only published rows of this OpenMP runtime; with MEASUREMENTS, the runtime to simulate: a name or a file
    /// [default: the one that the machine names]
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Simulate each published row with N seeds, and judge it by the seed with the median error
    ///
    /// A row for which the first two seeds agree has two.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), conflicts_with = "measurements")]
    pub seeds: u32,

    /// Print the commands that repeat the runs of each published row
    #[arg(long, conflicts_with = "measurements")]
    pub commands: bool,

    /// Include the measurements that the machine was fitted to
    #[arg(long, requires = "measurements")]
    pub all: bool,

    #[command(flatten)]
    pub output: ViewOutput,

    /// Also draw simulated over measured values to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "measurements", value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}
