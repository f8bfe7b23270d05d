//! Gates of a sweep: assertions about its results.

use super::{Word, WordsFile};
use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Assertion about points that differ in one coordinate, or about each point. A gate has one of: `policy` (or `over`
/// and `value`) with `no_worse_than`; `baseline`; `order`; `holds`. Fractions are written 5 % or 0.05.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateFile {
    /// Name of the gate: the assertion in a few words.
    #[schemars(example = &"stealing is close to the best")]
    pub name: String,
    /// Name of a filter that selects the points of the assertion. Absent: all points.
    pub on: Option<String>,
    /// Value compared: any figure, or a measure of the workload. Absent: `makespan`.
    #[schemars(example = &"makespan")]
    pub measure: Option<String>,
    /// `less` if smaller values are better, `more` if larger values are better. Absent: `less`.
    pub better: Option<BetterWord>,
    /// Policy that must not be worse than the policies in `no_worse_than`.
    #[schemars(example = &"dynamic")]
    pub policy: Option<String>,
    /// Axis of the sweep in which the compared points differ. Absent: the policy.
    #[schemars(example = &"machine.dsm.technique")]
    pub over: Option<String>,
    /// Value of the axis `over` that must not be worse than the values in `no_worse_than`.
    #[schemars(example = &"presend")]
    pub value: Option<Word>,
    /// `best` for all other values of the sweep; or a value or a list of values, of which the best is compared.
    pub no_worse_than: Option<WordsFile>,
    /// Fraction by which `policy` or `value` may be worse. Absent: 0.
    #[schemars(example = &"5 %")]
    pub by: Option<Word>,
    /// File of results with which the points are compared, relative to this file; it has the present
    /// `schema_version`.
    #[schemars(example = &"baselines/policies.csv")]
    pub baseline: Option<String>,
    /// Fraction by which a point may differ from the baseline. Absent: 0.
    #[schemars(example = &"1 %")]
    pub within: Option<Word>,
    /// Policies, or values of `over`, from the best to the worst.
    pub order: Option<Vec<Word>>,
    /// Fraction up to which a difference is a tie. Absent: 0.
    #[schemars(example = &"2 %")]
    pub tie: Option<Word>,
    /// Condition that must be true for every point. It can use figures, measures and facts of the machine.
    #[schemars(example = &"bytes_machine < bytes_node")]
    pub holds: Option<Expression>,
}

/// Direction in which a value improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BetterWord {
    /// Smaller values are better.
    Less,
    /// Larger values are better.
    More,
}
