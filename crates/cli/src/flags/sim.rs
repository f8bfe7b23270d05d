//! `numalab sim`.

use super::names::Name;
use super::words::{PLACEMENT, POLICIES, Policies, RegionPlacement};
use super::{Binding, Output, Tools, Trace};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use numalab_machine::Technique;
use numalab_openmp::ProcList;
use std::path::PathBuf;

/// Run a workload on a machine under several policies and compare them
///
/// The answer is a table: how long each policy takes, where its bytes came from, how much of the
/// team waited and for what. Under it stands one bar per thread, split by the node that held the data.
/// A workload may ask for a series of runs, over threads or over one of its parameters: then the answer
/// has a row for each of them, and the picture is a curve.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Sim {
    /// A name from "numalab list", a file, a synthetic machine such as "board:4 socket:4 core:8", or "here"
    #[arg(value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true, required_unless_present = "machines")]
    pub machine: Option<String>,

    /// A name from "numalab list", or a file
    #[arg(value_name = "WORKLOAD", value_parser = Name::Workload, hide_possible_values = true, required_unless_present = "machines")]
    pub workload: Option<String>,

    /// A machine to compare with others in one table; repeat it for more. Then the workload alone may follow
    #[arg(long = "machine", value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub machines: Vec<String>,

    /// Take what is known of the processors' generation for what a topology does not say
    ///
    /// For machines of which only the shape is known: hwloc's XML (lstopo --of xml), lscpu, files of /sys, and "here", this
    /// computer. What was taken, and from where, comes first, on standard error.
    #[arg(long)]
    pub assume: bool,

    /// Policies to compare, with commas between them; repeat it for more [default: those that the workload names]
    ///
    /// static[,CHUNK], dynamic[,CHUNK], guided[,CHUNK], numa-steal:random, numa-steal:nearest or
    /// numa-steal:most-loaded; auto or runtime, as the runtime has it; tasks, with the runtime's queues, or
    /// with those named: tasks:central, tasks:thread-local, tasks:hierarchical, tasks:locality or
    /// tasks:locality-strict; align, which is static but where nodes share pages.
    #[arg(long = "policy", short, value_name = "POLICY", value_parser = POLICIES, hide_possible_values = true)]
    pub policies: Vec<Policies>,

    /// Technique of a memory that nodes share by pages, beside answering faults; of several, a run for each
    ///
    /// none, presend, preinvalidate, chopper or final: machine.dsm.technique, and a series over it.
    #[arg(long, value_name = "TECHNIQUE,…", value_delimiter = ',', value_parser = PossibleValuesParser::new(Technique::NAMES))]
    #[arg(conflicts_with_all = ["series", "what_if"])]
    pub dsm: Vec<String>,

    /// Size of the team [default: one thread for each core, or for each processor of --procs]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,

    /// Processors that the threads may run on, such as 0-7,16-23 or 0-62:2
    ///
    /// Where nothing is said about places and binding, the threads take them in the order of the list.
    #[arg(long, value_name = "LIST")]
    pub procs: Option<ProcList>,

    #[command(flatten)]
    pub binding: Binding,

    #[command(flatten)]
    pub tools: Tools,

    /// Policy of all pages, or of one region's, whatever the workload says; repeat it for more regions
    ///
    /// POLICY for all, REGION=POLICY for one. The policies are first-touch, bind:NODES, preferred:NODE,
    /// preferred-many:NODES, interleave[:NODES], weighted-interleave[:NODES[:WEIGHT],…], hbw, fetch, migrate:NODE,
    /// next-touch, balancing or tiering. NODES are numbers and names of nodes that are memory alone, such as 0-3,6
    /// or 0-1,cxl; "numalab show MACHINE" lists them.
    #[arg(long = "placement", value_name = "[REGION=]POLICY", value_parser = PLACEMENT, hide_possible_values = true)]
    pub placements: Vec<RegionPlacement>,

    /// The OpenMP runtime: a name from "numalab list", or a file [default: the workload's, or plain]
    #[arg(long, value_name = "RUNTIME", value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// A run for each of these values [default: the series of the workload, if it has one]
    ///
    /// WHAT is threads or a parameter of the workload; or policy, machine, machine.PATH, runtime, runtime.PATH, placement,
    /// places, proc_bind or procs, with a list of values, A,B or A;B where they have commas themselves. VALUES are such as 1,2,4,8; or a range such as 0..128
    /// in steps of 1, 0..128:8 in steps of 8, 1KiB..1GiB*2 by factors of 2. They may be expressions:
    /// 1..threads*2. The workload's own series is left out where --threads or --set fixes what it goes over.
    #[arg(long, value_name = "WHAT=VALUES")]
    pub series: Option<String>,

    /// Put the run without --set beside it, and each --set by itself, in one table
    #[arg(long, conflicts_with = "series")]
    pub what_if: bool,

    /// Leave out the run on one thread that work-time inflation is counted against
    ///
    /// It costs about as much as one more policy, less where there are loops alone. Without it the team's time is
    /// divided by what the same work takes at best, with all data local and nobody else on the machine.
    #[arg(long)]
    pub no_sequential: bool,

    /// One run, though the workload has a series
    #[arg(long, conflicts_with = "series")]
    pub no_series: bool,

    /// Seed of every random choice; the same seed gives the same bytes of output
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Change one value of the machine or the runtime, or one parameter of the workload; repeat it for more
    ///
    /// VALUE is the new value, or x2 or x0.5 for a multiple of the one in the file.
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub replay: super::Replay,

    #[command(flatten)]
    pub output: Output,

    /// Draw the picture into FILE as well; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,

    /// What the picture shows of every thread
    #[arg(long, value_enum, default_value_t = Picture::Schedule)]
    pub picture: Picture,

    #[command(flatten)]
    pub trace: Trace,

    /// Runs to simulate at the same time [default: as many as this computer has processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Under the table, which policies get a picture of their threads
    #[arg(long, value_enum, default_value_t = Bars::Few)]
    pub bars: Bars,
}

