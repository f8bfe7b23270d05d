//! Flags of `numalab explain`.

use super::names::Name;
use super::view::ViewOutput;
use super::words::{PLACEMENT, POLICY, RegionPlacement};
use super::{Binding, Tools};
use clap::Args;
use numalab_openmp::ProcList;
use numalab_workload::Schedule;

/// Explain why a run takes as long as it does, and which changes make it shorter
///
/// First the time of all threads is divided by phase, region, distance and limiting resource. Time
/// at a barrier is charged to what the last thread does. Then the run is simulated again with one
/// cost removed, with two, and so on, which gives the cost of each; and with changes that you can
/// make: placement, schedule, binding, runtime.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Explain {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// A name from "numalab list", or a file
    #[arg(value_parser = Name::Workload, hide_possible_values = true)]
    pub workload: String,

    /// Fill in values that a topology lacks from a table of processor generations (see numalab help
    /// sim)
    #[arg(long)]
    pub assume: bool,

    /// Loop schedule [default: the first that the workload names]
    #[arg(long, short, value_name = "POLICY", value_parser = POLICY, hide_possible_values = true)]
    pub policy: Option<Schedule>,

    /// Team size [default: one thread per core, or per processor of --procs]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,

    /// Processors that the threads may run on, such as 0-7,16-23 or 0-62:2
    #[arg(long, value_name = "LIST")]
    pub procs: Option<ProcList>,

    #[command(flatten)]
    pub binding: Binding,

    #[command(flatten)]
    pub tools: Tools,

    /// Placement of all pages, or of the pages of one region; overrides the workload; repeat it for
    /// more regions
    #[arg(long = "placement", value_name = "[REGION=]POLICY", value_parser = PLACEMENT, hide_possible_values = true)]
    pub placements: Vec<RegionPlacement>,

    /// OpenMP runtime: a name from "numalab list", or a file [default: the workload's, or plain]
    #[arg(long, value_name = "RUNTIME", value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Only divide the time: simulate nothing again
    #[arg(long)]
    pub only_blame: bool,

    /// Seed of every random choice; the same seed gives the same bytes of output
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Change one value of the machine or the runtime, or one parameter of the workload; repeat it for more
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub replay: super::Replay,

    #[command(flatten)]
    pub output: ViewOutput,

    /// Runs to simulate at the same time [default: the number of processors of this computer]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  numalab explain bcs16 loadbal -p dynamic
      How much time the shared counter costs.
  numalab explain bcs16 cg --set workload.variant=serial_init -o cg.md
      As Markdown.
  numalab explain bcs16 loadbal -p dynamic -o why.html
      As a report for a browser: threads over time, traffic, reasons and advice on one page.
  numalab explain bcs16 loadbal -p dynamic --only-blame --format csv
      Every row of the time account.";
