//! Summary of a sweep.

use serde::Serialize;

/// Counts of the points of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepSummary {
    /// Name of the sweep.
    pub sweep: String,
    /// The workload, if all points have the same; names of points then omit it.
    pub workload: Option<String>,
    /// Number of all points.
    pub points: u64,
    /// Points simulated in this invocation.
    pub ran: u64,
    /// Points with earlier results.
    pub known: u64,
    /// Points without a result.
    pub missing: u64,
    /// Points that could not be simulated, each with the reason.
    pub failed: Vec<(String, String)>,
    /// Policies on the same point, in the order of the points.
    pub contests: Vec<Contest>,
}

/// Policies on one point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contest {
    /// Name of the point, such as `bcs16 · loadbal · 128 threads`.
    pub point: String,
    /// Fastest first; ties in the order of the points.
    pub entrants: Vec<Entrant>,
}

/// A policy on a point, with all its replicas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entrant {
    /// Name of the policy.
    pub policy: String,
    /// Number of replicas with a result.
    pub replicas: u64,
    /// Median of their makespans.
    pub makespan_ps: f64,
    /// Shortest makespan.
    pub least_ps: f64,
    /// Longest makespan.
    pub most_ps: f64,
}

impl Entrant {
    /// Range of the replicas' makespans, as a fraction of the median.
    pub fn spread(&self) -> f64 {
        if self.makespan_ps > 0.0 { (self.most_ps - self.least_ps) / self.makespan_ps } else { 0.0 }
    }
}
