//! Flags of `numalab sim`.

use super::names::Name;
use super::words::{PLACEMENT, POLICIES, Policies, RegionPlacement};
use super::{Assume, Binding, Output, Tools, Trace};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use numalab_machine::Technique;
use numalab_openmp::ProcList;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Sim {
    /// A name from "numalab list", a file, a synthetic machine such as "board:4 socket:4 core:8", or "here"
    #[arg(value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true, required_unless_present = "machines")]
    pub machine: Option<String>,

    /// A name from "numalab list", or a file
    #[arg(value_name = "WORKLOAD", value_parser = Name::Workload, hide_possible_values = true, required_unless_present = "machines")]
    pub workload: Option<String>,

    /// Machine to compare with others in one table; repeat it for more. The workload may then be
    /// the only positional argument
    #[arg(long = "machine", value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub machines: Vec<String>,

    #[command(flatten)]
    pub assume: Assume,

    /// Policies to compare, separated by commas; repeat it for more [default: those that the
    /// workload names]
    ///
    /// static[,CHUNK], dynamic[,CHUNK], guided[,CHUNK], numa-steal:random, numa-steal:nearest or
    /// numa-steal:most-loaded; auto or runtime, as defined by the runtime; tasks, with the
    /// runtime's queues or with tasks:central, tasks:thread-local, tasks:hierarchical,
    /// tasks:locality or tasks:locality-strict; align, which differs from static only where nodes
    /// share pages in software. Or a policy file: a name from "numalab list", such as tss or fac2, or
    /// the path of one's own.
    #[arg(long = "policy", short, value_name = "POLICY", value_parser = POLICIES, hide_possible_values = true)]
    pub policies: Vec<Policies>,

    /// Technique of software-shared memory (DSM), in addition to page faults; several give one run
    /// each
    ///
    /// none, presend, preinvalidate, chopper or final. Sets machine.dsm.technique, or runs a series
    /// over it.
    #[arg(long, value_name = "TECHNIQUE,…", value_delimiter = ',', value_parser = PossibleValuesParser::new(Technique::NAMES))]
    #[arg(conflicts_with_all = ["series", "what_if"])]
    pub dsm: Vec<String>,

    /// Team size [default: one thread per core, or per processor of --procs]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,

    /// Processors that the threads may run on, such as 0-7,16-23 or 0-62:2
    ///
    /// If neither places nor a binding are given, the threads take them in the order of the list.
    #[arg(long, value_name = "LIST")]
    pub procs: Option<ProcList>,

    #[command(flatten)]
    pub binding: Binding,

    #[command(flatten)]
    pub tools: Tools,

    /// Placement of all pages, or of the pages of one region; overrides the workload; repeat it for
    /// more regions
    ///
    /// POLICY for all pages, REGION=POLICY for one region. The policies are first-touch,
    /// bind:NODES, preferred:NODE, preferred-many:NODES, interleave[:NODES],
    /// weighted-interleave[:NODES[:WEIGHT],…], hbw, fetch, migrate:NODE, next-touch, replicate, balancing or
    /// tiering. NODES are node numbers, and names of memory-only nodes, such as 0-3,6 or 0-1,cxl;
    /// "numalab show MACHINE" lists them.
    #[arg(long = "placement", value_name = "[REGION=]POLICY", value_parser = PLACEMENT, hide_possible_values = true)]
    pub placements: Vec<RegionPlacement>,

    /// OpenMP runtime: a name from "numalab list", or a file [default: the workload's, or plain]
    #[arg(long, value_name = "RUNTIME", value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// One run per value [default: the series of the workload, if it has one]; repeat it for curves
    ///
    /// WHAT is threads or a parameter of the workload, also workload.NAME; or policy, machine, machine.PATH, runtime,
    /// runtime.PATH, placement, places, proc_bind or procs, with a list of values A,B (A;B if the
    /// values contain commas). VALUES are a list such as 1,2,4,8, or a range: 0..128 in steps of 1,
    /// 0..128:8 in steps of 8, 1KiB..1GiB*2 by factors of 2. Bounds may be expressions:
    /// 1..threads*2. The workload's own series is dropped if --threads or --set fixes its
    /// parameter. Of two series, the first is the horizontal axis of the picture, and each value of the
    /// second is a curve.
    #[arg(long, value_name = "WHAT=VALUES")]
    pub series: Vec<String>,

    /// Compare the run without --set and the run with each --set in one table
    #[arg(long, conflicts_with = "series")]
    pub what_if: bool,

    /// Skip the run on one thread that work-time inflation is relative to
    ///
    /// That run costs about as much as one more policy, less for workloads of loops only. Without
    /// it, the reference is the best possible time of the same work: all data local on an otherwise
    /// idle machine.
    #[arg(long)]
    pub no_sequential: bool,

    /// Approximate nothing
    ///
    /// Where hundreds of accesses differ in the parts of their bytes on each node, as rows of
    /// interleaved pages do, these parts are rounded ("rounded accesses"). Where time steps, or
    /// passes through a lock or an atomic operation, take nearly equal times without being equal,
    /// samples of them stand for the rest ("repetitions estimated"). Rounding changes a makespan by
    /// less than 2 %. A sample is sure within 2 % of the steps that it knows, and within 3 % and what
    /// seeds differ in of the passes; it does not know steps that take another time later. With
    /// --exact such runs take up to 100 times as long.
    #[arg(long)]
    pub exact: bool,

    /// Number of runs of each policy: the nominal one, and replicas whose times vary as on a machine
    ///
    /// In a replica each piece of computing and each start of a thread takes a slightly other time
    /// (the machine's os.noise), and random draws are others. Median and range of the makespans are
    /// shown where they differ by more than 1 %. By default two runs; six where these differ by more
    /// than 1 %, or where a full resource costs a fifth of the team's time; fewer where a run takes
    /// seconds to simulate. --replicas 1 simulates the nominal run alone.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub replicas: Option<u32>,

    /// Further runs of each policy in which values of all three files differ within their tolerances
    /// [default of N: 24]
    ///
    /// Values that were measured, or are from data sheets, assumed or defaults, have tolerances, which
    /// "numalab show NAME --origins" lists. Each run draws all of them (a Latin hypercube) and varies
    /// times as a replica does. Ranges and the last sentence then hold for all these machines, and a
    /// table names the values that matter most to the fastest policy.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "24",
        conflicts_with = "replicas",
        value_parser = clap::value_parser!(u32).range(1..=1000)
    )]
    pub unsure: Option<u32>,

    /// One run, even if the workload has a series
    #[arg(long, conflicts_with = "series")]
    pub no_series: bool,

    /// Seed of every random choice; the same seed gives the same bytes of output
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Change one value of the machine or the runtime, or one parameter of the workload; repeat it
    /// for more
    ///
    /// VALUE is the new value, or x2 or x0.5 for a multiple of the value in the file.
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub replay: super::Replay,

    #[command(flatten)]
    pub output: Output,

    /// Also draw the picture to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,

    /// Content of the picture
    #[arg(long, value_enum, default_value_t = Picture::Schedule)]
    pub picture: Picture,

    #[command(flatten)]
    pub trace: Trace,

    /// Runs to simulate at the same time [default: the number of processors of this computer]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Policies whose threads are drawn below the table
    #[arg(long, value_enum, default_value_t = Bars::Few)]
    pub bars: Bars,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// Timeline of each thread's activities
    Schedule,
    /// Total time of each activity, per thread
    Sums,
    /// Faults by page and node, where nodes share pages in software
    Pages,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bars {
    /// Up to three policies: all; more: the best and the worst
    Few,
    /// Every policy
    All,
    /// No bars, only the table
    None,
}

