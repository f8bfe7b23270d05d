//! Phases of a workload: loops, constructs and trees of tasks.

use super::BindingFile;
use super::construct::ConstructFile;
use super::loops::{BodyFile, LoopFile};
use super::tree::TreeFile;
use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// Work of the team, run `repeat` times: a `loop`; a `construct` with or without a `body`; `tasks` that create tasks;
/// several constructs in one `parallel` region; or a group of `phases`.
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
    /// OpenMP construct. With a `loop`: parallel-for, for or sections. Without: also parallel, reduction, serial,
    /// barrier, single, master, critical, lock, atomic or ordered. A table for constructs with options, or the name of a
    /// parameter whose words are constructs. Absent: `parallel-for`. Each phase opens a region of its own.
    #[schemars(example = &"barrier")]
    pub construct: Option<ConstructFile>,
    /// True if `for`, `sections` or `single` ends without a barrier. Absent: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nowait: Option<ConditionFile>,
    /// Number of times that every thread executes the construct: within one parallel region, except that parallel,
    /// reduction and parallel-for open a region each time.
    #[schemars(example = &"100")]
    pub times: Option<Expression>,
    /// Threads of the phase's own team, as in `num_threads`: the run's threads with the lowest numbers. In the
    /// phase's other expressions `threads` is this number.
    #[schemars(example = &"threads / 2")]
    pub threads: Option<Expression>,
    /// Binding of the phase's threads, by `proc_bind` of its region or by the program itself. It overrides the
    /// binding of the workload, except for variables that it leaves out. The command line overrides both.
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
    /// One parallel region whose constructs the team executes in turn, `times` times. Results name each construct like
    /// a phase. Its time ends when its last thread leaves it, and begins where the time of the construct before ends.
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<Vec<PartFile>>,
    /// Group of phases that run in turn, as often as `repeat` says. In their expressions `round` is the number of earlier
    /// rounds of the group, so that a phase can differ from round to round. Beside it stand `measured`, `once`, `when` and
    /// `repeat`.
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phases: Option<Vec<PhaseFile>>,
}

/// Construct of a region: a `loop`, or a `construct` with or without a `body`. A `body` alone is executed by every thread.
/// Or a group of `constructs`, which the team executes in turn, `repeat` times.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartFile {
    /// Name, used in messages, overrides and measures.
    #[schemars(example = &"expand")]
    pub name: String,
    /// Condition: the construct is left out if this is 0.
    #[schemars(example = &"init == parallel")]
    pub when: Option<Expression>,
    /// OpenMP construct, as of a phase, but not parallel-for, reduction, serial, pipeline or echo. Absent: `for` with a
    /// `loop`, otherwise `parallel`.
    #[schemars(example = &"single")]
    pub construct: Option<ConstructFile>,
    /// True if `for`, `sections` or `single` ends without a barrier. Absent: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nowait: Option<ConditionFile>,
    /// Loop that the team shares.
    #[serde(rename = "loop")]
    pub looped: Option<LoopFile>,
    /// Work of every thread that executes the construct; `i` is the thread's number.
    pub body: Option<BodyFile>,
    /// Group of constructs. In their expressions `round` is the number of earlier rounds of the group.
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constructs: Option<Vec<PartFile>>,
    /// Number of rounds of `constructs`. Absent: 1.
    #[schemars(example = &"levels")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Expression>,
}

impl PartFile {
    /// The construct, or those of the group, with their paths, as phases of a region. `path`: path of this construct.
    pub fn constructs(&self, path: &str, region: &PhaseFile) -> Vec<(String, PhaseFile)> {
        if let Some(group) = &self.constructs {
            let inside = |(index, part): (usize, &PartFile)| {
                part.constructs(&format!("{path}.constructs[{index}]"), region)
            };
            return group.iter().enumerate().flat_map(inside).collect();
        }
        let PartFile { name, when, construct, nowait, looped, body, .. } = self.clone();
        let phase =
            PhaseFile { name, when, construct, nowait, looped, body, parallel: None, ..region.clone() };
        vec![(path.to_owned(), phase)]
    }
}

/// True or false, directly or by a condition that is not 0 or 0.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ConditionFile {
    /// True or false.
    Plain(bool),
    /// A condition, such as `variant == merged`.
    Condition(Expression),
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

    /// The phase's constructs with their paths, `path` being that of the phase: itself, those of its region, which run as
    /// often and on the same threads as the phase, or those of its group.
    pub fn constructs(&self, path: &str) -> Vec<(String, PhaseFile)> {
        if let Some(group) = &self.phases {
            let inside = |(index, phase): (usize, &PhaseFile)| {
                self.inside(phase).constructs(&format!("{path}.phases[{index}]"))
            };
            return group.iter().enumerate().flat_map(inside).collect();
        }
        let Some(parts) = &self.parallel else { return vec![(path.to_owned(), self.clone())] };
        let part =
            |(index, part): (usize, &PartFile)| part.constructs(&format!("{path}.parallel[{index}]"), self);
        parts.iter().enumerate().flat_map(part).collect()
    }

    /// A phase of this group, with what the group decides.
    pub fn inside(&self, phase: &PhaseFile) -> PhaseFile {
        PhaseFile { measured: self.measured, once: self.once, ..phase.clone() }
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
