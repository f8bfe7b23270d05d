//! Command-line flags and arguments. They are parsed here and resolved in `commands`; nothing here
//! opens a file.

mod binding;
mod calibrate;
mod compare;
mod completions;
mod distances;
mod explain;
mod list;
mod man;
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
mod record;
mod replay;
mod schema;
mod show;
mod sim;
mod slurm;
mod sweep;
mod tools;
mod trace;
mod trace_file;
mod validate;
mod view;
mod words;

pub use binding::Binding;
pub use calibrate::{
    Calibrate, CalibrateDoctor, CalibrateExport, CalibrateFit, CalibrateRun, CalibrateStep,
    CalibrateSynthesize,
};
pub use compare::Compare;
pub use completions::Completions;
pub use distances::Distances;
pub use explain::Explain;
pub use list::List;
pub use man::Man;
pub use model::Model;
pub use new::New;
pub use output::{Form, Format, Output, picture};
pub use pareto::Pareto;
pub use place_threads::{PlaceThreads, ThreadAlgorithm};
pub use places::Places;
pub use plot::Plot;
pub use protocol::{Protocol, ProtocolFormat};
pub use rank::Rank;
pub use record::{Record, RecordExport, RecordStep};
pub use replay::Replay;
pub use schema::{Kind, Schema, SchemaFormat};
pub use show::{Show, ShownFormat, ShownKind};
pub use sim::{Picture, Sim};
pub use slurm::Slurm;
pub use sweep::{Rows, Sweep};
pub use tools::Tools;
pub use trace::{Trace, TraceForm};
pub use trace_file::{TraceCheck, TraceDump, TraceFile, TraceImport, TraceShow, TraceStep};
pub use validate::Validate;
pub use view::{Explained, Results, ViewFormat};
pub use words::{Policies, RegionPlacement};

use clap::{Parser, Subcommand};

/// Simulates large shared-memory machines running OpenMP: which loop schedule suits a machine, what
/// the wrong one costs, and why.
#[derive(Debug, Parser)]
#[command(name = "numalab", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  numalab sim bcs16 loadbal             compare loop schedules on a 16-socket machine
  numalab sweep policies                which policy is best on which machine
  numalab show bcs16                    describe that machine
  numalab list                          list machines, workloads, runtimes and sweeps
  numalab help sim                      all flags of sim";

#[derive(Debug, Subcommand)]
pub enum Command {
    Sim(Box<Sim>),
    Explain(Box<Explain>),
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
    Record(Record),
    Trace(TraceFile),
    Completions(Completions),
    Man(Man),
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
