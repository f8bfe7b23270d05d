//! Result of a run as plain values, from which other crates make records, tables and pictures.

// Glossary: outcome: Result of a run as plain values of the engine; compare *record*.

// Glossary: memory penalty: Work of a team less its ideal work: what remote data and contention cost.

// Glossary: ideal work: Time that a team's work takes at best: with what its caches delivered, all other
//   data local, and an otherwise idle machine.

mod by_node;
mod losses;
mod pages;

pub(crate) use by_node::NodeSums;
pub use losses::{Loss, LostTime};
pub(crate) use losses::{Losses, lose};
pub use pages::PageSharing;
pub(crate) use pages::faults;

use numalab_counts::{ByNode, BytesByLevel, EngineCounts, PhaseCounts, TaskCounts};
use numalab_machine::ResourceId;
use numalab_workload::Schedule;

/// Outcome of one schedule on one team, over the measured phases.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// Schedule of the phases that do not fix one.
    pub schedule: Schedule,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Number of events that the engine processed: threads that go on, ends of page copies and of services of a
    /// processor, scans, moves of threads, and messages about shared pages.
    pub events: u64,
    /// Cache lines that moved for synchronisation.
    pub transactions: u64,
    /// Work of the engine itself: visits of the flow solver and of the caches, operations of the runtime's programs.
    pub engine: EngineCounts,
    /// Shortest time of the team's work: same cached bytes, all other data local, no contention. `threads × makespan`
    /// is the sum of `ideal_work_ps`, the memory penalty, the team's overhead and the team's idle time.
    pub ideal_work_ps: u64,
    /// Additional time of the team's work for remote data and contention.
    pub memory_penalty_ps: i64,
    /// Time of all threads in the runtime and in the operating system.
    pub overhead_ps: u128,
    /// Time that all threads waited for other threads or for work.
    pub idle_ps: u128,
    /// Counts of tasks; `None` without tasks.
    pub tasks: Option<TaskCounts>,
    /// Counts of pages shared in software; `None` without such pages.
    pub pages: Option<PageSharing>,
    /// Bytes by the closest level that thread and data share.
    pub bytes_by_level: BytesByLevel,
    /// Bytes that the cores' own caches served; they are in no thread's `bytes_by_node`.
    pub cached_bytes: u64,
    /// One entry for each name of measured phases, with all their repeats and rounds.
    pub phases: Vec<PhaseCounts>,
    /// Lost time of the team by phase. Lost time and computing sum to the time of all threads, but for rounding.
    pub losses: Vec<Vec<LostTime>>,
    /// Outcome of each thread, in thread order.
    pub team: Vec<ThreadOutcome>,
    /// Resources that carried a byte, in the machine's order.
    pub resources: Vec<ResourceUse>,
    /// Resources that delayed a stream, in the order of their first delays.
    pub delays: Vec<ResourceDelay>,
    /// Routes that data took, from the first phase on, measured or not.
    pub reach: Reach,
}

/// Routes that data took. If no data took a route, making it ideal changes nothing. Routes that are ideal in this run
/// do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// True if data or requests crossed links or controllers of nodes.
    pub links: bool,
    /// True if data came from elsewhere than the thread's local memory.
    pub far: bool,
}

/// Outcome of a thread. The four times sum to the makespan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadOutcome {
    /// The operating system's processor number.
    pub processor: u32,
    pub node: u32,
    /// Time of executing instructions.
    pub compute_ps: u64,
    /// Time of waiting for memory.
    pub stall_ps: u64,
    /// Time in the runtime and in the operating system.
    pub overhead_ps: u64,
    /// Time of waiting for other threads or for work.
    pub idle_ps: u64,
    pub iterations: u64,
    /// Executed iterations of loops that were taken from another thread's share, and of tasks that another thread
    /// created.
    pub stolen: u64,
    /// Bytes that the core's own caches served.
    pub cached_bytes: u64,
    /// Bytes accessed, by the node that held the bytes.
    pub bytes_by_node: ByNode,
    /// Time of computing on data and of waiting for data, by the node that held the data.
    pub time_by_node_ps: ByNode,
}

/// Use of a resource, such as a memory controller or one direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceUse {
    pub resource: ResourceId,
    /// Kind and position of the resource.
    pub name: String,
    /// Nominal capacity, without crowding.
    pub capacity_bytes_per_s: f64,
    /// Bytes that crossed the resource.
    pub bytes: u64,
    /// Time during which at least one flow crossed the resource.
    pub busy_ps: u64,
    /// Highest fraction of the resource's capacity in use at any moment, 0 to 1.
    pub peak_utilisation: f64,
}

/// Delays of streams behind one resource that was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceDelay {
    pub resource: ResourceId,
    /// Time by which the resource delayed streams, summed over threads.
    pub late_ps: u128,
    /// Beginning of the delays, in the time of the measured phases.
    pub from_ps: u64,
    /// End of the delays, in the time of the measured phases.
    pub to_ps: u64,
}
