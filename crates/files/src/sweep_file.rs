//! Contents of a sweep file. The JSON Schema, the checks and the documentation of every key come
//! from these types.

mod filter;
mod gate;
mod points;
mod values;

pub use filter::FilterFile;
pub use gate::{BetterWord, GateFile};
pub use points::PointsFile;
pub use values::{StepsFile, ValuesFile, Word, WordsFile};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A NumaLab sweep: a grid of runs, and what must hold of them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab sweep"))]
pub struct SweepFile {
    /// Short name: letters, digits, `-`, `_` and `.`. The store of results is called after it.
    #[schemars(example = &"policies")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// The axes of the grid. The last one changes fastest.
    pub points: PointsFile,
    /// Runs of each point, with its seed and those that follow it.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 10_000))]
    pub replicas: u32,
    /// Machines of which only the shape is known: hwloc's XML (`lstopo --of xml`), `lscpu`, files of `/sys`. What nothing measured comes from a
    /// table by the generation of the processors, as with `numalab sim --assume`; it is told on standard error.
    #[serde(default, skip_serializing_if = "is_false")]
    pub assume: bool,
    /// Choices of points, by name: `keep` and the gates use them, and `--filter`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub filters: BTreeMap<String, FilterFile>,
    /// Names of filters: only points that pass all of these belong to the sweep.
    pub keep: Option<WordsFile>,
    /// Assertions that must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateFile>,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn once() -> u32 {
    1
}
