//! Published measurements, compared with simulated values.

// Glossary: role: Use of a measured or published value: parameters are fitted on `characterise` values;
//   `predict` values are compared only.

use serde::{Deserialize, Serialize};

/// Published values with their simulated counterparts, and scores.
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

/// One published value with its simulated counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationRow {
    /// Unique name of the published value.
    pub id: String,
    /// Publication that states the value.
    pub source: String,
    /// Name of the measured machine.
    pub machine: String,
    /// Name of the experiment: the workload that is simulated for the value.
    pub experiment: String,
    /// Name of the measured quantity.
    pub quantity: String,
    /// `key=value` pairs that select the case, separated by semicolons.
    pub params: String,
    /// `characterise` if parameters may be fitted on the value, `predict` if not.
    pub role: String,
    /// The published value; of a range, the end nearest to the simulated value; of several values, the one with the
    /// largest error. `None` for an order.
    pub published: Option<f64>,
    /// The published value as text if it is a range, a bound, several values or an order; `None` for one number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The simulated value; `None` if no experiment covers the row, and for an order.
    pub simulated: Option<f64>,
    /// The simulated order, if the published value is an order; otherwise `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Unit of `published` and `simulated`.
    pub unit: String,
    /// `simulated / published − 1`; 0 inside a range; `None` without a simulated value or for an order.
    pub error: Option<f64>,
    /// Largest `|error|` that passes.
    pub tolerance: f64,
    /// True if the row passes; `None` if it cannot be judged.
    pub within: Option<bool>,
    /// Range around the simulated value in which the published value lies in nine of ten other predictions of the same
    /// kind; `None` for other rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Number of seeds that the row was simulated with. `simulated` is the value of the seed with the median error.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub seeds: u32,
    /// Least and largest simulated value over the seeds; `None` if all are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_seeds: Option<(f64, f64)>,
    /// Commands that repeat the runs of the row, in the order in which they were simulated. Empty if no run of a
    /// workload was simulated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// True if the machine or workload file states the value, or a formula computes it from the file: a check of the
    /// file, and no simulation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stated: bool,
    /// Known reason for a failure; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Remark on the value for the reader; may be empty.
    pub note: String,
}

fn one() -> u32 {
    1
}

/// True for a row that was simulated with one seed.
#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_one(seeds: &u32) -> bool {
    *seeds == 1
}

/// Summary of the errors of one experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Name of the machine; `None` for all machines together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Name of the experiment that the score is about.
    pub experiment: String,
    /// Number of published values of the experiment.
    pub values: u64,
    /// Number of `values` that were simulated.
    pub simulated: u64,
    /// Number of `values` whose error is within the tolerance.
    pub within: u64,
    /// Median of `|error|` over the simulated values; `None` without any.
    pub median_error: Option<f64>,
    /// Largest `|error|` of a simulated value; `None` without any.
    pub worst_error: Option<f64>,
    /// Name of the row with the largest error.
    pub worst: Option<String>,
    /// Kendall's rank correlation (tau-b) of published and simulated values, over pairs of values of one machine and
    /// quantity. `None` without pairs.
    pub tau: Option<f64>,
    /// Number of pairs of values of one machine and quantity whose published values differ by more than 5 %.
    pub gaps: u64,
    /// Number of `gaps` whose simulated values are in the same order as the published ones.
    pub gaps_ordered: u64,
}
