//! Flags of `numalab rank`.

use super::view::{BetterWord, Results, ViewOutput};
use clap::Args;

/// Rank policies over all points of a sweep, and count which beats which
///
/// Points that differ only in their policy form a group. Within a group, policies are ranked by the
/// median of their replicas. Tied policies share the mean rank. A win is a first rank. The ratio
/// says how many times worse than the best of its group a policy is; ratios are averaged
/// geometrically. The win matrix gives the percentage of common groups in which one policy beats
/// another; a tie counts half.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Rank {
    #[command(flatten)]
    pub rows: Results,

    /// Coordinate whose values are ranked; "file" ranks the files
    #[arg(long, value_name = "COLUMN", default_value = "policy")]
    pub by: String,

    /// Column to rank by
    #[arg(long, value_name = "COLUMN", default_value = "makespan")]
    pub measure: String,

    /// Which values of that column are better
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
