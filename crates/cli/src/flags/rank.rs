//! `numalab rank`.

use super::view::{BetterWord, Results, ViewOutput};
use clap::Args;

/// Rank policies against each other over all points of a sweep, and say who beats whom
///
/// Points that are equal in all else are a group. In each group the policies have ranks by the median of their
/// replicas; those who tie share the mean of their ranks. A win is a group in which nobody is better, the ratio how
/// many times worse than the best of its group a policy is, its mean the geometric one. The win matrix says in how many per cent of the groups
/// that have both one policy beats another; a tie counts half.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Rank {
    #[command(flatten)]
    pub rows: Results,

    /// The coordinate whose values are ranked; "file" ranks the files
    #[arg(long, value_name = "COLUMN", default_value = "policy")]
    pub by: String,

    /// The column that they are ranked by
    #[arg(long, value_name = "COLUMN", default_value = "makespan")]
    pub measure: String,

    /// Better direction of that column
    #[arg(long, value_enum, default_value_t = BetterWord::Less)]
    pub better: BetterWord,

    #[command(flatten)]
    pub output: ViewOutput,
}

const EXAMPLES: &str = "\
Examples:
  numalab rank results.csv
  numalab rank results.csv --only machine=bcs16 --by placement
  numalab rank results.parquet --measure bandwidth --better more --format markdown >> $GITHUB_STEP_SUMMARY";
