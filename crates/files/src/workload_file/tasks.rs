//! Key `tasks:` of a loop: its iterations become tasks. `tree.rs` has the key of a phase.

use crate::quantity::{Expression, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Division of a loop into tasks.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopTasksFile {
    /// Threads that create them: `parallel`, every thread those of its static share; `single`, the first thread
    /// all; or the name of a parameter with these words. `parallel` if absent, `single` with `depends`.
    #[schemars(example = &"single")]
    pub producers: Option<Text>,
    /// Consecutive iterations in a task, as `taskloop grainsize`; 1 if absent.
    #[schemars(example = &"16")]
    pub grain: Option<Expression>,
    /// Where each task wants to run.
    pub affinity: Option<AffinityFile>,
    /// Dependences of each iteration's task, in the order in which one thread creates them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<DependFile>,
}

/// An `affinity` clause: near the home of a byte.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AffinityFile {
    /// Name of the region.
    pub region: String,
    /// The byte.
    #[schemars(example = &"4096 * i")]
    pub at: Expression,
}

/// A `depend` clause. Each expression yields the number of a list item, a whole number; none where it is
/// negative or not a number.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DependFile {
    /// Waits for the last task before that writes the item.
    #[serde(rename = "in")]
    #[schemars(example = &"i - 1")]
    pub reads: Option<Expression>,
    /// Waits for the last task before that writes the item, and for those that read it since.
    #[serde(rename = "out")]
    #[schemars(example = &"i")]
    pub writes: Option<Expression>,
    /// The same as `out`.
    #[serde(rename = "inout")]
    #[schemars(example = &"i")]
    pub updates: Option<Expression>,
}

impl DependFile {
    /// For each key of the clause: the key, its expression if present, and true if it writes the list item.
    pub fn expressions(&self) -> [(&'static str, Option<&Expression>, bool); 3] {
        [
            ("in", self.reads.as_ref(), false),
            ("out", self.writes.as_ref(), true),
            ("inout", self.updates.as_ref(), true),
        ]
    }
}
