//! Effects of values that are not known exactly.

use serde::{Deserialize, Serialize};

/// Makespans with one value at the ends of its tolerance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Influence {
    /// Path of the value, as `--set` takes it.
    pub path: String,
    /// `measured`, `sheet`, `assumed` or `default`.
    pub origin: String,
    /// Largest relative error: a value `v` lies between `v / (1 + within)` and `v (1 + within)`.
    pub within: f64,
    /// Makespan with the smallest possible value.
    pub at_least_ps: u64,
    /// Makespan with the largest possible value.
    pub at_most_ps: u64,
    /// Command that measures the value on the machine; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

impl Influence {
    /// Largest change of the makespan, as a part of `makespan_ps`.
    pub fn effect(&self, makespan_ps: u64) -> f64 {
        let largest = self.at_least_ps.abs_diff(makespan_ps).max(self.at_most_ps.abs_diff(makespan_ps));
        largest as f64 / makespan_ps.max(1) as f64
    }
}
