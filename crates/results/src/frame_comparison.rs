//! Comparison of two files of results: points that changed, and by how much.

use serde::Serialize;

/// Differences between two files of results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameComparison {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name of the first file, as typed.
    pub a: String,
    /// Name of the second file, as typed.
    pub b: String,
    /// Tolerance: values that differ by at most this fraction count as equal.
    pub within: f64,
    /// True if medians of replicas were compared, because the files have different seeds.
    pub medians: bool,
    /// Number of points that both files have.
    pub points: u64,
    /// Number of `points` with at least one changed value.
    pub changed_points: u64,
    /// Values that changed, in the order of the first file.
    pub changes: Vec<Change>,
    /// Points only in the first file.
    pub only_a: Vec<String>,
    /// Points only in the second file.
    pub only_b: Vec<String>,
    /// Changes summed up by policy and measure.
    pub policies: Vec<PolicyChange>,
}

impl FrameComparison {
    /// True if both files have the same points with equal values.
    pub fn same(&self) -> bool {
        self.changes.is_empty() && self.only_a.is_empty() && self.only_b.is_empty()
    }
}

/// A value that differs between the two files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Coordinates of the point without the policy.
    pub point: String,
    /// Policy of the point, as typed.
    pub policy: String,
    /// Name of the value, such as `makespan`.
    pub measure: String,
    /// Unit of the value; times are in seconds.
    pub unit: String,
    /// Value in the first file; `None` if missing.
    pub a: Option<f64>,
    /// Value in the second file; `None` if missing.
    pub b: Option<f64>,
    /// `b / a - 1`; `None` if a value is missing, infinite if `a` is 0.
    pub change: Option<f64>,
}

/// Change of one measure over all points of one policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyChange {
    /// The policy, as typed.
    pub policy: String,
    /// Name of the compared value, such as `makespan`.
    pub measure: String,
    /// Points that have the value in both files.
    pub points: u64,
    /// Number of `points` where the value fell by more than the tolerance.
    pub less: u64,
    /// Number of `points` where the value grew by more than the tolerance.
    pub more: u64,
    /// Geometric mean of `b / a` over all `points`; `None` unless all values are above 0.
    pub mean_ratio: Option<f64>,
}
