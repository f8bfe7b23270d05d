//! Published measurements beside simulated values.

// Glossary: role: Use of a measured or published value: parameters are fitted on `characterise` values;
//   `predict` values are compared only.

use serde::{Deserialize, Serialize};

/// Everything that was published, each with what the simulator says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// One for each published value, in the order of their lists.
    pub rows: Vec<ValidationRow>,
    /// Sums by machine and experiment, in alphabetic order.
    #[serde(default)]
    pub scores: Vec<Score>,
    /// Sums by experiment, all machines together.
    #[serde(default)]
    pub experiments: Vec<Score>,
}

/// One published value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationRow {
    /// Short unique name.
    pub id: String,
    /// Place where it was published.
    pub source: String,
    /// The machine that was measured.
    pub machine: String,
    /// Experiment that ran.
    pub experiment: String,
    /// Quantity that was measured.
    pub quantity: String,
    /// `key=value` pairs that select the case, separated by semicolons.
    pub params: String,
    /// `characterise` if parameters may be fitted on it, `predict` if not.
    pub role: String,
    /// The measurement: of a range the end that is nearest to the simulated value, of several values the one that is
    /// missed by most; `None` of an order.
    pub published: Option<f64>,
    /// Published value, where that is not one number: a range, a bound, several values, or an order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The simulator's value; `None` where no experiment covers the row yet, and of an order.
    pub simulated: Option<f64>,
    /// The order that the simulator finds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Unit of both.
    pub unit: String,
    /// `simulated / published − 1`; zero inside a range.
    pub error: Option<f64>,
    /// Largest `|error|` that passes.
    pub tolerance: f64,
    /// Whether it passes; `None` where there is nothing to judge.
    pub within: Option<bool>,
    /// The mechanism because of which it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Anything a reader should know.
    pub note: String,
}

/// Score of some rows: how well they are met.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The machine; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The experiment.
    pub experiment: String,
    /// Published values.
    pub values: u64,
    /// Values among these that were simulated.
    pub simulated: u64,
    /// Values among these that are within their limits.
    pub within: u64,
    /// Median of `|error|`.
    pub median_error: Option<f64>,
    /// The largest `|error|`.
    pub worst_error: Option<f64>,
    /// The row that it is of.
    pub worst: Option<String>,
    /// Kendall's rank correlation (tau-b) of published and simulated values of one machine and quantity.
    pub tau: Option<f64>,
    /// Pairs of these whose published values differ by more than 5 %.
    pub gaps: u64,
    /// Pairs among these that the simulator has in the same order.
    pub gaps_ordered: u64,
}
