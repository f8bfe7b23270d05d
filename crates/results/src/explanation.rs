//! Explanation of the time of a run.

use crate::{Binding, ByNode, Input, Replay, by_node};
use serde::{Deserialize, Serialize};

/// Causes of a run's time, and changes that would shorten it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// The simulated machine.
    pub machine: Input,
    /// The workload.
    pub workload: Input,
    /// The OpenMP runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Placement of all pages that replaced that of the workload; `None` for the workload's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Places and binding policies; `None` if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// Accuracy of the replay, for a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// Schedule of the run.
    pub policy: String,
    /// Number of threads.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Cause with the largest part of the lost time. Computing is not lost time. `None` if no time was
    /// lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
    /// Causes of the time. `own_ps` and `waited_ps` of all sum to threads × makespan, `path_ps` to the
    /// makespan.
    pub blame: Vec<Blame>,
    /// The measured phases.
    pub phases: Vec<ExplainedPhase>,
    /// Number of times that the critical path moves from one thread to another.
    pub handed_over: u64,
    /// Parallel fraction of the work, and the speedup that it allows.
    pub amdahl: Amdahl,
    /// Resources that delayed threads, by phase, worst first.
    pub hot_spots: Vec<HotSpot>,
    /// Bytes of each region by the node that held them, without data from caches.
    #[serde(default)]
    pub region_bytes: Vec<RegionBytes>,
    /// Times of cache lines by their distance.
    #[serde(default)]
    pub origins: Vec<OriginTimes>,
    /// Time lost to imperfections of the machine; `None` unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ideals: Option<Ideals>,
    /// Possible changes, best first.
    pub advice: Vec<Advice>,
    /// Number of tried changes without a gain, or that could not be simulated.
    pub tried: u64,
    /// Effects of faster computing in one phase.
    pub speedups: Vec<VirtualSpeedup>,
}

/// Bytes of a region by node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionBytes {
    /// Name of the region.
    pub region: String,
    /// Bytes that threads accessed, by the node that held them.
    #[serde(with = "by_node")]
    pub by_node: ByNode,
}

/// Times of cache lines from one distance. The time of a stream's lines follows from Little's law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OriginTimes {
    /// Smallest common unit of thread and data: `node`, `socket`, `board` or `machine`.
    pub level: String,
    /// Histogram: pairs of a step and bytes. Step `n` is for lines that took from 2^(n/4) to
    /// 2^((n+1)/4) picoseconds.
    pub steps: Vec<(u32, u64)>,
}

/// Cause with the largest part of the lost time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bottleneck {
    /// Name: a class of resources, or an activity.
    pub name: String,
    /// Fraction of threads × makespan.
    pub share: f64,
    /// The phase in which most of it was lost.
    pub phase: String,
    /// The resource to which most of it was lost; `None` if the cause is no resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Fraction of threads × makespan that was lost to that resource alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_share: Option<f64>,
    /// Start of the interval in which the time was lost, counted in the measured phases.
    pub from_ps: u64,
    /// End of that interval.
    pub to_ps: u64,
}

/// Time with one cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blame {
    /// Name of the phase.
    pub phase: String,
    /// Activity of the threads: `computing`, `memory`, `L1 cache`, `faults`, `kernel`, `address space`,
    /// `scanner`, `runtime` or `no work`.
    pub kind: String,
    /// The region whose data was waited for; `None` for other activities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Smallest common unit of thread and data: `node`, `socket`, `board` or `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The resource that limited the data's rate; `None` if latency did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Class of that resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Cause as in a run's bottleneck; `computing` if nothing is waited for.
    #[serde(default)]
    pub waits_for: String,
    /// Time of the threads with this activity.
    pub own_ps: u64,
    /// Time of other threads that waited for these.
    pub waited_ps: u64,
    /// Part of the critical path.
    pub path_ps: u64,
}

impl Blame {
    /// Total time of this cause.
    pub fn time_ps(&self) -> u64 {
        self.own_ps.saturating_add(self.waited_ps)
    }
}

/// A measured phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainedPhase {
    /// Name of the phase.
    pub name: String,
    /// Its time, with all repeats and rounds.
    pub time_ps: u64,
    /// Part of its time in which at most one thread did not wait for others.
    pub alone_ps: u64,
    /// Time of all threads that did not wait for others.
    pub busy_ps: u64,
}

/// Amdahl's law for the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amdahl {
    /// Fraction of the threads' work that takes place while other threads work.
    pub parallel_fraction: f64,
    /// Work divided by makespan: the mean number of busy threads.
    pub speedup: f64,
    /// Speedup that the fraction allows with this team.
    pub bound: f64,
    /// Speedup that it allows with unlimited threads; `None` if no work is serial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

/// A resource that delayed threads in a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HotSpot {
    /// Name of the phase.
    pub phase: String,
    /// Name of the resource.
    pub resource: String,
    /// Time lost there by threads and by others that waited for them.
    pub lost_ps: u64,
    /// Time of its first delay, counted in the measured phases.
    pub from_ps: u64,
    /// Time of its last delay.
    pub to_ps: u64,
}

/// Time lost to imperfections of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ideals {
    /// Makespan with all listed ideals.
    pub ideal_ps: u64,
    /// Number of simulated runs.
    pub runs: u64,
    /// Number of sampled orders of the ideals; `None` if all were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<u64>,
    /// The ideals; their shares sum to makespan − `ideal_ps`.
    pub shares: Vec<IdealShare>,
}

/// One ideal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdealShare {
    /// Short name of the ideal.
    pub name: String,
    /// Description of the ideal in words.
    pub description: String,
    /// Shapley value: its mean gain over all orders in which the ideals may be granted.
    pub share_ps: f64,
    /// Standard error of the share, if orders were sampled.
    pub error_ps: f64,
    /// Gain of this ideal alone.
    pub alone_ps: i64,
}

/// A simulated change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The change in words: one, or a pair.
    pub changes: Vec<String>,
    /// Makespan with the change.
    pub makespan_ps: u64,
    /// Fraction of the makespan that it saves.
    pub gain: f64,
    /// The gain at the other end of what the replay of a recording does not know. `None` for other
    /// workloads, and for gains below a hundredth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_gain: Option<f64>,
    /// Text to type for each of them: an option, or a piece of the workload's file.
    pub how: Vec<String>,
}

impl Advice {
    /// True if it helps at one end only, so that the effect is unknown.
    pub fn is_tie(&self) -> bool {
        self.other_gain.is_some_and(|other| other <= 0.0)
    }
}

/// Makespans with faster computing in one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VirtualSpeedup {
    /// Name of the phase.
    pub phase: String,
    /// One point for each fraction of the computing that is left out.
    pub points: Vec<SpeedupPoint>,
}

/// One point of a curve of virtual speedup.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedupPoint {
    /// Fraction of the computing that is left out.
    pub faster: f64,
    /// Makespan without it.
    pub makespan_ps: u64,
}
