//! Verdicts of a gate: assertions about a sweep, and the points that violate them.

use serde::Serialize;

/// Results of all assertions of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// Name of the sweep, from its file.
    pub sweep: String,
    /// Path of the sweep file, as typed.
    pub file: String,
    /// Number of points that were to run, including failed ones.
    pub points: u64,
    /// Points that could not be simulated, each with the reason.
    pub failed: Vec<(String, String)>,
    /// One verdict for each assertion, in the order of the file.
    pub verdicts: Vec<Verdict>,
}

impl GateReport {
    /// True if every assertion holds and every point ran.
    pub fn passed(&self) -> bool {
        self.failed.is_empty() && self.verdicts.iter().all(Verdict::passed)
    }
}

/// Result of one assertion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Name of the assertion, from the sweep file.
    pub name: String,
    /// The assertion as a sentence.
    pub rule: String,
    /// Line of the sweep file on which the assertion begins.
    pub line: u32,
    /// Name of the compared value, such as `makespan`; empty for a condition.
    pub measure: String,
    /// Unit of the value; times are in seconds.
    pub unit: String,
    /// Number of values compared, or points on which the condition was evaluated.
    pub checked: u64,
    /// Number of these that differ by more than is allowed, but whose ranges of replicas have values in common. They
    /// violate nothing.
    pub undecided: u64,
    /// Violations, in the order of the points.
    pub violations: Vec<Violation>,
    /// Reason why the assertion could not be checked: no point matches, or its baseline cannot be read. `None` if it
    /// was checked.
    pub problem: Option<String>,
}

impl Verdict {
    /// True if the assertion holds.
    pub fn passed(&self) -> bool {
        self.problem.is_none() && self.violations.is_empty()
    }
}

/// One point or comparison that violates an assertion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Violation {
    /// Coordinates of the point except the compared one, such as `bcs16 · loadbal · 128 threads`.
    pub point: String,
    /// Policy, or value of the compared coordinate, that violates the assertion.
    pub policy: String,
    /// Comparison or condition that failed, with its values.
    #[serde(flatten)]
    pub broken: Broken,
}

/// Kinds of violation of an assertion.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Broken {
    /// A value is too far from a reference value.
    Beside {
        /// The value, in the verdict's unit.
        value: f64,
        /// Name of the reference: another policy (or value of the compared coordinate), or `baseline`.
        reference: String,
        /// Value of the reference, in the verdict's unit.
        reference_value: f64,
        /// `value / reference_value - 1`; infinite if the reference is 0.
        change: f64,
        /// Allowed change, as a fraction.
        limit: f64,
    },
    /// The condition does not hold for the point.
    Condition {
        /// Names used in the condition, each with its value.
        values: Vec<(String, f64)>,
    },
}
