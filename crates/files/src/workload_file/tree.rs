//! Key `tasks:` of a phase: tasks that create tasks, a grammar of kinds. `tasks.rs` has the key of a loop.

use super::loops::TouchFile;
use super::tasks::{AffinityFile, DependFile};
use crate::quantity::{Expression, ScheduleText, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tasks that create tasks. Expressions of a kind may use its arguments and `depth`, the number of tasks
/// above; arguments are any finite numbers. What a task does depends on its arguments alone, so a task
/// that many create is worked out once.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeFile {
    /// The first tasks.
    pub root: RootFile,
    /// Kinds of task, by name.
    pub kinds: BTreeMap<String, KindFile>,
    /// A policy of tasks; `compared`, the default, is the policy being compared.
    #[serde(default)]
    pub schedule: ScheduleText,
    /// Threads that create the first tasks: `single`, the first thread all; `parallel`, every thread those of its
    /// static share; or the name of a parameter with these words. `single` if absent.
    #[schemars(example = &"single")]
    pub producers: Option<Text>,
    /// Instructions for each byte touched.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that a task keeps in flight; as many as the core sustains if absent.
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
}

/// One first task, or several.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RootFile {
    /// One.
    One(CallFile),
    /// Several.
    Several(Vec<CallFile>),
}

/// A task that is created, or a row of them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallFile {
    /// Kind of the task.
    #[schemars(example = &"fib")]
    pub task: String,
    /// A value for each of its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Expression>,
    /// A condition: no task where this is 0.
    #[schemars(example = &"k >= 2")]
    pub when: Option<Expression>,
    /// A task for each value of a variable of this name, which `arguments` and `when` may use.
    #[serde(rename = "for")]
    #[schemars(example = &"c")]
    pub variable: Option<String>,
    /// Its first value.
    #[schemars(example = &"0")]
    pub from: Option<Expression>,
    /// Its last value, in steps of 1; no task where it is less than the first.
    #[schemars(example = &"n - 1")]
    pub to: Option<Expression>,
}

/// A kind of task: what it does, in this order.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindFile {
    /// Names of its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Regions that it touches first: the whole region, or `length` bytes from `start`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<TouchFile>,
    /// Instructions before it creates others.
    #[schemars(example = &"30")]
    pub instructions: Option<Expression>,
    /// Tasks that it creates, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawn: Vec<CallFile>,
    /// Whether it then waits for those (`taskwait`).
    #[serde(default = "yes")]
    pub wait: bool,
    /// Instructions after that.
    #[schemars(example = &"10")]
    pub after: Option<Expression>,
    /// A condition: where it is not 0 no more tasks are created, and this task executes all that would
    /// follow from it, one after another.
    #[schemars(example = &"depth >= 4")]
    pub cutoff: Option<Expression>,
    /// Where it wants to run.
    pub affinity: Option<AffinityFile>,
    /// `depend` clauses of its creation: it begins when tasks of the same parent that its creation has to wait for are
    /// finished, whatever their kind. A task of its own then is created each time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<DependFile>,
}

fn yes() -> bool {
    true
}
