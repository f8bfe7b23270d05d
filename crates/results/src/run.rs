//! One run: its totals, its phases, its threads and the resources that carried bytes.

// Glossary: work: Time that all threads together compute and wait for memory.

// Glossary: record: A result as it is written, with a version and units in its names; compare *outcome*.

// Glossary: makespan: Time of the measured phases.

use crate::{
    Bottleneck, ByNode, BytesByLevel, EngineCounts, Finding, PageSharing, PhaseCounts, Replicas, TaskCounts,
    TeamTime, by_node,
};
use serde::{Deserialize, Serialize};

/// Results of one policy with one team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Name of the policy, as typed.
    pub policy: String,
    /// Size of the OpenMP team.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Makespans of this run and of its replicas; `None` without replicas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<Replicas>,
    /// Makespans with other values of machine and runtime, which `replicas` includes; empty unless requested. The
    /// values are the same in all runs of a comparison.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sampled_ps: Vec<u64>,
    /// Events that the engine processed in the measured phases.
    pub events: u64,
    /// Work of the simulator itself. It does not describe the machine and is not written to files.
    #[serde(skip)]
    pub engine: EngineCounts,
    /// Time of the team's work if all data outside of caches were local and there were no contention. `threads ×
    /// makespan` is the sum of this time, the memory penalty, the team's overhead and its idle time.
    pub ideal_work_ps: u64,
    /// Time that the team works beyond `ideal_work_ps`, because of remote data and contention.
    pub memory_penalty_ps: i64,
    /// Time that one thread works (computes and waits for memory) if it executes the same program alone; `None` if
    /// that was not simulated. `threads × makespan` is the sum of this time, the work-time inflation, the team's
    /// overhead and its idle time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequential_ps: Option<u64>,
    /// Work-time inflation: work of all threads less `sequential_ps`. Negative if the caches of many threads hold
    /// data that those of one thread do not. `None` if one thread was not simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inflation_ps: Option<i64>,
    /// Time of all threads in the runtime and in the operating system.
    pub overhead_ps: TeamTime,
    /// Time that all threads waited for others.
    pub idle_ps: TeamTime,
    /// Cache lines that moved for synchronisation in the measured phases.
    pub transactions: u64,
    /// Cause with the largest part of the team's lost time; `None` if no time was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
    /// Counts of tasks; `None` without tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TaskCounts>,
    /// Counts of software shared memory; `None` on machines without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageSharing>,
    /// Diagnoses of the run, each with its evidence; may be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Values of the measures that the workload defines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureValue>,
    /// Bytes by distance: by the smallest part of the machine (node, socket, board) that contains both the reading
    /// thread and the data's home.
    pub bytes_by_level: BytesByLevel,
    /// Bytes served by the cores' own caches, which belong to no node.
    pub cached_bytes: u64,
    /// The measured phases, each with all its repeats and rounds.
    pub phases: Vec<PhaseCounts>,
    /// One entry for each thread, in thread order.
    pub team: Vec<Member>,
    /// Every resource that carried at least one byte, in the machine's order.
    pub resources: Vec<Resource>,
}

/// Value of a measure that a workload defines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureValue {
    /// Name of the measure, as in the workload file.
    pub name: String,
    /// Unit of `value`; `1` if it has none.
    pub unit: String,
    /// Value in that unit; `None` if the run does not yield it.
    pub value: Option<f64>,
}

impl Run {
    /// Work: time that all threads computed and waited for memory.
    pub fn work_ps(&self) -> u64 {
        self.ideal_work_ps.saturating_add_signed(self.memory_penalty_ps)
    }

    /// Stores the working time of one thread for the same program, and the work-time inflation.
    pub fn beside_one_thread(&mut self, sequential_ps: u64) {
        self.sequential_ps = Some(sequential_ps);
        let inflation = i128::from(self.work_ps()) - i128::from(sequential_ps);
        self.inflation_ps = i64::try_from(inflation).ok();
    }
}

/// One thread. Compute, stall, overhead and idle time sum to the makespan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// OpenMP thread number.
    pub thread: u32,
    /// The operating system's processor number.
    pub processor: u32,
    /// NUMA node of the processor.
    pub node: u32,
    /// Time of executing instructions.
    pub compute_ps: u64,
    /// Time of waiting for memory.
    pub stall_ps: u64,
    /// Time in the runtime and the operating system: requesting chunks, stealing, creating tasks.
    pub overhead_ps: u64,
    /// Time of waiting for other threads, such as at barriers.
    pub idle_ps: u64,
    /// Iterations that the thread executed, own and stolen ones.
    pub iterations: u64,
    /// Number of `iterations` that were stolen from another thread.
    pub stolen: u64,
    /// Bytes served by the core's own caches.
    pub cached_bytes: u64,
    /// Bytes accessed, by the node that held them.
    #[serde(with = "by_node")]
    pub bytes_by_node: ByNode,
    /// Time spent computing on and waiting for `bytes_by_node`, by the node that held the bytes.
    #[serde(with = "by_node")]
    pub time_by_node_ps: ByNode,
}

/// One memory controller or link direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// Kind and location of the resource, such as `memory of node 3`.
    pub name: String,
    /// Nominal capacity, without the slowdown under load.
    pub capacity_bytes_per_s: f64,
    /// Bytes that crossed the resource.
    pub bytes: u64,
    /// Time during which at least one flow crossed the resource.
    pub busy_ps: u64,
    /// Highest fraction of the capacity in use at any moment.
    pub peak_utilisation: f64,
}
