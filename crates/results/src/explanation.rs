//! Explanation of the time of a run.

use crate::{Binding, ByNode, Influence, Input, Replay, by_node};
use serde::{Deserialize, Serialize};

/// Causes of a run's time, and changes that would shorten it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// Machine after all `--set` overrides.
    pub machine: Input,
    /// Workload after all `--set` overrides.
    pub workload: Input,
    /// The OpenMP runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Placement of all pages that replaces the workload's placements; `None` if those apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Places and binding policies; `None` if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// Accuracy of the replay, for a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// Policy of the loops or tasks, as typed.
    pub policy: String,
    /// Size of the OpenMP team.
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
    /// Busy and serial time of each measured phase.
    pub phases: Vec<ExplainedPhase>,
    /// Number of times that the critical path moves from one thread to another.
    pub handed_over: u64,
    /// Parallel fraction of the work, and the speedup that it allows.
    pub amdahl: Amdahl,
    /// Resources that delayed threads, by phase, worst first.
    pub hot_spots: Vec<HotSpot>,
    /// Bytes of each region by the node that held them; data served by caches does not count.
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
    /// Number of simulated changes that gained nothing or could not be simulated.
    pub tried: u64,
    /// Effects of faster computing in one phase.
    pub speedups: Vec<VirtualSpeedup>,
    /// Values of machine and runtime that are not known exactly and change the makespan, the largest effect first;
    /// `None` if they were not simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influences: Option<Vec<Influence>>,
    /// Parts that did not fit the budget, or that the user stopped; `None` if nothing is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
}

/// Parts of an explanation that were not simulated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// True if time recovered by ideals is missing.
    pub ideals: bool,
    /// Number of changes, single or in pairs, that were not simulated to their end.
    pub changes: u64,
    /// Number of phases whose virtual speed-up is missing.
    pub phases: u64,
    /// True if the effects of unknown values are missing.
    #[serde(default)]
    pub values: bool,
}

impl LeftOut {
    /// True if anything is missing.
    pub fn is_any(&self) -> bool {
        self.ideals || self.changes > 0 || self.phases > 0 || self.values
    }
}

/// Bytes of a region by node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionBytes {
    /// Name of the allocation, as in the workload file.
    pub region: String,
    /// Bytes that threads accessed, by the node that held them.
    #[serde(with = "by_node")]
    pub by_node: ByNode,
}

/// Histogram of the time per cache line for data at one distance. For streams, the time follows from Little's law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OriginTimes {
    /// Smallest part of the machine that contains both thread and data: `node`, `socket`, `board` or `machine`.
    pub level: String,
    /// Pairs of a step of the histogram and the bytes in that step. Step `n` holds the lines that took from 2^(n/4)
    /// to 2^((n+1)/4) picoseconds.
    pub steps: Vec<(u32, u64)>,
}

/// Cause with the largest part of the lost time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bottleneck {
    /// The cause: a kind of resource such as `memory bandwidth`, or an activity.
    pub name: String,
    /// Fraction of threads × makespan that was lost to the cause.
    pub share: f64,
    /// The phase that lost most time to the cause.
    pub phase: String,
    /// The resource to which most of the time was lost; `None` if the cause is no resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Fraction of threads × makespan that was lost to `resource` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_share: Option<f64>,
    /// Start of the interval in which the time was lost, in picoseconds of measured time.
    pub from_ps: u64,
    /// End of the interval in which the time was lost.
    pub to_ps: u64,
}

/// Time of the team with one cause in one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blame {
    /// Name of the phase, as in the workload file.
    pub phase: String,
    /// Kind of the cause, such as `computing`, `memory`, `L1 cache`, `faults`, `kernel`, `address space`, `scanner`,
    /// `runtime`, `lock or turn` or `no work`.
    pub kind: String,
    /// The region whose data was waited for; `None` if the time is not about data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Smallest part of the machine that contains both thread and data: `node`, `socket`, `board` or `machine`.
    /// `None` if the time is not about data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The resource that limited the data's rate; `None` if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Kind of `resource`, such as links; `None` without a resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Cause as in a run's bottleneck; `computing` if nothing is waited for.
    #[serde(default)]
    pub waits_for: String,
    /// Time that threads themselves spent for this cause, summed over threads.
    pub own_ps: u64,
    /// Time that other threads waited for a thread while it spent time for this cause.
    pub waited_ps: u64,
    /// Time spent for this cause on the critical path.
    pub path_ps: u64,
}

