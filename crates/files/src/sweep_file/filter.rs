//! Filters of a sweep: selections of its points.

use super::WordsFile;
use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Selection of the points that meet all conditions of the filter. Coordinates (machine, workload, runtime, policy,
/// threads, procs, places, proc_bind, placement, seed, replica, and paths of `set`) have one of the listed values,
/// where `*` stands for any characters and `default` for the value without the axis.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FilterFile {
    /// Condition on the machine's facts, threads, seed and replica.
    #[serde(rename = "where")]
    #[schemars(example = &"boards > 1")]
    pub condition: Option<Expression>,
    /// Coordinates that have none of the listed values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not: BTreeMap<String, WordsFile>,
    /// Coordinates that have one of the listed values.
    #[serde(flatten)]
    pub words: BTreeMap<String, WordsFile>,
}
