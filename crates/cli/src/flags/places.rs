//! Flags of `numalab places`.

use super::names::Name;
use super::{Assume, Output};
use clap::{Args, ValueEnum, ValueHint};
use numalab_tours::tour;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Places {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    #[command(flatten)]
    pub assume: Assume,

    /// Distances between the nodes: CSV, or the output of "numactl --hardware" [default: the
    /// latencies of the machine]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub from_matrix: Option<PathBuf>,

    /// Tour algorithm
    #[arg(long, value_enum, default_value_t = TourAlgorithm::Best)]
    pub algorithm: TourAlgorithm,

    /// Change one value of the machine; repeat it for more
    #[arg(long = "set", value_name = "machine.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TourAlgorithm {
    /// Always the nearest unvisited node, from node 0
    Greedy,
    /// Spanning tree and matching: at most 1.5 times the shortest tour
    Christofides,
    /// The shortest tour; for up to 20 nodes
    Exact,
    /// Local changes to the greedy and the Christofides tour until none shortens it
    LocalSearch,
    /// exact where it is feasible, otherwise local-search
    Best,
}

impl TourAlgorithm {
    /// The algorithm to run for a machine with `nodes` nodes.
    pub fn resolve(self, nodes: usize) -> tour::Algorithm {
        match self {
            TourAlgorithm::Greedy => tour::Algorithm::Greedy,
            TourAlgorithm::Christofides => tour::Algorithm::Christofides,
            TourAlgorithm::Exact => tour::Algorithm::Exact,
            TourAlgorithm::LocalSearch => tour::Algorithm::LocalSearch,
            TourAlgorithm::Best => tour::Algorithm::best(nodes),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  numalab places bcs16
  eval \"$(numalab places bcs16 | grep ^export)\"         set the environment
  numactl -H > here.txt; numalab places \"socket:4 core:8\" --from-matrix here.txt
  numalab places altix-uv --algorithm greedy --format json";
