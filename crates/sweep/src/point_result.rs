//! Stored result of a point.

use numalab_results::{Figures, MeasureValue};
use serde::{Deserialize, Serialize};

/// Figures and measures of a run, or the error of a failed run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointResult {
    /// Figures that every workload has; `None` if the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Values of the measures that the workload defines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureValue>,
    /// Error message of a failed run. Failures are stored like results, since the same inputs give the same error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl PointResult {
    /// Result of a failed run.
    pub fn failed(error: String) -> PointResult {
        PointResult { error: Some(error), ..PointResult::default() }
    }
}
