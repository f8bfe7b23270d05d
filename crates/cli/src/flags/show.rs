//! Flags of `numalab show`.

use super::Assume;
use super::names::Name;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Show {
    /// A name from "numalab list", a file, "-", or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_name = "NAME", value_parser = Name::Any, hide_possible_values = true, required_unless_present = "runtime")]
    pub name: Option<String>,

    /// Kind of NAME, if several kinds have that name [default: a machine before a workload, a
    /// runtime, a sweep, a policy]
    #[arg(long, value_enum, conflicts_with = "runtime")]
    pub kind: Option<ShownKind>,

    /// OpenMP runtime to describe; the same as its name with --kind runtime
    #[arg(
        long,
        value_name = "RUNTIME",
        value_parser = Name::Runtime,
        hide_possible_values = true,
        conflicts_with_all = ["name", "dot", "svg", "between"]
    )]
    pub runtime: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = ShownFormat::Table, conflicts_with_all = ["dot", "svg", "between"])]
    pub format: ShownFormat,

    #[command(flatten)]
    pub assume: Assume,

    /// Write the graph for Graphviz to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,

    /// Draw the graph to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,

    /// Route between two NUMA nodes: each step with its latency and bandwidth
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    pub between: Option<Vec<u32>>,

    /// List the values of the machine, runtime or workload with their origins (measured, from a data sheet,
    /// assumed, left at a default, stated without a source) and the largest errors that these leave
    #[arg(long, conflicts_with_all = ["dot", "svg", "between", "format"])]
    pub origins: bool,

    /// Change one value of the machine or the runtime; repeat it for more
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShownKind {
    /// The hardware
    Machine,
    /// A program
    Workload,
    /// An OpenMP runtime
    Runtime,
    /// A grid of runs
    Sweep,
    /// A rule by which loops are divided
    Policy,
}

impl From<ShownKind> for numalab_files::Kind {
    fn from(kind: ShownKind) -> numalab_files::Kind {
        match kind {
            ShownKind::Machine => numalab_files::Kind::Machine,
            ShownKind::Workload => numalab_files::Kind::Workload,
            ShownKind::Runtime => numalab_files::Kind::Runtime,
            ShownKind::Sweep => numalab_files::Kind::Sweep,
            ShownKind::Policy => numalab_files::Kind::Policy,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShownFormat {
    /// For reading
    Table,
    /// As TOML: for a machine or a runtime, the file itself
    Toml,
    /// As YAML: for a workload, a sweep or a policy, the file itself
    Yaml,
    /// As one JSON object
    Json,
}

const EXAMPLES: &str = "\
Examples:
  numalab show bcs16
  numalab show bcs16 --between 0 15             why is remote memory slow?
  numalab show epyc-9654-2p --origins           what of it was measured?
  numalab show loadbal --origins                what of it is assumed?
  numalab show hp8 --dot - | dot -Tpdf -o hp8.pdf
  numalab show loadbal --format yaml            the file with its comments and sources
  numalab show llvm
  numalab show --runtime llvm --format toml > runtimes/mine.toml
  numalab show \"socket:4 core:8\" --set machine.memory.latency=\"90 ns\" --format toml";
