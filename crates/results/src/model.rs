//! Analytic models of a workload, compared with its simulation over the number of threads.

use crate::Input;
use serde::{Deserialize, Serialize};

/// Two models of one workload on one machine under one policy.
///
/// The roofline of a phase is `max(bytes / bw(t), flops / peak(t))`, where an array that fits the team's caches is
/// read from memory once in each run of the loop. The extended roofline is `max(Σ over arrays: bytes accessed / bw(t,
/// array), flops / peak(t)) + sync(t)`, where such an array is read from the caches. A workload is the sum of its
/// phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
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
    /// Schedule of the workload's loops.
    pub policy: String,
    /// One point for each number of threads.
    pub points: Vec<ModelPoint>,
    /// Lines of the roofline picture, from the fewest threads to the most.
    pub roofs: Vec<Roof>,
    /// Slopes of the picture for cached data, nearest cache first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache_roofs: Vec<CacheRoof>,
}

/// Simulated time and model times for one number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelPoint {
    /// Size of the OpenMP team.
    pub threads: u32,
    /// Simulated time.
    pub simulated_ps: u64,
    /// Time predicted by the roofline model.
    pub roofline_ps: u64,
    /// Time predicted by the extended roofline model.
    pub extended_ps: u64,
    /// `roofline / simulated − 1`; `None` if the simulated time is zero.
    pub roofline_error: Option<f64>,
    /// `extended / simulated − 1`; `None` if the simulated time is zero.
    pub extended_error: Option<f64>,
    /// Memory bandwidth of the team in the triad.
    pub bandwidth_bytes_per_s: f64,
    /// Peak floating-point rate of the team's cores.
    pub peak_flop_per_s: f64,
    /// Times and traffic of each measured phase.
    pub phases: Vec<ModelPhase>,
}

/// A phase in the models, with all its repeats and rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelPhase {
    /// Name of the phase, as in the workload file.
    pub name: String,
    /// Simulated time.
    pub simulated_ps: u64,
    /// Time predicted by the roofline model.
    pub roofline_ps: u64,
    /// Time predicted by the extended roofline model.
    pub extended_ps: u64,
    /// Memory traffic in bytes: arrays that fit the team's last-level caches count once in each run of
    /// the loop, others at every access.
    pub bytes: u64,
    /// Floating-point operations; 0 if the workload does not give them.
    pub flops: f64,
    /// Time of the parallel construct without work: opening, scheduling, barriers, closing.
    pub sync_ps: u64,
    /// Footprint and bandwidth of each array that the phase accesses.
    pub arrays: Vec<ModelArray>,
}

/// Accesses to one array in the extended model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelArray {
    /// Name of the allocation, as in the workload file.
    pub name: String,
    /// `read`, `write`, `streaming-write` or `update`.
    pub mode: String,
    /// Bytes of the region that one run of the loop touches.
    pub footprint_bytes: u64,
    /// Bytes accessed by all runs of the loop.
    pub bytes: u64,
    /// Bandwidth of the team if each thread repeatedly accesses its part of the array in this `mode`.
    pub bandwidth_bytes_per_s: f64,
}

/// The roof of some cores of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Roof {
    /// The cores: `1 core`, `1 node`, `16 nodes`.
    pub name: String,
    /// Number of cores under the roof.
    pub cores: u32,
    /// Slope of the roof: bandwidth of the cores from local memory.
    pub bandwidth_bytes_per_s: f64,
    /// Flat part of the roof: peak floating-point rate of the cores.
    pub peak_flop_per_s: f64,
}

/// Slope of the roof for data in one cache level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheRoof {
    /// Level of the cache; 1 is next to the core.
    pub level: u8,
    /// Bandwidth of all cores of the machine together from caches of this level.
    pub bandwidth_bytes_per_s: f64,
}

impl ModelPoint {
    /// Memory traffic of all phases in bytes.
    pub fn bytes(&self) -> u64 {
        self.phases.iter().map(|phase| phase.bytes).sum()
    }

    /// Floating-point operations of all phases.
    pub fn flops(&self) -> f64 {
        self.phases.iter().map(|phase| phase.flops).sum()
    }

    /// Arithmetic intensity: operations per byte of memory traffic; `None` if either is zero.
    pub fn intensity(&self) -> Option<f64> {
        let (flops, bytes) = (self.flops(), self.bytes());
        (flops > 0.0 && bytes > 0).then(|| flops / bytes as f64)
    }
}