impl From<Bars> for numalab_report::Bars {
    fn from(bars: Bars) -> numalab_report::Bars {
        match bars {
            Bars::Few => numalab_report::Bars::Few,
            Bars::All => numalab_report::Bars::All,
            Bars::None => numalab_report::Bars::None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  numalab sim bcs16 loadbal
      All policies that the workload names, with one thread per core.
  numalab sim bcs16 loadbal -p dynamic,16 -p numa-steal:nearest
      Only these two.
  numalab sim altix-uv loadbal --procs 0-7,10-17,20-27,30-37
      On eight of the ten cores of the first four sockets.
  numalab sim bcs16 loadbal --threads 16 --places sockets --proc-bind spread --display-affinity
      One thread per socket; the binding of each thread on standard error.
  numalab sim bcs16 loadbal --set machine.memory.bandwidth=\"18 GB/s\" --set workload.packages=62400
      What if memory were slower and the packages smaller?
  numalab sim \"board:104 socket:2 core:10\" loadbal --format json -o out.json
      A hypothetical machine; the figures of every thread as JSON.
  numalab sim loadbal --machine bcs16 --machine hp8 -p static -p numa-steal:nearest
      Two machines in one table.
  numalab sim bcs16 stream --set machine.link.xqpi.bandwidth=x2 --what-if
      Unchanged, and with links twice as fast.
  numalab sim bcs16 stream --series placement=first-touch,interleave
      Compare two page placements.
  numalab sim bcs16 epcc --series threads=1,8,64 --series runtime=intel-14,gcc-4.8 --svg curves.svg
      One curve for each runtime.
  numalab sim lstopo.xml loadbal --assume
      A machine of which only the topology is known.
  numalab sim bcs16 loadbal --svg slide.svg
      The picture, for a slide.
  numalab sim bcs16 loadbal -o report.html
      Timelines, traffic and the table as one page for a browser.
  numalab sim bcs16 loadbal -p dynamic --trace dynamic.pftrace
      The run over time, for ui.perfetto.dev.
  numalab sim bcs16 stream --series threads=1..threads*2 --placement interleave --svg curve.svg
      Bandwidth against the team size, with pages interleaved over the nodes.
  numalab sim hp8 memory_go_around --set workload.step=32
      Only one step of its series.

  numalab sim bcs16 loadbal --runtime gcc-4.8 --set runtime.lock.kind=mcs
      Another OpenMP runtime, with another lock.

Names are looked up in ./machines, ./workloads, ./runtimes and ./policies first, then in the built-in catalogue.
Exit status: 0, 1 when a result could not be written, 2 when a flag or a file is wrong.";
