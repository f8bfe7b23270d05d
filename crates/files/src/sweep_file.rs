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

/// A NumaLab sweep: a grid of runs, and assertions about their results.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab sweep"))]
pub struct SweepFile {
    /// Short name: letters, digits, `-`, `_` and `.`. The store of results has the same name.
    #[schemars(example = &"policies")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// The axes of the grid. The last one changes fastest.
    pub points: PointsFile,
    /// Number of runs of each point: the nominal one, and replicas whose times vary as on a machine (`os.noise`). Rows
    /// have their median and range. Default: as many as their work allows, at most six, and more than two only where
    /// these differ or a resource is full. 1: only the nominal run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub replicas: Option<u32>,
    /// True if machines may be files that only tell a machine's shape: hwloc's XML (`lstopo --of xml`), `lscpu`,
    /// files of `/sys`. Values that were not measured then come from a table by processor generation, as with
    /// `numalab sim --assume`, and are listed on standard error.
    #[serde(default, skip_serializing_if = "is_false")]
    pub assume: bool,
    /// Selections of points, by name, for `keep`, gates and `--filter`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub filters: BTreeMap<String, FilterFile>,
    /// Names of filters: only points that pass all of these filters belong to the sweep.
    pub keep: Option<WordsFile>,
    /// Assertions about the results, which must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateFile>,
}

fn is_false(value: &bool) -> bool {
    !value
}
