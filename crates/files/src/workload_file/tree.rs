//! Key `tasks:` of a phase: tasks that create tasks, a grammar of kinds. `tasks.rs` has the key of a loop.

use super::loops::{CriticalFile, TouchFile};
use super::tasks::{AffinityFile, DependFile};
use crate::quantity::{Expression, ScheduleText, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tasks that create tasks. Expressions of a kind may use its arguments and `depth`, the number of tasks above;
/// arguments are any finite numbers. The work of a task depends only on its arguments, so a task that several tasks
/// create is computed once.
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
    /// Threads that create the first tasks: `single`, the first thread all tasks; `parallel`, every thread the tasks
    /// of its static share; or the name of a parameter with these words. Absent: `single`.
    #[schemars(example = &"single")]
    pub producers: Option<Text>,
    /// Instructions for each byte touched.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that a task keeps in flight. Absent: as many as the core sustains.
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
}

/// One first task, or several.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RootFile {
    /// One first task, or one row of first tasks.
    One(CallFile),
    /// Several first tasks.
    Several(Vec<CallFile>),
}

/// A task to create, or a row of tasks.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallFile {
    /// Kind of the task.
    #[schemars(example = &"fib")]
    pub task: String,
    /// Values of the task's arguments, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Expression>,
    /// Condition: no task if this is 0.
    #[schemars(example = &"k >= 2")]
    pub when: Option<Expression>,
    /// Name of a variable: one task is created for each value of the variable. `arguments` and `when` may use it.
    #[serde(rename = "for")]
    #[schemars(example = &"c")]
    pub variable: Option<String>,
    /// First value of the variable.
    #[schemars(example = &"0")]
    pub from: Option<Expression>,
    /// Last value of the variable, which grows in steps of 1; no task if the last value is less than the first.
    #[schemars(example = &"n - 1")]
    pub to: Option<Expression>,
    /// Instead of `from` and `to`, a whole number from 0 to 2^53 - 1: one task is created for each bit that is set in
    /// it, and the variable is the bit's place, from the lowest, which is 0.
    #[serde(rename = "in")]
    #[schemars(example = &"free")]
    pub bits: Option<Expression>,
}

/// A kind of task. A task does the following, in the order of the keys.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindFile {
    /// Names of the kind's arguments, at most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Names for expressions of the arguments, which the other values of the kind can use. Names may use each other.
    #[schemars(example = &serde_json::json!({ "half": "n / 2" }))]
    #[serde(rename = "let", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Expression>,
    /// Regions that the task touches first: the whole region, or `length` bytes from `start`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<TouchFile>,
    /// Bytes of data that the task gets as copies of its own, as by `firstprivate`, at most 1 GiB: the thread that
    /// creates the task copies them, and another thread that executes it fetches them. Tasks under a `cutoff` have none.
    #[schemars(example = &"board")]
    pub firstprivate: Option<Expression>,
    /// Instructions before the task creates others.
    #[schemars(example = &"30")]
    pub instructions: Option<Expression>,
    /// Section after these instructions in which tasks exclude each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<CriticalFile>,
    /// Tasks that the task creates, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawn: Vec<CallFile>,
    /// True if the task waits for its children (`taskwait`) before `after`.
    #[serde(default = "yes")]
    pub wait: bool,
    /// Instructions after the children were created and, with `wait`, have finished.
    #[schemars(example = &"10")]
    pub after: Option<Expression>,
    /// Further steps of the task, one after another: work, and then other children. `depends` holds between the children
    /// of all steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<StepFile>,
    /// Condition: if not 0, the task creates no tasks and executes the work of all its descendants itself, one after
    /// another.
    #[schemars(example = &"depth >= 4")]
    pub cutoff: Option<Expression>,
    /// Data near which the task prefers to run.
    pub affinity: Option<AffinityFile>,
    /// `depend` clauses: the task begins after the tasks of the same parent on which it depends, of any kind, have
    /// finished. With `depends` each task is created separately.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<DependFile>,
}

/// A further step of a task, with the arguments and names of its kind.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepFile {
    /// Regions that the step touches first: the whole region, or `length` bytes from `start`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<TouchFile>,
    /// Instructions before the step creates tasks.
    #[schemars(example = &"9 * k")]
    pub instructions: Option<Expression>,
    /// Section after these instructions in which tasks exclude each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<CriticalFile>,
    /// Tasks that the step creates, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawn: Vec<CallFile>,
    /// True if the step waits for the children of the task (`taskwait`) before `after`.
    #[serde(default = "yes")]
    pub wait: bool,
    /// Instructions after the children were created and, with `wait`, have finished.
    #[schemars(example = &"10")]
    pub after: Option<Expression>,
}

fn yes() -> bool {
    true
}
