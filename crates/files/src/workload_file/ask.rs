//! Series and measures of a workload.

use crate::quantity::{Expression, Text};
use numalab_results::{PhaseCounts, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Runs that differ in the value of one parameter, or in the team size.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesFile {
    /// Value that changes from run to run: `threads`, or a parameter.
    #[schemars(example = &"threads")]
    pub over: String,
    /// Values of `over`, one for each run.
    pub values: SeriesValues,
}

/// Values of a series: a list or a range.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SeriesValues {
    /// Expressions separated by commas.
    Text(Text),
    /// A list of expressions or words.
    List(Vec<Text>),
    /// A range with a step or a factor.
    Range(RangeFile),
}

/// Range of values that always includes `to`, by `step` or by `factor`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeFile {
    /// The first value.
    #[schemars(example = &"1")]
    pub from: Expression,
    /// The last value.
    #[schemars(example = &"threads")]
    pub to: Expression,
    /// Difference between a value and the next.
    #[schemars(example = &"1")]
    pub step: Option<Expression>,
    /// Ratio of a value to the previous value.
    #[schemars(example = &"2")]
    pub factor: Option<Expression>,
}

/// A number that is computed from a run, a pair of runs, or a series.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureFile {
    #[schemars(description = value_names())]
    #[schemars(example = &"bytes / time")]
    pub value: Expression,
    /// Unit of the measure in output: s, ms, us, ns; B, kB, …, GiB; these per second; FLOP/s, …, TFLOP/s; %; or 1.
    #[serde(default = "one")]
    #[schemars(example = &"GB/s")]
    pub unit: Text,
    /// Second run with which the measured run is compared: the parameters or `threads` in which the second run
    /// differs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub against: BTreeMap<String, Text>,
    /// Value over a whole series: an expression of first, last, min, max, mean, and at_max. at_max is the first point
    /// of the series at which the value is within a hundredth of the maximum.
    #[schemars(example = &"min / first")]
    pub of_series: Option<Expression>,
}

fn one() -> Text {
    Text("1".to_owned())
}

/// Description of the key `value` of a measure. Names of phase counts come from [`PhaseCounts::MEASURES`].
fn value_names() -> String {
    let names = |of_bytes: bool| {
        let counts = PhaseCounts::MEASURES.iter().filter(|count| (count.unit == Unit::Bytes) == of_bytes);
        counts.map(|count| count.name).collect::<Vec<_>>().join(", ")
    };
    format!(
        "Its value, with times in seconds and sizes in bytes. Names beside facts and parameters: time,\n\
         {}, iterations, {}, transactions (cache lines that moved for\n\
         synchronisation), tasks, and what the team's time was spent on: work_time (computing and waiting for\n\
         memory), overhead_time, idle_time; of the work, ideal_time (all data local, an otherwise idle machine) and\n\
         penalty_time (longer than that); sequential_time (the same program on one thread, one more run) and\n\
         inflation_time (by how much the team's work is longer); time_PHASE,\n\
         bytes_PHASE, remote_PHASE, cached_PHASE and faults_PHASE (on pages that nodes share in software) for the phase of that name\n\
         with _ for -; measures above; and, with `against`,\n\
         base_NAME for each of these in that other run.",
        names(true),
        names(false),
    )
}
