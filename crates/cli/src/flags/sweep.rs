//! Flags of `numalab sweep`.

use super::Slurm;
use clap::{Args, ValueEnum, ValueHint};
use numalab_sweep::Shard;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Sweep {
    /// A name from "numalab list", or a file
    #[arg(value_name = "SWEEP", value_hint = ValueHint::FilePath)]
    pub file: String,

    /// Write one row per point to FILE: CSV, JSON Lines or Parquet, by its ending; repeat it for
    /// more. "-" is standard output, in place of the table
    #[arg(conflicts_with = "slurm", long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Vec<PathBuf>,

    /// Format of the rows, for files without such an ending
    #[arg(long, value_enum)]
    pub format: Option<Rows>,

    /// Folder of the results [default: the sweep's name with .store, in the current folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub store: Option<PathBuf>,

    /// Points to simulate at the same time [default: the number of processors of this computer]
    #[arg(conflicts_with = "slurm", long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Only points that pass this filter of the sweep file; repeat it for more
    #[arg(long = "filter", value_name = "NAME")]
    pub filters: Vec<String>,

    /// Run only shard K of N; all shards write to the same store
    #[arg(long, value_name = "K/N", conflicts_with_all = ["output", "markdown", "junit", "annotations"])]
    pub shard: Option<Shard>,

    /// Append the verdicts of the gates to FILE as Markdown, for a pull request
    #[arg(conflicts_with = "slurm", long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub markdown: Option<PathBuf>,

    /// Write the verdicts of the gates as JUnit XML
    #[arg(conflicts_with = "slurm", long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub junit: Option<PathBuf>,

    /// Print the verdicts of the gates as annotations, which GitHub shows beside the sweep file
    #[arg(long, conflicts_with = "slurm")]
    pub annotations: bool,

    #[command(flatten)]
    pub slurm: Slurm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rows {
    /// Comma-separated values with a header
    Csv,
    /// JSON Lines: one object per line
    Jsonl,
    /// Parquet, for data frames
    Parquet,
}

impl Rows {
    /// Format of rows that the ending of a file name selects; `None` for another ending.
    pub fn of(path: &std::path::Path) -> Option<Rows> {
        match path.extension()?.to_str()? {
            "csv" => Some(Rows::Csv),
            "jsonl" | "ndjson" => Some(Rows::Jsonl),
            "parquet" => Some(Rows::Parquet),
            _ => None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  numalab sweep policies
      All schedules on all machines: which is fastest where, and whether the gates hold.
  numalab sweep policies -o policies.csv -o policies.parquet
      Also one row per point, for pandas, polars or a spreadsheet.
  numalab sweep mine.yaml --markdown \"$GITHUB_STEP_SUMMARY\" --junit gates.xml --annotations
      In CI: fails if a gate does not hold, and lists the points that break it.
  seq 16 | parallel numalab sweep mine.yaml --jobs 1 --shard {}/16
      In 16 shards; then numalab sweep mine.yaml --collect -o mine.csv.
  numalab sweep mine.yaml --slurm --tasks 16 --sbatch-arg=--time=60
      The same as a job array.

Exit status: 0, 1 when a gate does not hold, a point failed or is missing, or a result could not be written,
2 when a flag or a file is wrong.";
