//! `numalab sweep`.

use super::Slurm;
use clap::{Args, ValueEnum, ValueHint};
use numalab_sweep::Shard;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Run a grid of points: machines, workloads, policies, threads, whatever can be set
///
/// A sweep file says which points there are and what must hold for them. Results are kept in a store as they
/// come: a sweep that was killed, or is run again, runs only what is missing. What decides a result names it: its
/// files, values, seed, and the program itself.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Sweep {
    /// A name from "numalab list", or a file
    #[arg(value_name = "SWEEP", value_hint = ValueHint::FilePath)]
    pub file: String,

    /// Write a row for each point to FILE: CSV, JSON Lines or Parquet, by its ending; repeat it for more. "-" is
    /// standard output, in place of the table
    #[arg(conflicts_with = "slurm", long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Vec<PathBuf>,

    /// Format of rows in files whose ending does not say it
    #[arg(long, value_enum)]
    pub format: Option<Rows>,

    /// Folder of the results [default: the sweep's name with .store, in this folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub store: Option<PathBuf>,

    /// Points to simulate at the same time [default: as many as this computer has processors]
    #[arg(conflicts_with = "slurm", long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Only points that pass this filter of the sweep; repeat it for more
    #[arg(long = "filter", value_name = "NAME")]
    pub filters: Vec<String>,

    /// Run only share K of N of the points; the store brings the shares together
    #[arg(long, value_name = "K/N", conflicts_with_all = ["output", "markdown", "junit", "annotations"])]
    pub shard: Option<Shard>,

    /// Write what the gates found as Markdown, for a pull request; a file is added to
    #[arg(conflicts_with = "slurm", long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub markdown: Option<PathBuf>,

    /// Write what the gates found as JUnit XML
    #[arg(conflicts_with = "slurm", long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub junit: Option<PathBuf>,

    /// Print what the gates found as annotations that GitHub shows beside the sweep file
    #[arg(long, conflicts_with = "slurm")]
    pub annotations: bool,

    #[command(flatten)]
    pub slurm: Slurm,
}

/// Format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rows {
    /// Comma-separated values with a header
    Csv,
    /// JSON Lines: an object a line
    Jsonl,
    /// Parquet, for data frames
    Parquet,
}

impl Rows {
    /// By the ending of a file's name.
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
      All schedules on all machines; which is fastest where, and whether the gates hold.
  numalab sweep policies -o policies.csv -o policies.parquet
      A row for each point as well, for pandas, polars or a spreadsheet.
  numalab sweep mine.yaml --markdown \"$GITHUB_STEP_SUMMARY\" --junit gates.xml --annotations
      In CI: fails if a gate does not hold, and says which points break it.
  seq 16 | parallel numalab sweep mine.yaml --jobs 1 --shard {}/16
      Shares of it, wherever; then numalab sweep mine.yaml --collect -o mine.csv.
  numalab sweep mine.yaml --slurm --tasks 16 --sbatch-arg=--time=60
      The same as a job array.

Exit status: 0, 1 when a gate does not hold, a point failed or is missing, or a result could not be written,
2 when something typed or a file is wrong.";
