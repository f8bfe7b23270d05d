//! Runs of one workload with one varied quantity: the number of threads, or a parameter.

use crate::{Binding, Bottleneck, Input, Replay, Replicas};
use serde::{Deserialize, Serialize};

/// One workload on one machine over a list of values, under one or more policies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// Machine after all `--set` overrides; if it varies, the names and hashes of all.
    pub machine: Input,
    /// Workload after all `--set` overrides that apply to every point.
    pub workload: Input,
    /// Placement of all pages, as in [`crate::Comparison`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Places and binding policy, as in [`crate::Comparison`].
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
    /// Name of a second varied quantity, whose values are curves of the picture; `None` if only `over` varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Measures that each run has values of; may be empty.
    pub measures: Vec<Measure>,
    /// One point for each value, in the order requested.
    pub points: Vec<Point>,
    /// Measures of the whole series.
    pub summary: Vec<Summary>,
}

/// A quantity computed from a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Name of the measure, as in the workload file.
    pub name: String,
    /// Unit such as `GB/s`; `1` or empty if it has none.
    pub unit: String,
}

/// One value of the varied quantity, with its runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Position on an axis: the value itself, or the index of a variant.
    pub at: f64,
    /// The value as written, such as `64 MiB` or `interleave`; empty if `at` suffices.
    pub text: String,
    /// One run for each value of the second quantity and each policy. The order is the same at every point, but points
    /// may lack values of the second quantity.
    pub runs: Vec<PointRun>,
}

/// One run of a series: one policy at one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointRun {
    /// Value of the series' second quantity, as typed; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Name of the policy, as typed.
    pub policy: String,
    /// Size of the OpenMP team.
    pub threads: u32,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Makespans of this run and of its replicas; `None` without replicas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<Replicas>,
    /// Value of each measure in its unit; `None` if the run does not yield it.
    pub values: Vec<Option<f64>>,
    /// Cause with the largest part of the team's lost time; `None` if no time was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
}

/// A measure computed over all runs of one policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the measure, as in the workload file.
    pub name: String,
    /// Unit of `value`, such as `GB/s`.
    pub unit: String,
    /// Value of the series' second quantity, as typed; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The policy, as typed.
    pub policy: String,
    /// Value in `unit`; `None` if the runs do not yield it.
    pub value: Option<f64>,
}

impl Point {
    /// Text of the point: `text`, or the number if `text` is empty.
    pub fn label(&self) -> String {
        if self.text.is_empty() { self.at.to_string() } else { self.text.clone() }
    }
}

impl Series {
    /// Value of `over` in a table of one run and variants of it.
    pub const WHAT_IF: &'static str = "what if";

    /// Names of the policies, in the order of the runs at every point.
    pub fn policies(&self) -> impl Iterator<Item = &str> {
        let runs = || self.points.first().into_iter().flat_map(|point| &point.runs);
        let first = runs().next().and_then(|run| run.by.as_deref());
        runs().filter(move |run| run.by.as_deref() == first).map(|run| run.policy.as_str())
    }

    /// Values of the second quantity, in the order of the runs; empty without one.
    pub fn values_of_second(&self) -> Vec<&str> {
        let mut values = Vec::new();
        for value in self.points.iter().flat_map(|point| &point.runs).filter_map(|run| run.by.as_deref()) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Index in `measures` of the measure with this name; `None` if there is none.
    pub fn measure(&self, name: &str) -> Option<usize> {
        self.measures.iter().position(|measure| measure.name == name)
    }
}
