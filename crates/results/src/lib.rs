//! Output records: flat, unit-suffixed, versioned. No dependency on the simulator's core, so that
//! other programs can read results with this crate alone.

mod by_node;
mod chart;
mod distances;
mod figures;
mod frame;
mod frame_comparison;
mod gate;
mod host_validation;
mod layout;
mod model;
mod pareto;
mod place_list;
mod protocol;
mod rank;
mod series;
mod sweep;
mod tasks;
mod thread_placement;
mod validation;

pub use by_node::ByNode;
pub use chart::{Chart, ChartAxis, ChartLine, ChartPanel, Mark};
pub use distances::{Deviation, DistanceTable, Reference};
pub use figures::{Busiest, Figures};
pub use frame::{Cell, CellKind, Column, Frame, Role};
pub use frame_comparison::{Change, FrameComparison, PolicyChange};
pub use gate::{Broken, GateReport, Verdict, Violation};
pub use host_validation::{HostRow, HostValidation};
pub use layout::{Layout, Sharing};
pub use model::{Model, ModelArray, ModelPhase, ModelPoint, Roof};
pub use pareto::{Objective, ParetoFront, ParetoPoint};
pub use place_list::{PlaceList, TourRecord};
pub use protocol::{NeverRow, ProtocolRow, ProtocolTable, Word};
pub use rank::{Better, RankRow, RankTable};
pub use series::{Measure, Point, PointRun, Series, Summary};
pub use sweep::{Contest, Entrant, SweepSummary};
pub use tasks::{Executed, Finding, TaskSum};
pub use thread_placement::{PlacementRecord, ThreadPlacement};
pub use validation::{Validation, ValidationRow};

use serde::{Deserialize, Serialize};

/// Raised when a field changes its meaning or goes away; new fields do not raise it.
pub const SCHEMA_VERSION: u32 = 1;

/// One invocation: a machine, a workload, and a run for every policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// See [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of every random stream.
    pub seed: u64,
    /// Machine of the run.
    pub machine: Input,
    /// Nesting of the machine's nodes.
    #[serde(default)]
    pub layout: Layout,
    /// Workload of the run.
    pub workload: Input,
    /// Where all pages were told to go, whatever the workload says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Binding of the threads, if anything was said about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// The OpenMP runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// One for each policy, in the order asked for.
    pub runs: Vec<Run>,
}

/// Where an input came from and what decided it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Its short name.
    pub name: String,
    /// BLAKE3 of the fully resolved configuration, in hexadecimal.
    pub hash: String,
    /// `--set` overrides that applied to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
    /// The fully resolved configuration.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub resolved: serde_json::Value,
}

/// Values of `OMP_PLACES` and `OMP_PROC_BIND`, wherever they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The places, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<String>,
    /// The policies, with commas between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proc_bind: Option<String>,
}

/// Work of the engine in the measured phases, in units that no host changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineCounts {
    /// Resources, bundles and flows that the fluid solver looked at.
    pub solver_visits: u64,
    /// Segments of caches, and gaps between them, that accesses met.
    pub cache_visits: u64,
    /// Operations of programs that synchronise.
    pub operations: u64,
}

