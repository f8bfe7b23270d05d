//! Key `tasks:` of a loop: its iterations become tasks. `tree.rs` has the key of a phase.

use crate::quantity::{Expression, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Division of a loop into tasks.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopTasksFile {
    /// Threads that create the tasks: `parallel`, every thread the tasks of its static share; `single`, the first
    /// thread all tasks; or the name of a parameter with these words. Absent: `parallel`, or `single` with `depends`.
    #[schemars(example = &"single")]
    pub producers: Option<Text>,
    /// Consecutive iterations in a task, as `taskloop grainsize`; 1 if absent.
    #[schemars(example = &"16")]
    pub grain: Option<Expression>,
    /// Data near which each task prefers to run.
    pub affinity: Option<AffinityFile>,
    /// `depend` clauses, evaluated for each iteration in order; none if empty. They need `producers = single`, the
    /// default with `depends`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<DependFile>,
}

/// An `affinity` clause: the task prefers to run near the home node of a byte.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AffinityFile {
    /// Name of the region.
    pub region: String,
    /// Offset of the byte in the region.
    #[schemars(example = &"4096 * i")]
    pub at: Expression,
}

/// A `depend` clause. Each expression yields the number of a list item, a whole number; a value that is negative or
/// not a number names no item.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DependFile {
    /// Waits for the last earlier task that writes the item.
    #[serde(rename = "in")]
    #[schemars(example = &"i - 1")]
    pub reads: Option<Expression>,
    /// Waits for the last earlier task that writes the item, and for all tasks that have read the item since.
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
