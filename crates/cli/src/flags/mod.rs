//! Flags and arguments that can be typed. Parsed here and resolved in `commands`: nothing in this module opens a file.

mod binding;
mod calibrate;
mod compare;
mod completions;
mod distances;
mod list;
mod model;
mod names;
mod new;
mod output;
mod pareto;
mod place_threads;
mod places;
mod plot;
mod protocol;
mod rank;
mod schema;
mod show;
mod sim;
mod slurm;
mod sweep;
mod tools;
mod validate;
mod view;
mod words;

pub use binding::Binding;
pub use calibrate::{
    Calibrate, CalibrateExport, CalibrateFit, CalibrateRun, CalibrateStep, CalibrateSynthesize,
};
pub use compare::Compare;
pub use completions::Completions;
pub use distances::Distances;
pub use list::List;
pub use model::Model;
pub use new::New;
pub use output::{Format, Output};
pub use pareto::Pareto;
pub use place_threads::{PlaceThreads, ThreadAlgorithm};
pub use places::Places;
pub use plot::Plot;
pub use protocol::{Protocol, ProtocolFormat};
pub use rank::Rank;
pub use schema::{Kind, Schema};
pub use show::{Show, ShownFormat, ShownKind};
pub use sim::Sim;
pub use slurm::Slurm;
pub use sweep::{Rows, Sweep};
pub use tools::Tools;
pub use validate::Validate;
pub use view::{Results, ViewFormat};
pub use words::RegionPlacement;

use clap::{Parser, Subcommand};

/// Simulates large shared-memory machines running OpenMP: which loop schedule to use on a machine
/// that you cannot book, what the wrong one costs, and why.
#[derive(Debug, Parser)]
#[command(name = "numalab", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    /// Command to run.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  numalab sim bcs16 loadbal             compare loop schedules on a 16-socket machine
  numalab sweep policies                which policy is best on which machine
  numalab show bcs16                    what that machine is
  numalab list                          what else there is
  numalab help sim                      everything that sim can do";

/// One for each verb.
#[derive(Debug, Subcommand)]
pub enum Command {
    Sim(Box<Sim>),
    Sweep(Sweep),
    List(List),
    Show(Show),
    New(New),
    Distances(Distances),
    Model(Model),
    Places(Places),
    PlaceThreads(PlaceThreads),
    Protocol(Protocol),
    Schema(Schema),
    Validate(Validate),
    Calibrate(Calibrate),
    Compare(Compare),
    Plot(Plot),
    Rank(Rank),
    Pareto(Pareto),
    Completions(Completions),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
