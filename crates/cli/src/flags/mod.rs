//! Command-line flags and arguments. They are parsed here and resolved in `commands`; nothing here
//! opens a file.

mod advise;
mod assume;
mod binding;
mod calibrate;
mod compare;
mod completions;
mod deferred;
mod distances;
mod examined;
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

pub use advise::Advise;
pub use assume::Assume;
pub use binding::Binding;
pub use calibrate::{
    Calibrate, CalibrateDoctor, CalibrateExport, CalibrateFit, CalibrateRun, CalibrateStep,
    CalibrateSynthesize,
};
pub use compare::Compare;
pub use completions::Completions;
pub use deferred::Deferred;
pub use distances::Distances;
pub use examined::Examined;
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
pub use words::{Policies, Policy, RegionPlacement};

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
    /// Run a workload on a machine under several policies and compare them
    ///
    /// The result is a table: the time of each policy, where its bytes came from, how long the team
    /// waited and for what. Below it, one bar per thread, divided by the node that held the data. If
    /// the workload has a series, over team sizes or over one of its parameters, the table has a row
    /// for each value and the picture is a curve.
    Sim(Deferred<Sim>),
    /// Explain why a run takes as long as it does, and which changes make it shorter
    ///
    /// First the time of all threads is divided by phase, region, distance and limiting resource. Time
    /// at a barrier is charged to what the last thread does. This is printed first. Then the run is
    /// simulated again with one cost removed, with two, and so on, which gives the cost of each; and
    /// with changes that you can make: placement, schedule, binding, runtime.
    Explain(Deferred<Explain>),
    /// Compare every loop schedule for each loop, and say what to type
    ///
    /// Each loop is simulated under every schedule, several times where times vary. The answer has the
    /// time of each, what it loses beside the best, which cannot be told apart, and the clause or
    /// variable that sets it; whether a runtime that learns the schedule while the program runs would
    /// pay; and changes of placement, binding and runtime, with the commands that make them.
    Advise(Deferred<Advise>),
    /// Run a grid of points: machines, workloads, policies, threads, and any other value
    ///
    /// A sweep file describes the points and the gates that they must pass. Results are stored as they
    /// arrive: a sweep that was interrupted, or is run again, runs only the missing points. A result is
    /// identified by its inputs: files, values, seed and the program version.
    Sweep(Deferred<Sweep>),
    /// List the machines, workloads and OpenMP runtimes that can be named without a path
    List(Deferred<List>),
    /// Describe a machine, a workload, an OpenMP runtime or a sweep
    ///
    /// For a machine: its tree, its totals, its graph, and the route between two nodes. For every kind:
    /// the file with its comments, or the same in another format.
    Show(Deferred<Show>),
    /// Write a template for your own machine, workload, OpenMP runtime or sweep
    ///
    /// It is written to the folder in which names are looked up, such as ./machines/NAME.toml, and runs
    /// as it is. Its comments explain each value and how to measure it.
    New(Deferred<New>),
    /// Measure the distances between a machine's NUMA nodes, beside those that its firmware reports
    ///
    /// For every pair of nodes: the idle latency of a miss, and the bandwidth that one core and all
    /// cores of one node read from the memory of the other on an otherwise idle machine. Firmware
    /// tables state latencies as multiples of a node's own, times 10. Compared with a measured matrix,
    /// the distance is 10 times the bandwidth of node 0 from its own memory, divided by theirs.
    Distances(Deferred<Distances>),
    /// Compare analytic models of a workload with its simulation: roofline and extended roofline
    ///
    /// The roofline is the larger of two times: bytes over the team's bandwidth, operations over the
    /// peak of its cores. The extended roofline uses a bandwidth for each array, by its size and access
    /// pattern, and adds the cost of starting and joining each loop. All of these are measured on the
    /// simulated machine.
    Model(Deferred<Model>),
    /// Print a place list in which consecutive places are close to each other
    ///
    /// One place per NUMA node, in the order of a short closed tour through all nodes: with
    /// OMP_PROC_BIND=close, consecutive threads run on the same node or on nearby ones.
    Places(Deferred<Places>),
    /// Choose a NUMA node for each thread from its accesses to each node
    ///
    /// Three algorithms: exhaustive finds the most local accesses, largest assigns the largest counts
    /// first and spreads them, critical-path balances the load of the nodes.
    PlaceThreads(Deferred<PlaceThreads>),
    /// Print a coherence protocol: what a line's directory does for each request in each state
    ///
    /// These are the tables that simulations run. The key "protocol" of a machine file selects one.
    Protocol(Deferred<Protocol>),
    /// Print the JSON Schema of a kind of file, for completion and checks in editors; or its reference
    /// as Markdown
    Schema(Deferred<Schema>),
    /// Compare measurements of real machines with simulated values
    ///
    /// Without a file: published measurements. Rows marked "characterise" were used to fit the machine
    /// files and must agree within 5 %. Rows marked "predict" were not used and may be off by 25 %:
    /// their error is what to expect of this program's answers. Rows that are ranges or orders are
    /// checked as such. Below the rows, each experiment shows how much of the measured order is
    /// reproduced (Kendall's tau, and the number of gaps above 5 %), and each row beyond its limit its
    /// known reason.
    ///
    /// With a file of measurements and a machine file fitted to it: the measurements that the fit did
    /// not use. They must agree within 10 %, or within the measured spread if that is larger.
    Validate(Deferred<Validate>),
    Calibrate(Calibrate),
    /// Compare results of a sweep with earlier ones: which points changed, and by how much
    ///
    /// Points are matched by their coordinates. Rows with the same seed are compared one by one; if the
    /// two files have different seeds, medians over the seeds are compared.
    Compare(Deferred<Compare>),
    /// Draw results of a sweep: one column over another, as SVG or as an HTML page
    ///
    /// Lines over numbers, bars over words; both show the median of the replicas, with a band or a line
    /// from the smallest to the largest. Columns may be named without their unit or prefix: "makespan"
    /// is "makespan_ps", "packages" is "workload.packages". Every column that differs between points
    /// must be on an axis, a colour or a panel, or be fixed with --only, so that no mark mixes points.
    Plot(Deferred<Plot>),
    /// Rank policies over all points of a sweep, and count which beats which
    ///
    /// Points that differ only in their policy form a group. Within a group, policies are ranked by the
    /// median of their replicas; those whose ranges have values in common share ranks. A policy wins
    /// where its range has values in common with that of the best. The ratio
    /// says how many times worse than the best of its group a policy is; ratios are averaged
    /// geometrically. The win matrix gives the percentage of common groups in which one policy beats
    /// another; a tie counts half.
    Rank(Deferred<Rank>),
    /// List the points of a sweep that no other point beats in both of two columns
    ///
    /// A point is on the front unless another one is no worse in both columns and better in at least
    /// one. Replicas are represented by their median.
    Pareto(Deferred<Pareto>),
    Record(Record),
    Trace(TraceFile),
    /// Print a completion script for a shell
    Completions(Deferred<Completions>),
    /// Print a manual page, or write all of them into a folder
    Man(Deferred<Man>),
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