/// What the picture of a comparison shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// What it did when
    Schedule,
    /// How its time divides, whenever that was
    Sums,
    /// Faults by page and node, where nodes share pages in software
    Pages,
}

/// Policies that get bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bars {
    /// All of up to three policies; of more, the best and the worst
    Few,
    /// Every policy
    All,
    /// None: the table alone
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
      Every policy that the workload names, on one thread for each core.
  numalab sim bcs16 loadbal -p dynamic,16 -p numa-steal:nearest
      Only these two.
  numalab sim altix-uv loadbal --procs 0-7,10-17,20-27,30-37
      On eight of the ten cores of the first four sockets.
  numalab sim bcs16 loadbal --threads 16 --places sockets --proc-bind spread --display-affinity
      One thread on each socket; where every thread is, on standard error.
  numalab sim bcs16 loadbal --set machine.memory.bandwidth=\"18 GB/s\" --set workload.packages=62400
      What if memory were slower and the packages smaller?
  numalab sim \"board:104 socket:2 core:10\" loadbal --format json -o out.json
      A machine that nobody built; the numbers of every thread in full.
  numalab sim loadbal --machine bcs16 --machine hp8 -p static -p numa-steal:nearest
      Two machines in one table.
  numalab sim bcs16 stream --set machine.link.xqpi.bandwidth=x2 --what-if
      As it is, and with links twice as fast.
  numalab sim bcs16 stream --series placement=first-touch,interleave
      Where the pages should go.
  numalab sim lstopo.xml loadbal --assume
      A machine that nobody has measured.
  numalab sim bcs16 loadbal --svg slide.svg
      The picture, to go on a slide.
  numalab sim bcs16 loadbal -o report.html
      Timelines, traffic and the table as one page for a browser.
  numalab sim bcs16 loadbal -p dynamic --trace dynamic.pftrace
      The run over time, for ui.perfetto.dev.
  numalab sim bcs16 stream --series threads=1..threads*2 --placement interleave --svg curve.svg
      Bandwidths on 1, 2, 4 to 128 threads, with all pages round the nodes.
  numalab sim hp8 memory_go_around --set workload.step=32
      One step of its series alone.

  numalab sim bcs16 loadbal --runtime gcc-4.8 --set runtime.lock.kind=mcs
      Another OpenMP runtime, with another lock.

Names are looked up in ./machines, ./workloads and ./runtimes first, then in the built-in catalogue.
Exit status: 0, 1 when a result could not be written, 2 when something typed or a file is wrong.";
