//! `numalab show`.

use super::names::Name;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Show what a machine is: its tree, its totals, its graph, and what lies between two nodes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// Write the graph for Graphviz into FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,

    /// Draw the graph into FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,

    /// The route between two NUMA nodes: each step, its latency and its bandwidth
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    pub between: Option<Vec<u32>>,

    /// Change one value of the machine; repeat it for more
    #[arg(long = "set", value_name = "machine.PATH=VALUE")]
    pub overrides: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  numalab show bcs16
  numalab show bcs16 --between 0 15             why is remote memory slow?
  numalab show hp8 --dot - | dot -Tpdf -o hp8.pdf
  numalab show \"socket:4 core:8\" --set machine.memory.latency=\"90 ns\"";
