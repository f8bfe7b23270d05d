//! Flags of `numalab rank`.

use super::view::{BetterWord, Results, ViewOutput};
use clap::Args;

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
