//! A sweep at a glance.

use serde::Serialize;

/// Counts of the points of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepSummary {
    /// The sweep's name.
    pub sweep: String,
    /// The workload, if all points have the same; then it is not among the names of points.
    pub workload: Option<String>,
    /// All points.
    pub points: u64,
    /// Points among these that were simulated now.
    pub ran: u64,
    /// Points whose results were there already.
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
    /// The point, such as `bcs16 · loadbal · 128 threads`.
    pub point: String,
    /// The fastest first, equals in the order of the points.
    pub entrants: Vec<Entrant>,
}

/// A policy on a point, with all its replicas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entrant {
    /// Its name.
    pub policy: String,
    /// Replicas with a result.
    pub replicas: u64,
    /// The median of their makespans.
    pub makespan_ps: f64,
    /// The shortest.
    pub least_ps: f64,
    /// The longest.
    pub most_ps: f64,
}

impl Entrant {
    /// Spread of the replicas, as a fraction of their median.
    pub fn spread(&self) -> f64 {
        if self.makespan_ps > 0.0 { (self.most_ps - self.least_ps) / self.makespan_ps } else { 0.0 }
    }
}
