//! Runs of one workload with one varied quantity: the number of threads, or a parameter.

use crate::{Binding, Bottleneck, Input, Replay};
use serde::{Deserialize, Serialize};

/// One workload on one machine over a list of values, under one or more policies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// The simulated machine.
    pub machine: Input,
    /// The workload.
    pub workload: Input,
    /// As in [`crate::Comparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// As in [`crate::Comparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// The OpenMP runtime, as in [`crate::Comparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Accuracy of the replay, for a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// Name of the varied quantity: `threads`, or a parameter.
    pub over: String,
    /// Measures of each run; may be empty.
    pub measures: Vec<Measure>,
    /// One point for each value, in the order requested.
    pub points: Vec<Point>,
    /// Measures of the whole series.
    pub summary: Vec<Summary>,
}

/// A quantity computed from a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Name of the measure.
    pub name: String,
    /// Unit such as `GB/s`; `1` or empty if it has none.
    pub unit: String,
}

/// One value of the varied quantity, with its runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Position on an axis.
    pub at: f64,
    /// The value as written: `64 MiB`, `interleave`. Empty if the number suffices.
    pub text: String,
    /// One run for each policy, in the same order at every point.
    pub runs: Vec<PointRun>,
}

/// One run of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointRun {
    /// Name of the policy, as typed.
    pub policy: String,
    /// Number of threads.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Value of each measure in its unit; `None` if the run does not yield it.
    pub values: Vec<Option<f64>>,
    /// Cause with the largest part of the team's lost time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
}

/// One number for all runs of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the measure.
    pub name: String,
    /// Unit of the measure.
    pub unit: String,
    /// Name of the policy.
    pub policy: String,
    /// Value in that unit; `None` if the runs do not yield it.
    pub value: Option<f64>,
}

impl Point {
    /// The value as text.
    pub fn label(&self) -> String {
        if self.text.is_empty() { self.at.to_string() } else { self.text.clone() }
    }
}

impl Series {
    /// Name of the varied quantity for a run compared with variants of itself.
    pub const WHAT_IF: &'static str = "what if";

    /// The policies, in order; every point has the same ones.
    pub fn policies(&self) -> impl Iterator<Item = &str> {
        self.points.first().into_iter().flat_map(|point| &point.runs).map(|run| run.policy.as_str())
    }

    /// Index of the measure with this name.
    pub fn measure(&self, name: &str) -> Option<usize> {
        self.measures.iter().position(|measure| measure.name == name)
    }
}
