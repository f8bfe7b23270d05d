//! Flags of `numalab place-threads`.

use super::names::Name;
use super::{Assume, Output};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlaceThreads {
    /// Accesses as CSV: a header "thread,NODE,NODE,…", then one line per thread
    #[arg(value_name = "TABLE", required_unless_present = "from_run", value_hint = ValueHint::FilePath)]
    pub table: Option<PathBuf>,

    /// Read the accesses of a simulated run from results of "numalab sim --format json"
    #[arg(long, value_name = "FILE", conflicts_with = "table", value_hint = ValueHint::FilePath)]
    pub from_run: Option<PathBuf>,

    /// Policy of the run, if the results have several
    #[arg(long, short, value_name = "POLICY", requires = "from_run")]
    pub policy: Option<String>,

    /// Use the processor numbers and the cores per node of this machine
    #[arg(long, short, value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: Option<String>,

    #[command(flatten)]
    pub assume: Assume,

    /// Most threads on one node [default: the machine's cores per node, or as few as fit all
    /// threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cores_per_node: Option<u32>,

    /// Cost of a remote access relative to a local one
    #[arg(long, value_name = "F", default_value_t = 1.5)]
    pub numa_factor: f64,

    /// Algorithm that chooses the nodes
    #[arg(long, value_enum, default_value_t = ThreadAlgorithm::All)]
    pub algorithm: ThreadAlgorithm,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThreadAlgorithm {
    /// Most local accesses of all placements
    Exhaustive,
    /// Largest counts first, each on the nearby node with the fewest local accesses so far
    Largest,
    /// As largest, but by the total work of each node
    CriticalPath,
    /// All three, one below the other
    All,
}

const EXAMPLES: &str = "\
Examples:
  numalab place-threads counts.csv --cores-per-node 4
  numalab sim bcs16 loadbal -p static -t 16 -o run.json
  numalab place-threads --from-run run.json --machine bcs16

Without a machine, node 0 is assumed to have processors 0 to N-1, node 1 the next N, and so on.";
