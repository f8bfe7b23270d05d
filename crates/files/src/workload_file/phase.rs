//! Phases of a workload: loops, constructs and trees of tasks.

use super::BindingFile;
use super::construct::ConstructFile;
use super::loops::{BodyFile, LoopFile};
use super::tree::TreeFile;
use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// Work of the team, run `repeat` times: a `loop`; a `construct` with or without a `body`; or `tasks` that
/// create tasks.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseFile {
    /// Name, used in messages, overrides and measures.
    #[schemars(example = &"work")]
    pub name: String,
    /// Whether its time is part of the makespan.
    #[serde(default)]
    pub measured: bool,
    /// Whether it runs once though the measured phases have rounds: before all rounds if no measured phase before it is
    /// repeated with them, else after all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// A condition: the phase is left out where this is 0.
    #[schemars(example = &"init == parallel")]
    pub when: Option<Expression>,
    /// Number of times that it runs.
    #[serde(default = "once", serialize_with = "as_number")]
    #[schemars(example = &"10")]
    pub repeat: Expression,
    /// OpenMP construct: beside a `loop` for or parallel-for; without one also parallel, reduction, serial,
    /// barrier, single, critical, lock, atomic or ordered; a table for those that can be told more; or the
    /// name of a parameter whose words are these. `parallel-for` if absent.
    #[schemars(example = &"barrier")]
    pub construct: Option<ConstructFile>,
    /// Number of times that every thread meets the construct: within one parallel region, except that parallel,
    /// reduction and parallel-for open a region each time.
    #[schemars(example = &"100")]
    pub times: Option<Expression>,
    /// Threads of the phase's own team, as `num_threads`: the first ones of the run, at most all of them. In the phase's
    /// other expressions `threads` is this number.
    #[schemars(example = &"threads / 2")]
    pub threads: Option<Expression>,
    /// Where the phase's threads are, as `proc_bind` of its region, or placed by the program before it. It goes before what
    /// the workload and the command line say; what it leaves open they say.
    pub binding: Option<BindingFile>,
    /// Nested parallelism: an outer team of so many threads, each of which opens an inner team with its
    /// share of the threads. Side by side, every inner team runs the whole phase: a loop with all its
    /// iterations, a body once on each of its threads.
    #[schemars(example = &"4")]
    pub teams: Option<Expression>,
    /// The loop.
    #[serde(rename = "loop")]
    pub looped: Option<LoopFile>,
    /// Work of every thread inside the construct, each time; `i` is its number.
    pub body: Option<BodyFile>,
    /// Tasks that create tasks.
    pub tasks: Option<TreeFile>,
}

impl PhaseFile {
    /// Key that describes the phase's work in the file.
    pub fn key(&self) -> &'static str {
        match (&self.looped, &self.tasks) {
            (Some(_), _) => "loop",
            (None, Some(_)) => "tasks",
            (None, None) => "body",
        }
    }
}

fn once() -> Expression {
    Expression("1".to_owned())
}

/// Writes a plain whole number as a number, any other expression as text.
fn as_number<S: Serializer>(text: &Expression, serializer: S) -> Result<S::Ok, S::Error> {
    match text.0.parse::<u32>() {
        Ok(number) => serializer.serialize_u32(number),
        Err(_) => text.serialize(serializer),
    }
}
