//! Reasons for the time that a run takes.

use crate::{Binding, ByNode, Input, Replay, by_node};
use serde::{Deserialize, Serialize};

/// Why a run takes as long as it does, and what would make it shorter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of every random stream.
    pub seed: u64,
    /// Machine of the run.
    pub machine: Input,
    /// Workload of the run.
    pub workload: Input,
    /// The OpenMP runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Placement of all pages, where the workload's was replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Places and policies, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// Worth of the answer, where it is about a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// The schedule.
    pub policy: String,
    /// Size of the team.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Cause that most of the lost time waited for: computing is not lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
    /// Reasons for the time; `own_ps` and `waited_ps` of all sum to threads × makespan, `path_ps` to the makespan.
    pub blame: Vec<Blame>,
    /// The measured phases.
    pub phases: Vec<ExplainedPhase>,
    /// Number of times that the critical path goes from one thread to another.
    pub handed_over: u64,
    /// The part of the work that is shared out, and what it allows.
    pub amdahl: Amdahl,
    /// Resources that delayed somebody, by phase, the worst first.
    pub hot_spots: Vec<HotSpot>,
    /// Bytes of each region by the node that held them; what caches delivered is left out.
    #[serde(default)]
    pub region_bytes: Vec<RegionBytes>,
    /// Times that cache lines took, by where they came from.
    #[serde(default)]
    pub origins: Vec<OriginTimes>,
    /// Losses of the run to what is not ideal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ideals: Option<Ideals>,
    /// Changes that could be made, the best first.
    pub advice: Vec<Advice>,
    /// Changes that were tried and gained nothing, or could not be simulated.
    pub tried: u64,
    /// Gains of faster computing in one phase.
    pub speedups: Vec<VirtualSpeedup>,
}

/// Bytes of a region by node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionBytes {
    /// The region.
    pub region: String,
    /// Bytes that threads accessed, by the node that held them.
    #[serde(with = "by_node")]
    pub by_node: ByNode,
}

/// Times of cache lines that came from one distance: of each stream, how long its lines took by Little's law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OriginTimes {
    /// The closest level that thread and data share: `node`, `socket`, `board` or `machine`.
    pub level: String,
    /// Pairs of a step and bytes: lines that took from 2^(step/4) to 2^((step+1)/4) picoseconds.
    pub steps: Vec<(u32, u64)>,
}

/// Cause that most of the lost time waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bottleneck {
    /// Its name: a class of resources, or what a thread was doing.
    pub name: String,
    /// Part of threads × makespan.
    pub share: f64,
    /// The phase in which most of it was lost.
    pub phase: String,
    /// The resource that most of it was lost to, where it was lost to resources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Part of threads × makespan that was lost to that resource alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_share: Option<f64>,
    /// Begin of the time in which the share was lost, among the measured phases.
    pub from_ps: u64,
    /// Until when.
    pub to_ps: u64,
}

/// Time that goes to one reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blame {
    /// Name of the phase.
    pub phase: String,
    /// Activity of the threads: `computing`, `memory`, `L1 cache`, `faults`, `kernel`, `address space`, `scanner`,
    /// `runtime` or `no work`.
    pub kind: String,
    /// The region that was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The closest level that thread and data share: `node`, `socket`, `board` or `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The resource that kept the data from coming sooner; without one it is the latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Resources of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The same as a run's bottleneck would name it; `computing`, if nothing is waited for.
    #[serde(default)]
    pub waits_for: String,
    /// Time of the threads to which it happened.
    pub own_ps: u64,
    /// Time of others who waited for these threads meanwhile.
    pub waited_ps: u64,
    /// Part of the critical path.
    pub path_ps: u64,
}

impl Blame {
    /// All time that goes to it.
    pub fn time_ps(&self) -> u64 {
        self.own_ps.saturating_add(self.waited_ps)
    }
}

/// A measured phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainedPhase {
    /// Its name.
    pub name: String,
    /// Its time, with all repeats and rounds.
    pub time_ps: u64,
    /// Time of it in which at most one thread did not wait for others.
    pub alone_ps: u64,
    /// Time of all threads that did not wait for others.
    pub busy_ps: u64,
}

/// Amdahl's law: the part of the work that the team shares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amdahl {
    /// Part of the threads' work that takes place while others work as well.
    pub parallel_fraction: f64,
    /// Work over makespan: so many threads are busy in the mean.
    pub speedup: f64,
    /// Speedup that the fraction allows with this team.
    pub bound: f64,
    /// Speedup that it allows with any team; none, if no work is done alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

/// A resource that delayed somebody in a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HotSpot {
    /// The phase.
    pub phase: String,
    /// The resource.
    pub resource: String,
    /// Time that threads lost there, and others who waited for them.
    pub lost_ps: u64,
    /// Instant at which it first delayed somebody, in the time of the measured phases.
    pub from_ps: u64,
    /// Instant of its last delay.
    pub to_ps: u64,
}

/// Losses of a run to what is not ideal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ideals {
    /// Makespan with everything ideal that is listed.
    pub ideal_ps: u64,
    /// Runs that were simulated.
    pub runs: u64,
    /// Orders of the ideals that were looked at; none, if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<u64>,
    /// Each ideal; the shares sum to makespan − `ideal_ps`.
    pub shares: Vec<IdealShare>,
}

/// One ideal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdealShare {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its Shapley value: what it gains in the mean over all orders in which the ideals may come.
    pub share_ps: f64,
    /// Standard error of that, where orders were sampled.
    pub error_ps: f64,
    /// Gain of the ideal alone.
    pub alone_ps: i64,
}

/// A change that was simulated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The changes, in words: one, or a pair.
    pub changes: Vec<String>,
    /// Makespan with them.
    pub makespan_ps: u64,
    /// Part of the makespan that they save.
    pub gain: f64,
    /// The same at the other end of what the replay of a recording does not know; absent elsewhere, and where the gain is
    /// below a hundredth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_gain: Option<f64>,
    /// Wording of each of them: an option, or a piece of the workload's file.
    pub how: Vec<String>,
}

impl Advice {
    /// Whether it helps at one end and not at the other, so that nobody knows.
    pub fn is_tie(&self) -> bool {
        self.other_gain.is_some_and(|other| other <= 0.0)
    }
}

/// Makespans with faster computing in one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VirtualSpeedup {
    /// The phase.
    pub phase: String,
    /// One for each part of the computing that is left out.
    pub points: Vec<SpeedupPoint>,
}

/// One point of a curve of virtual speed-up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedupPoint {
    /// Part of the computing that is left out.
    pub faster: f64,
    /// The makespan.
    pub makespan_ps: u64,
}
