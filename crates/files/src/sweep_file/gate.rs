//! Gates of a sweep: assertions about its results.

use super::{Word, WordsFile};
use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An assertion about points that differ in one coordinate, or about each point: `policy` (or `over` and `value`) and
/// `no_worse_than`, `baseline`, `order`, or `holds`. Fractions are written 5 % or 0.05.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateFile {
    /// The assertion in a few words.
    #[schemars(example = &"stealing is close to the best")]
    pub name: String,
    /// A filter: the points that it is about; all if absent.
    pub on: Option<String>,
    /// Value compared: `makespan` if absent; any figure, or a measure of the workload.
    #[schemars(example = &"makespan")]
    pub measure: Option<String>,
    /// Whether less of it is better, which it is if absent, or more.
    pub better: Option<BetterWord>,
    /// A policy that is no worse than others.
    #[schemars(example = &"dynamic")]
    pub policy: Option<String>,
    /// Another axis of the sweep in which the compared points differ; the policy if absent.
    #[schemars(example = &"machine.dsm.technique")]
    pub over: Option<String>,
    /// A value of that axis that is no worse than others.
    #[schemars(example = &"presend")]
    pub value: Option<Word>,
    /// `best`: all other values of the sweep. Or one, or a list of them: the best of these.
    pub no_worse_than: Option<WordsFile>,
    /// Fraction by which it may be worse; not at all if absent.
    #[schemars(example = &"5 %")]
    pub by: Option<Word>,
    /// A file of results, relative to this file, that the points are compared with; of the present `schema_version`.
    #[schemars(example = &"baselines/policies.csv")]
    pub baseline: Option<String>,
    /// Fraction by which a point may differ from the baseline; not at all if absent.
    #[schemars(example = &"1 %")]
    pub within: Option<Word>,
    /// Policies, or values of `over`, in order, the best first.
    pub order: Option<Vec<Word>>,
    /// Fraction below which a difference is a tie; none if absent.
    #[schemars(example = &"2 %")]
    pub tie: Option<Word>,
    /// A condition that holds for every point, of figures, measures and facts of the machine.
    #[schemars(example = &"bytes_machine < bytes_node")]
    pub holds: Option<Expression>,
}

/// The better of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BetterWord {
    /// The smaller.
    Less,
    /// The larger.
    More,
}
