//! Verdicts of a gate: assertions about a sweep, and the points that break them.

use serde::Serialize;

/// All assertions of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// The sweep's name.
    pub sweep: String,
    /// Its file, as typed.
    pub file: String,
    /// Points of the sweep.
    pub points: u64,
    /// Points that could not be simulated, each with the reason.
    pub failed: Vec<(String, String)>,
    /// One for each assertion, in the order of the file.
    pub verdicts: Vec<Verdict>,
}

impl GateReport {
    /// Whether every assertion holds and every point ran.
    pub fn passed(&self) -> bool {
        self.failed.is_empty() && self.verdicts.iter().all(Verdict::passed)
    }
}

/// One assertion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Its name.
    pub name: String,
    /// Assertion in words.
    pub rule: String,
    /// The line of the file on which it begins.
    pub line: u32,
    /// Name of the value compared, such as `makespan`; nothing where a condition says it.
    pub measure: String,
    /// Its unit, seconds for times.
    pub unit: String,
    /// Number of comparisons.
    pub checked: u64,
    /// Those that came out wrong, in the order of the points.
    pub violations: Vec<Violation>,
    /// Why it could not be held against the points: it met none, or its baseline cannot be read.
    pub problem: Option<String>,
}

impl Verdict {
    /// Whether it holds.
    pub fn passed(&self) -> bool {
        self.problem.is_none() && self.violations.is_empty()
    }
}

/// One point or comparison that came out wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Violation {
    /// Place of the violation: coordinates without the one compared, such as `bcs16 · loadbal · 128 threads`.
    pub point: String,
    /// Policy, or value of the coordinate compared, that breaks the assertion.
    pub policy: String,
    /// Manner of the violation.
    #[serde(flatten)]
    pub broken: Broken,
}

/// Manner in which an assertion is broken.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Broken {
    /// A value is too far from another.
    Beside {
        /// The value, in the verdict's unit.
        value: f64,
        /// Name of what it is compared with: another policy, or `baseline`.
        reference: String,
        /// The value of that.
        reference_value: f64,
        /// `value / reference_value - 1`; without bounds beside 0.
        change: f64,
        /// Change that was allowed, as a fraction.
        limit: f64,
    },
    /// A condition is false.
    Condition {
        /// Names in the condition, each with its value.
        values: Vec<(String, f64)>,
    },
}
