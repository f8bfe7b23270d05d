//! `numalab pareto`.

use super::view::{BetterWord, Results, ViewOutput};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// List the points of a sweep of which no other one is better in both of two columns
///
/// A point is on the front unless another one is no worse in both columns and better in one. Replicas count as
/// their median.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Pareto {
    #[command(flatten)]
    pub rows: Results,

    /// The first column
    #[arg(long, value_name = "COLUMN", default_value = "makespan")]
    pub x: String,

    /// The second column
    #[arg(long, value_name = "COLUMN")]
    pub y: String,

    /// Better direction of the first column
    #[arg(long, value_enum, default_value_t = BetterWord::Less)]
    pub better_x: BetterWord,

    /// Better direction of the second column
    #[arg(long, value_enum, default_value_t = BetterWord::Less)]
    pub better_y: BetterWord,

    #[command(flatten)]
    pub output: ViewOutput,

    /// Draw all points and the front into FILE as well; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab pareto results.csv --y threads --only machine=bcs16
      How few threads are enough?
  numalab pareto results.csv --x makespan --y bytes_machine --svg front.svg
      Time against traffic.";
