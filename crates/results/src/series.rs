//! The same workload again and again, with one thing changed: how many threads, or one parameter.

use crate::{Binding, Bottleneck, Input, Replay};
use serde::{Deserialize, Serialize};

/// One workload on one machine over a row of values, under one or more policies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of every random stream.
    pub seed: u64,
    /// Machine of the runs.
    pub machine: Input,
    /// Workload of the runs.
    pub workload: Input,
    /// As in [`crate::Comparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// As in [`crate::Comparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// The OpenMP runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Worth of the answer, where it is about a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// Name of what changes: `threads`, or a parameter.
    pub over: String,
    /// Measures read off each run; may be empty.
    pub measures: Vec<Measure>,
    /// One for each value, in the order asked for.
    pub points: Vec<Point>,
    /// Measures of the whole series.
    pub summary: Vec<Summary>,
}

/// Something that is read off a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Its unit, as in `GB/s`; `1` or nothing where it has none.
    pub unit: String,
}

/// One value of what changes, with its runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Position on an axis.
    pub at: f64,
    /// The value as it was written: `64 MiB`, `interleave`. Empty: the number says it all.
    pub text: String,
    /// One for each policy, the same policies in the same order at every point.
    pub runs: Vec<PointRun>,
}

/// One run of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointRun {
    /// The policy's name, as typed.
    pub policy: String,
    /// Size of the team.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// For each measure its value in its unit; `None` where the run does not yield it.
    pub values: Vec<Option<f64>>,
    /// Cause of most of the team's lost time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
}

/// One number for all runs of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The measure's name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Name of the policy.
    pub policy: String,
    /// Its value in its unit; `None` where the runs do not yield it.
    pub value: Option<f64>,
}

impl Point {
    /// The value as people read it.
    pub fn label(&self) -> String {
        if self.text.is_empty() { self.at.to_string() } else { self.text.clone() }
    }
}

impl Series {
    /// Name of what changes where a run stands beside itself with other values.
    pub const WHAT_IF: &'static str = "what if";

    /// The policies, in order. The first point names them all.
    pub fn policies(&self) -> impl Iterator<Item = &str> {
        self.points.first().into_iter().flat_map(|point| &point.runs).map(|run| run.policy.as_str())
    }

    /// The measure of that name.
    pub fn measure(&self, name: &str) -> Option<usize> {
        self.measures.iter().position(|measure| measure.name == name)
    }
}
