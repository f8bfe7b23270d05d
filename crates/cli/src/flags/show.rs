//! `numalab show`.

use super::names::Name;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Show what a machine is: its tree, its totals, its graph, and what lies between two nodes; or what an
/// OpenMP runtime does
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true, required_unless_present = "runtime")]
    pub machine: Option<String>,

    /// An OpenMP runtime instead of a machine: a name from "numalab list", or a file
    #[arg(
        long,
        value_name = "RUNTIME",
        value_parser = Name::Runtime,
        hide_possible_values = true,
        conflicts_with_all = ["machine", "dot", "svg", "between"]
    )]
    pub runtime: Option<String>,

    /// Format of the runtime
    #[arg(long, value_enum, default_value_t = RuntimeFormat::Table, conflicts_with = "machine")]
    pub format: RuntimeFormat,

    /// Write the graph for Graphviz into FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,

    /// Draw the graph into FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,

    /// The route between two NUMA nodes: each step, its latency and its bandwidth
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    pub between: Option<Vec<u32>>,

    /// Change one value of the machine, or of the runtime; repeat it for more
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,
}

/// Format of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuntimeFormat {
    /// For reading
    Table,
    /// As a file to start one's own from
    Toml,
}

const EXAMPLES: &str = "\
Examples:
  numalab show bcs16
  numalab show bcs16 --between 0 15             why is remote memory slow?
  numalab show hp8 --dot - | dot -Tpdf -o hp8.pdf
  numalab show --runtime gcc-4.8
  numalab show --runtime llvm --format toml > runtimes/mine.toml
  numalab show \"socket:4 core:8\" --set machine.memory.latency=\"90 ns\"";
