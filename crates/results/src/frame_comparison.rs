//! Rows of results beside earlier ones: which points changed, and by how much.

use serde::Serialize;

/// Two files of results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameComparison {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The first file, as typed.
    pub a: String,
    /// The second.
    pub b: String,
    /// Tolerance: a value that differs by no more than this fraction has not changed.
    pub within: f64,
    /// Whether replicas were compared by their medians, since the two have other seeds.
    pub medians: bool,
    /// Points that both have.
    pub points: u64,
    /// Points among these of which anything changed.
    pub changed_points: u64,
    /// Values that changed, in the order of the first file.
    pub changes: Vec<Change>,
    /// Points that only the first file has.
    pub only_a: Vec<String>,
    /// Points that only the second has.
    pub only_b: Vec<String>,
    /// Changes of each policy, by each measure.
    pub policies: Vec<PolicyChange>,
}

impl FrameComparison {
    /// Whether the two say the same about the same points.
    pub fn same(&self) -> bool {
        self.changes.is_empty() && self.only_a.is_empty() && self.only_b.is_empty()
    }
}

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Place of the change: coordinates without the policy.
    pub point: String,
    /// Under which policy.
    pub policy: String,
    /// Name of the value, such as `makespan`.
    pub measure: String,
    /// Its unit, seconds for times.
    pub unit: String,
    /// The value in the first file.
    pub a: Option<f64>,
    /// And in the second.
    pub b: Option<f64>,
    /// `b / a - 1`; nothing where one of them is missing, without bounds beside 0.
    pub change: Option<f64>,
}

/// All points of a policy together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyChange {
    /// Name of the policy.
    pub policy: String,
    /// Name of the value.
    pub measure: String,
    /// Points that have it in both files.
    pub points: u64,
    /// Points among these where it fell by more than the tolerance.
    pub less: u64,
    /// And where it grew.
    pub more: u64,
    /// Geometric mean of `b / a` over all of these points; nothing unless all are above 0.
    pub mean_ratio: Option<f64>,
}
