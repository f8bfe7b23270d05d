//! Flags of `numalab pareto`.

use super::view::{BetterWord, Results, ViewOutput};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Pareto {
    #[command(flatten)]
    pub rows: Results,

    /// First column
    #[arg(long, value_name = "COLUMN", default_value = "makespan")]
    pub x: String,

    /// Second column
    #[arg(long, value_name = "COLUMN")]
    pub y: String,

    /// Which values of the first column are better
    #[arg(long, value_enum, default_value_t = BetterWord::Less)]
    pub better_x: BetterWord,

    /// Which values of the second column are better
    #[arg(long, value_enum, default_value_t = BetterWord::Less)]
    pub better_y: BetterWord,

    #[command(flatten)]
    pub output: ViewOutput,

    /// Also draw all points and the front to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab pareto results.csv --y threads --only machine=bcs16
      How few threads are enough?
  numalab pareto results.csv --x makespan --y bytes_machine --svg front.svg
      Time against traffic.";
