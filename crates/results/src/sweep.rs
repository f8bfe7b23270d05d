//! Summary of a sweep.

use serde::Serialize;

/// Numbers of points of a sweep by state, and the comparison of policies at each point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepSummary {
    /// Name of the sweep, from its file.
    pub sweep: String,
    /// The workload if all points have the same one, so that names of points omit it; otherwise `None`.
    pub workload: Option<String>,
    /// Number of planned points, whether run or not.
    pub points: u64,
    /// Points simulated in this invocation.
    pub ran: u64,
    /// Number of points whose results were stored before this invocation.
    pub known: u64,
    /// Number of points without a result.
    pub missing: u64,
    /// Points that could not be simulated, each with the reason.
    pub failed: Vec<(String, String)>,
    /// Comparison of the policies at each point, in the order of the points.
    pub contests: Vec<Contest>,
}

/// Comparison of the policies at one point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contest {
    /// Name of the point, such as `bcs16 · loadbal · 128 threads`.
    pub point: String,
    /// Policies at the point, the fastest first; ties in the order of the sweep.
    pub entrants: Vec<Entrant>,
}

/// A policy at a point, with all its replicas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entrant {
    /// The policy, as typed.
    pub policy: String,
    /// Number of replicas with a result.
    pub replicas: u64,
    /// Median of the replicas' makespans.
    pub makespan_ps: f64,
    /// Shortest makespan of a replica.
    pub least_ps: f64,
    /// Longest makespan of a replica.
    pub most_ps: f64,
    /// True if a slower policy cannot be told apart from the fastest: the ranges of their replicas have values in
    /// common.
    pub tied: bool,
}

impl Entrant {
    /// Range of the replicas' makespans, as a fraction of the median.
    pub fn spread(&self) -> f64 {
        if self.makespan_ps > 0.0 { (self.most_ps - self.least_ps) / self.makespan_ps } else { 0.0 }
    }
}
