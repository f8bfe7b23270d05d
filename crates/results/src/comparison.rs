//! Runs of one workload on one machine with several policies, with the source of each input.

use crate::{Influence, Layout, Replay, Run};
use serde::{Deserialize, Serialize};

/// Result of one invocation: a machine, a workload, and a run for every policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of all random streams.
    pub seed: u64,
    /// Machine after all `--set` overrides.
    pub machine: Input,
    /// Nesting of the machine's nodes.
    pub layout: Layout,
    /// Workload after all `--set` overrides.
    pub workload: Input,
    /// Placement of all pages that replaces the workload's placements; `None` if those apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Binding of the threads; `None` if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// OpenMP runtime profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Accuracy of the replay, for a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// One run for each policy, in the order requested.
    pub runs: Vec<Run>,
    /// Policy, and values of machine and runtime that are not known exactly and change its makespan, the largest
    /// effect first; `None` unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influences: Option<Influences>,
}

/// Effects of unknown values on one run of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Influences {
    /// Policy of the run.
    pub policy: String,
    /// Values, the largest effect first.
    pub values: Vec<Influence>,
}

/// An input and its resolved configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Short name of the input.
    pub name: String,
    /// BLAKE3 of the fully resolved configuration, in hexadecimal.
    pub hash: String,
    /// `--set` overrides that applied to the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
    /// The fully resolved configuration.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub resolved: serde_json::Value,
    /// Origins of the times, rates, frequencies and numbers without unit, in the order of the file. Of a workload, those of
    /// the values that have an origin in its table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<OriginOf>,
    /// Number of published rows that `numalab validate` compares with simulations of the machine; `None` for other
    /// inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_rows: Option<u32>,
}

/// Origin of one value of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OriginOf {
    /// Path of the value, as `--set` takes it.
    pub path: String,
    /// `measured`, `sheet`, `assumed`, `default` or `stated`.
    pub origin: String,
    /// Largest relative error: a value `v` lies between `v / (1 + within)` and `v (1 + within)`.
    pub within: f64,
}

impl Input {
    /// One input that stands for several. If these differ: their names and hashes in order, each once, without a
    /// configuration.
    pub fn of_all(inputs: impl IntoIterator<Item = Input>) -> Input {
        let mut several: Vec<Input> = Vec::new();
        for input in inputs {
            if several.iter().all(|other| other.hash != input.hash) {
                several.push(input);
            }
        }
        if several.len() == 1 {
            return several.remove(0);
        }
        let mut names: Vec<&str> = several.iter().map(|input| input.name.as_str()).collect();
        names.dedup();
        let name = names.join(", ");
        let hash = several.iter().map(|input| input.hash.as_str()).collect::<Vec<_>>().join(",");
        Input {
            name,
            hash,
            overrides: Vec::new(),
            resolved: serde_json::Value::Null,
            origins: Vec::new(),
            published_rows: None,
        }
    }
}

/// Values of `OMP_PLACES` and `OMP_PROC_BIND`, or of `KMP_AFFINITY` in their place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// `OMP_PLACES` as written; `None` if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<String>,
    /// `OMP_PROC_BIND`, separated by commas; `None` if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proc_bind: Option<String>,
    /// `KMP_AFFINITY` as written; `None` if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kmp_affinity: Option<String>,
}