/// One policy on one team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The policy's name, as typed.
    pub policy: String,
    /// Size of the team.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Events that the engine processed in the measured phases.
    pub events: u64,
    /// Counts of what the engine looked at for them. Says nothing about the machine, and is no part of the output.
    #[serde(skip)]
    pub engine: EngineCounts,
    /// Time that the same work takes on one thread of the machine, alone, with all its data local.
    /// `threads × makespan` is this, the work-time inflation, the team's overhead and its idle time.
    #[serde(default)]
    pub sequential_equivalent_ps: u64,
    /// Time that the team computed and waited for memory beyond that: remote data and contention.
    #[serde(default)]
    pub work_time_inflation_ps: i64,
    /// Time of all threads in the runtime and in the operating system.
    #[serde(default)]
    pub overhead_ps: u64,
    /// Time that all threads waited for others.
    #[serde(default)]
    pub idle_ps: u64,
    /// Cache lines that moved for synchronisation in the measured phases.
    #[serde(default)]
    pub transactions: u64,
    /// Counts of the tasks, where there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TaskSum>,
    /// Findings: what stands out, each with its evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Measures that the workload reads off its runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureValue>,
    /// Bytes by the closest level that thread and data share.
    pub bytes_by_level: BytesByLevel,
    /// Bytes that the cores' own caches served; they appear by no node.
    #[serde(default)]
    pub cached_bytes: u64,
    /// The measured phases, each with all its repeats and rounds.
    #[serde(default)]
    pub phases: Vec<PhaseSum>,
    /// One for each thread, in thread order.
    pub team: Vec<Member>,
    /// Every resource that carried a byte, in the machine's order.
    pub resources: Vec<Resource>,
}

/// Something that a workload reads off a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureValue {
    /// Its name.
    pub name: String,
    /// Its unit; `1` where it has none.
    pub unit: String,
    /// Its value in that unit; `None` where the run does not yield it.
    pub value: Option<f64>,
}

/// Sums of one measured phase, all its repeats and rounds together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseSum {
    /// Its name.
    pub name: String,
    /// Time that it took.
    pub time_ps: u64,
    /// Bytes accessed.
    pub bytes: u64,
    /// Bytes among these from another node than the thread's.
    pub remote_bytes: u64,
    /// Bytes among these from the cores' own caches.
    pub cached_bytes: u64,
    /// Pages placed at their first touch.
    pub pages_faulted: u64,
    /// Pages moved to another node.
    pub pages_moved: u64,
}

impl PhaseSum {
    /// Adds what happened between two readings.
    pub fn grow(&mut self, before: &PhaseSum, after: &PhaseSum) {
        self.time_ps += after.time_ps - before.time_ps;
        self.bytes += after.bytes - before.bytes;
        self.remote_bytes += after.remote_bytes - before.remote_bytes;
        self.cached_bytes += after.cached_bytes - before.cached_bytes;
        self.pages_faulted += after.pages_faulted - before.pages_faulted;
        self.pages_moved += after.pages_moved - before.pages_moved;
    }
}

/// Bytes by the closest level that the reading thread and the data's home node share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BytesByLevel {
    /// Same NUMA node.
    pub node: u64,
    /// Same socket, another node.
    pub socket: u64,
    /// Same board, another socket.
    pub board: u64,
    /// Another board, or another socket where there are no boards.
    pub machine: u64,
}

impl BytesByLevel {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.node + self.socket + self.board + self.machine
    }
}

/// One thread. The four times sum to the makespan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// OpenMP thread number.
    pub thread: u32,
    /// The operating system's processor number.
    pub processor: u32,
    /// Its NUMA node.
    pub node: u32,
    /// Executing instructions.
    pub compute_ps: u64,
    /// Waiting for memory.
    pub stall_ps: u64,
    /// In the runtime: asking for chunks, stealing.
    pub overhead_ps: u64,
    /// Waiting for the others at the barrier.
    pub idle_ps: u64,
    /// Iterations executed.
    pub packages: u64,
    /// Iterations among these that were taken from another thread.
    pub stolen: u64,
    /// Bytes that the core's own caches served.
    #[serde(default)]
    pub cached_bytes: u64,
    /// Bytes accessed, by the node that held them.
    pub bytes_by_node: ByNode,
    /// Time spent computing on and waiting for them, by the node that held them.
    pub time_by_node_ps: ByNode,
}

/// One memory controller or link direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// Kind and place of the resource.
    pub name: String,
    /// Nominal capacity, without crowding.
    pub capacity_bytes_per_s: f64,
    /// Bytes that crossed it.
    pub bytes: u64,
    /// Time during which at least one flow crossed it.
    pub busy_ps: u64,
    /// Highest fraction of its capacity in use at any moment.
    pub peak_utilisation: f64,
}
