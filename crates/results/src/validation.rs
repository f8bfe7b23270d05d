//! Published measurements, compared with simulated values.

// Glossary: role: Use of a measured or published value: parameters are fitted on `characterise` values;
//   `predict` values are compared only.

use serde::{Deserialize, Serialize};

/// All published values with the simulated ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// One row for each published value, in the order of their lists.
    pub rows: Vec<ValidationRow>,
    /// Scores by machine and experiment, in alphabetical order.
    #[serde(default)]
    pub scores: Vec<Score>,
    /// Scores by experiment, over all machines.
    #[serde(default)]
    pub experiments: Vec<Score>,
}

/// One published value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationRow {
    /// Short unique name.
    pub id: String,
    /// Publication of the value.
    pub source: String,
    /// The measured machine.
    pub machine: String,
    /// Experiment: the workload that is simulated for the value.
    pub experiment: String,
    /// Name of the measured quantity.
    pub quantity: String,
    /// `key=value` pairs that select the case, separated by semicolons.
    pub params: String,
    /// `characterise` if parameters may be fitted on it, `predict` if not.
    pub role: String,
    /// The published value. Of a range it is the end nearest to the simulated value, of several values
    /// the one with the largest error; `None` for an order.
    pub published: Option<f64>,
    /// The published value as text, if it is not one number: a range, a bound, several values, or an
    /// order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The simulated value; `None` if no experiment covers the row, and for an order.
    pub simulated: Option<f64>,
    /// The simulated order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Unit of both values.
    pub unit: String,
    /// `simulated / published − 1`; zero inside a range.
    pub error: Option<f64>,
    /// Largest `|error|` that passes.
    pub tolerance: f64,
    /// True if it passes; `None` if it cannot be judged.
    pub within: Option<bool>,
    /// Known reason for a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Remark for the reader.
    pub note: String,
}

/// Summary of the errors of some rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The machine; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The experiment.
    pub experiment: String,
    /// Number of published values.
    pub values: u64,
    /// Number of values among these that were simulated.
    pub simulated: u64,
    /// Number of values among these that are within their tolerance.
    pub within: u64,
    /// Median of `|error|`.
    pub median_error: Option<f64>,
    /// Largest `|error|`.
    pub worst_error: Option<f64>,
    /// Name of the row with the largest error.
    pub worst: Option<String>,
    /// Kendall's rank correlation (tau-b) of published and simulated values of one machine and
    /// quantity.
    pub tau: Option<f64>,
    /// Number of pairs of these whose published values differ by more than 5 %.
    pub gaps: u64,
    /// Number of pairs among these that the simulator has in the same order.
    pub gaps_ordered: u64,
}
