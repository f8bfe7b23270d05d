//! `numalab places`.

use super::Output;
use super::names::Name;
use clap::{Args, ValueEnum, ValueHint};
use numalab_tours::tour;
use std::path::PathBuf;

/// Print a place list in which consecutive places are near each other
///
/// One place for each NUMA node, in the order of a short closed tour through all of them: with
/// OMP_PROC_BIND=close consecutive threads then run on the same node or on near ones.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Places {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// Distances between the nodes: CSV, or what "numactl --hardware" prints [default: the latencies of
    /// the machine]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub from_matrix: Option<PathBuf>,

    /// Whose tour to take
    #[arg(long, value_enum, default_value_t = TourAlgorithm::Best)]
    pub algorithm: TourAlgorithm,

    /// Change one value of the machine; repeat it for more
    #[arg(long = "set", value_name = "machine.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub output: Output,
}

/// Algorithm that looks for a tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TourAlgorithm {
    /// The nearest node that was not visited yet, from node 0
    Greedy,
    /// Spanning tree and matching: at most half as long again as the shortest
    Christofides,
    /// The shortest; for up to 20 nodes
    Exact,
    /// Improve the first two until no small change helps
    LocalSearch,
    /// exact where it is feasible, otherwise local-search
    Best,
}

impl TourAlgorithm {
    /// The algorithm for so many nodes.
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
  eval \"$(numalab places bcs16 | grep ^export)\"         set the environment at once
  numactl -H > here.txt; numalab places \"socket:4 core:8\" --from-matrix here.txt
  numalab places altix-uv --algorithm greedy --format json";
