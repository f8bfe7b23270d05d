//! Verdicts of a gate: assertions about a sweep, and the points that violate them.

use serde::Serialize;

/// All assertions of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// Name of the sweep.
    pub sweep: String,
    /// Name of its file, as typed.
    pub file: String,
    /// Number of points of the sweep.
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
    /// Name of the assertion.
    pub name: String,
    /// The assertion in words.
    pub rule: String,
    /// The line of the file on which it begins.
    pub line: u32,
    /// Name of the compared value, such as `makespan`; empty for a condition.
    pub measure: String,
    /// Unit of the value, seconds for times.
    pub unit: String,
    /// Number of comparisons.
    pub checked: u64,
    /// Violations, in the order of the points.
    pub violations: Vec<Violation>,
    /// Why it could not be checked: no point matches, or its baseline cannot be read.
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
    /// Coordinates without the compared one, such as `bcs16 · loadbal · 128 threads`.
    pub point: String,
    /// Policy, or value of the compared coordinate, that violates the assertion.
    pub policy: String,
    /// Kind of the violation.
    #[serde(flatten)]
    pub broken: Broken,
}

/// Kinds of violation of an assertion.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Broken {
    /// A value is too far from another.
    Beside {
        /// The value, in the verdict's unit.
        value: f64,
        /// Name of the compared item: another policy, or `baseline`.
        reference: String,
        /// Value of the compared item.
        reference_value: f64,
        /// `value / reference_value - 1`; infinite if the reference is 0.
        change: f64,
        /// Allowed change, as a fraction.
        limit: f64,
    },
    /// A condition is false.
    Condition {
        /// Names in the condition, each with its value.
        values: Vec<(String, f64)>,
    },
}