impl Blame {
    /// Own time plus the waiting time of others.
    pub fn time_ps(&self) -> u64 {
        self.own_ps.saturating_add(self.waited_ps)
    }
}

/// Busy and serial time of a measured phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainedPhase {
    /// Name of the phase, as in the workload file.
    pub name: String,
    /// Time of the phase, with all its repeats and rounds.
    pub time_ps: u64,
    /// Part of `time_ps` in which at most one thread worked while the others waited.
    pub alone_ps: u64,
    /// Working time of all threads: everything but waiting for other threads.
    pub busy_ps: u64,
}

/// Amdahl's law for the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amdahl {
    /// Fraction of the threads' work that takes place while other threads work.
    pub parallel_fraction: f64,
    /// Work divided by makespan: the mean number of busy threads.
    pub speedup: f64,
    /// Amdahl limit: the speedup that `parallel_fraction` allows with the threads of the run.
    pub bound: f64,
    /// Speedup that `parallel_fraction` allows with unlimited threads; `None` if no work is serial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

/// A resource that delayed threads in a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HotSpot {
    /// Name of the phase, as in the workload file.
    pub phase: String,
    /// Kind and location of the resource, such as `memory of node 3`.
    pub resource: String,
    /// Time that threads lost at the resource, plus the time that others waited for them.
    pub lost_ps: u64,
    /// Start of the first delay, in picoseconds of measured time.
    pub from_ps: u64,
    /// End of the last delay.
    pub to_ps: u64,
}

/// Time lost to imperfections of the machine and the runtime: gains if each were ideal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ideals {
    /// Makespan without any of the imperfections in `shares`.
    pub ideal_ps: u64,
    /// Number of runs that were simulated to find the gains.
    pub runs: u64,
    /// Number of random orders of the ideals over which shares are averaged; `None` if all orders were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<u64>,
    /// The ideals; their shares sum to makespan − `ideal_ps`.
    pub shares: Vec<IdealShare>,
}

/// One idealised property of the machine, such as remote memory as near as local, and the time that it saves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdealShare {
    /// Short name of the ideal.
    pub name: String,
    /// The idealisation in words.
    pub description: String,
    /// Shapley value: mean gain over all orders in which the ideals may be added.
    pub share_ps: f64,
    /// Standard error of `share_ps`; 0 if no orders were sampled.
    pub error_ps: f64,
    /// Gain if only this property is ideal.
    pub alone_ps: i64,
}

/// A change of the workload or its run, simulated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The change in words: one entry, or two for a pair of changes.
    pub changes: Vec<String>,
    /// Makespan with the change.
    pub makespan_ps: u64,
    /// Fraction of the makespan that the change saves.
    pub gain: f64,
    /// Gain under the opposite assumption about what a recording leaves open, for replays only. `None` for other
    /// workloads, and if `gain` is below a hundredth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_gain: Option<f64>,
    /// Text to type for each of `changes`: an option, or lines for the workload file.
    pub how: Vec<String>,
    /// Command, variables of the environment or source lines that make each of `changes` on a real machine; `None`
    /// for changes without such.
    #[serde(default)]
    pub on_machine: Vec<Option<String>>,
}

impl Advice {
    /// True if the change helps under only one of the two assumptions about a replay, so that its effect is unknown.
    pub fn is_tie(&self) -> bool {
        self.other_gain.is_some_and(|other| other <= 0.0)
    }
}

/// Makespans with faster computing in one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VirtualSpeedup {
    /// Name of the phase, as in the workload file.
    pub phase: String,
    /// One point for each simulated reduction of the phase's computing time.
    pub points: Vec<SpeedupPoint>,
}

/// One point of a curve of virtual speedup.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedupPoint {
    /// Fraction by which the computing time of the phase is reduced.
    pub faster: f64,
    /// Makespan with the reduced computing time.
    pub makespan_ps: u64,
}
