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
    /// True if the phase's time is part of the makespan.
    #[serde(default)]
    pub measured: bool,
    /// True if the phase is measured but runs once, not in each round: before all rounds if all measured phases above
    /// it run once, too; otherwise after all rounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// Condition: the phase is left out if this is 0.
    #[schemars(example = &"init == parallel")]
    pub when: Option<Expression>,
    /// Number of times that the phase runs in each round.
    #[serde(default = "once", serialize_with = "as_number")]
    #[schemars(example = &"10")]
    pub repeat: Expression,
    /// OpenMP construct. With a `loop`: for or parallel-for. Without: also parallel, reduction, serial, barrier,
    /// single, critical, lock, atomic or ordered. A table for constructs with options, or the name of a parameter
    /// whose words are constructs. Absent: `parallel-for`.
    #[schemars(example = &"barrier")]
    pub construct: Option<ConstructFile>,
    /// Number of times that every thread executes the construct: within one parallel region, except that parallel,
    /// reduction and parallel-for open a region each time.
    #[schemars(example = &"100")]
    pub times: Option<Expression>,
    /// Threads of the phase's own team, as in `num_threads`: the run's threads with the lowest numbers. In the
    /// phase's other expressions `threads` is this number.
    #[schemars(example = &"threads / 2")]
    pub threads: Option<Expression>,
    /// Binding of the phase's threads, by `proc_bind` of its region or by the program itself. It overrides the
    /// binding of workload and command line, except for variables that it leaves out.
    pub binding: Option<BindingFile>,
    /// Nested parallelism: an outer team of this many threads, each of which opens an inner team with its share of
    /// the threads. All inner teams run the whole phase side by side: a loop with all its iterations, a body once on
    /// each thread.
    #[schemars(example = &"4")]
    pub teams: Option<Expression>,
    /// Loop that the phase executes.
    #[serde(rename = "loop")]
    pub looped: Option<LoopFile>,
    /// Work of every thread in each execution of the construct; `i` is the thread's number.
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
