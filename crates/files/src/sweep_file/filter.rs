//! Filters of a sweep: selections of its points.

use super::WordsFile;
use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A choice of points: all that is said here holds. Coordinates (machine, workload, runtime, policy, threads,
/// procs, places, proc_bind, placement, seed, replica, and paths of `set`) have one of the values that are
/// listed, where `*` stands for any characters and `default` for what would be without the axis.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FilterFile {
    /// A condition on the machine's facts, threads, seed and replica.
    #[serde(rename = "where")]
    #[schemars(example = &"boards > 1")]
    pub condition: Option<Expression>,
    /// Coordinates that have none of the values that are listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not: BTreeMap<String, WordsFile>,
    /// Coordinates with their values.
    #[serde(flatten)]
    pub words: BTreeMap<String, WordsFile>,
}
