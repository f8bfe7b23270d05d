//! `numalab validate`.

use super::names::Name;
use super::view::ViewOutput;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Hold measurements of real machines beside simulated values
///
/// Without a file: what was published. Rows marked "characterise" are those that the machine files were fitted on;
/// they must be met within 5 %. Rows marked "predict" were never looked at while fitting, and may be off by 25 %:
/// their error is what to expect of an answer of this program. Rows that are ranges or orders are checked as such.
/// Below the rows stands for each experiment how much of the measured order is right (Kendall's tau, and how many of
/// the gaps above 5 %), and for each row beyond its limit the known reason.
///
/// With a file of measurements and a machine file fitted to it: the measurements that the fit did not use. They must
/// be met within 10 %, or within the measured spread where that is larger.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab validate
  numalab validate --machine bcs16 --experiment loadbal
  numalab validate -o accuracy.md
      A scorecard of all machines and experiments, as Markdown.
  numalab validate host.jsonl --machine host.toml --svg host.svg
      What \"calibrate run\" measured beside what the machine of \"calibrate fit\" does.")]
pub struct Validate {
    /// Measurements of "numalab calibrate run", instead of published ones
    #[arg(value_name = "MEASUREMENTS", value_hint = ValueHint::FilePath)]
    pub measurements: Option<PathBuf>,

    /// Only published rows of this machine; with MEASUREMENTS, the machine to simulate: a name or a file
    #[arg(long, value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: Option<String>,

    /// Only rows of this experiment
    #[arg(long, value_name = "EXPERIMENT")]
    pub experiment: Option<String>,

    /// Only published rows of this OpenMP runtime; with MEASUREMENTS, the runtime to simulate: a name or a file
    /// [default: the one that the machine names]
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// The measurements that the machine was fitted on, too
    #[arg(long, requires = "measurements")]
    pub all: bool,

    #[command(flatten)]
    pub output: ViewOutput,

    /// Draw simulated over measured as a picture into FILE as well; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "measurements", value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}
