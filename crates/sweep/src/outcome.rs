//! Outcome of a point.

use numalab_results::{Figures, MeasureValue};
use serde::{Deserialize, Serialize};

/// Figures and measures, or why there are none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Figures that every run yields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Measures that the workload reads off the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureValue>,
    /// Why the run could not be completed. The same inputs give the same error, so it is as good a result as any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Outcome {
    /// A run that could not be completed.
    pub fn failed(error: String) -> Outcome {
        Outcome { error: Some(error), ..Outcome::default() }
    }
}
