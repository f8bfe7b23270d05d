//! Analytic models of a workload beside its simulation, over the size of the team.

use crate::Input;
use serde::{Deserialize, Serialize};

/// Two models of one workload on one machine under one policy.
///
/// For each phase the roofline says `max(bytes / bw(t), flops / peak(t))`, where an array that fits the
/// team's caches comes from memory once in each run of the loop. The extended roofline says `max(Σ over arrays accesses / bw(t, array), flops / peak(t)) +
/// sync(t)`, where an array that fits the team's caches comes from there. A workload is the sum of its
/// phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
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
    /// Schedule of its loops.
    pub policy: String,
    /// One for each size of the team.
    pub points: Vec<ModelPoint>,
    /// Lines of the roofline picture, from the fewest threads to the most.
    pub roofs: Vec<Roof>,
    /// Slopes of the picture for data that caches hold, the nearest cache first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache_roofs: Vec<CacheRoof>,
}

/// Simulation and models for one size of the team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelPoint {
    /// Size of the team.
    pub threads: u32,
    /// The simulated time.
    pub simulated_ps: u64,
    /// The roofline.
    pub roofline_ps: u64,
    /// The extended roofline.
    pub extended_ps: u64,
    /// `roofline / simulated − 1`; `None` where nothing took time.
    pub roofline_error: Option<f64>,
    /// `extended / simulated − 1`.
    pub extended_error: Option<f64>,
    /// Bandwidth of the team from memory, from the triad.
    pub bandwidth_bytes_per_s: f64,
    /// Peak of its cores.
    pub peak_flop_per_s: f64,
    /// One for each measured phase.
    pub phases: Vec<ModelPhase>,
}

/// A phase as the models see it: all its repeats and rounds together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelPhase {
    /// Its name.
    pub name: String,
    /// The simulated time.
    pub simulated_ps: u64,
    /// The roofline.
    pub roofline_ps: u64,
    /// The extended roofline.
    pub extended_ps: u64,
    /// Bytes that memory delivers and takes: of arrays that fit the team's last-level caches every byte once in
    /// each run of the loop, of others every access.
    pub bytes: u64,
    /// Floating-point operations; 0 where the workload does not say.
    pub flops: f64,
    /// Time of the construct with nothing in it: opening, sharing out, barriers, closing.
    pub sync_ps: u64,
    /// Accesses to each array.
    pub arrays: Vec<ModelArray>,
}

/// An array in the extended model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelArray {
    /// Name of the region.
    pub name: String,
    /// `read`, `write`, `streaming-write` or `update`.
    pub mode: String,
    /// Bytes of the region that one run of the loop touches.
    pub footprint_bytes: u64,
    /// Bytes accessed, by all runs of the loop.
    pub bytes: u64,
    /// Bandwidth of the team when each thread passes its part of this array in this way again and again.
    pub bandwidth_bytes_per_s: f64,
}

/// The roof over a part of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Roof {
    /// Owner of the roof: `1 core`, `1 node`, `16 nodes`.
    pub name: String,
    /// Cores in it.
    pub cores: u32,
    /// The slope: what these cores stream from their own memory.
    pub bandwidth_bytes_per_s: f64,
    /// The flat part: what they compute at their peak.
    pub peak_flop_per_s: f64,
}

/// The slope for data that one level of the caches holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheRoof {
    /// Level of the cache; 1 is next to the core.
    pub level: u8,
    /// Rate at which all cores of the machine together stream from it.
    pub bandwidth_bytes_per_s: f64,
}

impl ModelPoint {
    /// Bytes of all phases.
    pub fn bytes(&self) -> u64 {
        self.phases.iter().map(|phase| phase.bytes).sum()
    }

    /// Floating-point operations of all phases.
    pub fn flops(&self) -> f64 {
        self.phases.iter().map(|phase| phase.flops).sum()
    }

    /// Operations for each byte; `None` where either is zero.
    pub fn intensity(&self) -> Option<f64> {
        let (flops, bytes) = (self.flops(), self.bytes());
        (flops > 0.0 && bytes > 0).then(|| flops / bytes as f64)
    }
}
