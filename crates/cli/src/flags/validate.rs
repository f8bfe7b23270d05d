//! `numalab validate`.

use super::Output;
use super::names::Name;
use clap::Args;

/// Hold published measurements of real machines beside simulated values
///
/// Rows marked "characterise" are those that the machine files were fitted on; they must be met within 5 %.
/// Rows marked "predict" were never looked at while fitting, and may be off by 25 %: their error is what to
/// expect of an answer of this program.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab validate
  numalab validate --machine bcs16 --experiment loadbal")]
pub struct Validate {
    /// Only rows of this machine
    #[arg(long, value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: Option<String>,

    /// Only rows of this experiment
    #[arg(long, value_name = "EXPERIMENT")]
    pub experiment: Option<String>,

    /// Only rows of this OpenMP runtime
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    #[command(flatten)]
    pub output: Output,
}
