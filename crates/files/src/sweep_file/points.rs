//! Axes of a sweep, whose values make the grid of points.

use super::{ValuesFile, WordsFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Axes of the grid. An absent axis has the value of a run outside a sweep; so has `default` among the values of
/// runtime, threads, procs, places, proc_bind and placement.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointsFile {
    /// Machines: names, paths relative to this file, or synthetic forms such as board:4 socket:4 core:8.
    pub machine: WordsFile,
    /// Workloads: names, or paths relative to this file.
    pub workload: WordsFile,
    /// OpenMP runtimes: names, or paths relative to this file.
    pub runtime: Option<WordsFile>,
    /// Policies, such as `static`, `dynamic,16` or `tss`, or policy files by paths relative to this file.
    pub policy: Option<WordsFile>,
    /// Sizes of the team: numbers, or expressions of the machine's facts such as `cores / 2`.
    pub threads: Option<ValuesFile>,
    /// Lists of processors, as `--procs` takes them.
    pub procs: Option<WordsFile>,
    /// Values of `OMP_PLACES`.
    pub places: Option<WordsFile>,
    /// Values of `OMP_PROC_BIND`.
    pub proc_bind: Option<WordsFile>,
    /// Placements of the pages of all regions.
    pub placement: Option<WordsFile>,
    /// Seeds of the random streams.
    pub seed: Option<ValuesFile>,
    /// Overrides, as `--set` takes them: `machine.PATH`, `workload.PATH` or `runtime.PATH`, each an axis of its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, ValuesFile>,
}

impl PointsFile {
    /// Words of an axis; `None` if the axis is absent or has numbers.
    pub fn words(&self, axis: &str) -> Option<&WordsFile> {
        match axis {
            "machine" => Some(&self.machine),
            "workload" => Some(&self.workload),
            "runtime" => self.runtime.as_ref(),
            "policy" => self.policy.as_ref(),
            "procs" => self.procs.as_ref(),
            "places" => self.places.as_ref(),
            "proc_bind" => self.proc_bind.as_ref(),
            "placement" => self.placement.as_ref(),
            _ => None,
        }
    }
}
