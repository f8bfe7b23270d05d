//! Runs of one workload on one machine beside each other, and where each input came from.

use crate::{Layout, Replay, Run};
use serde::{Deserialize, Serialize};

/// One invocation: a machine, a workload, and a run for every policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Seed of every random stream.
    pub seed: u64,
    /// Machine of the run.
    pub machine: Input,
    /// Nesting of the machine's nodes.
    pub layout: Layout,
    /// Workload of the run.
    pub workload: Input,
    /// Placement that all pages were told to have, whatever the workload says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Binding of the threads, if anything was said about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    /// The OpenMP runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Input>,
    /// Worth of the answer, where it is about a recorded program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// One for each policy, in the order asked for.
    pub runs: Vec<Run>,
}

/// Origin of an input, and what decided it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Its short name.
    pub name: String,
    /// BLAKE3 of the fully resolved configuration, in hexadecimal.
    pub hash: String,
    /// `--set` overrides that applied to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<String>,
    /// The fully resolved configuration.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub resolved: serde_json::Value,
}

impl Input {
    /// All of several inputs, each once: their names and hashes, in this order. No configuration is that of all.
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
        Input { name, hash, overrides: Vec::new(), resolved: serde_json::Value::Null }
    }
}

/// Values of `OMP_PLACES` and `OMP_PROC_BIND`, wherever they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The places, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<String>,
    /// The policies, with commas between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proc_bind: Option<String>,
}
