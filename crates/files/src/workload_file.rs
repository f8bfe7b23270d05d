//! Contents of a workload file. The JSON Schema, the checks and the documentation of every key come
//! from these types.

mod ask;
mod construct;
mod loops;
mod parameter;
mod phase;
mod region;
mod slice;
mod table;
mod tasks;
mod tree;

pub use ask::{MeasureFile, RangeFile, SeriesFile, SeriesValues};
pub use construct::{ConstructFile, ToldFile};
pub use loops::{CriticalFile, LoopFile, ModeFile, ModeWord, TouchFile};
pub use parameter::{ChoiceFile, ParameterFile};
pub use phase::{ConditionFile, PartFile, PhaseFile};
pub use region::{PlacementFile, PlacementTable, RegionFile};
pub use slice::{PieceFile, SliceFile};
pub use table::{ColumnFile, TableFile};
pub use tasks::{AffinityFile, DependFile, LoopTasksFile};
pub use tree::{CallFile, KindFile, RootFile, TreeFile};

use crate::origins::OriginsFile;
use crate::quantity::{Expression, ScheduleText};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A NumaLab workload: description of a program.
///
/// Numbers may be expressions: `+ - * / % ^`, comparisons, `and`, `or`, `not`, `if(condition, one,
/// other)`, abs, bit(x, i) (bit i of a whole number), bit_and(x, y) and bit_or(x, y) (of the bits of whole numbers),
/// ceil, cos, exp, floor, ln, log2, max, min, noise, random(x, ...) (in 0..1, of all its numbers), round, sin,
/// sqrt. Their names are the parameters; facts of the machine and the team (threads, nodes, sockets, boards, cores, processors,
/// nodes_per_board, cores_per_node, line, page, last_level_cache, node_memory, memory_bandwidth, instructions_per_second, core_overlap); with a matrix rows, columns, entries,
/// row_entries(r), first_column(r) and last_column(r); with tables table_value(NAME, r) and NAME_rows; and, where so described, the iteration index `i`,
/// which counts from 0. Sizes may have units: `footprint / 3 + 1 MiB`. True is 1, false is 0.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab workload"))]
pub struct WorkloadFile {
    /// Short name, used in results.
    #[schemars(example = &"loadbal")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// Named numbers, sizes, expressions of parameters above, or words; `--set workload.NAME=…` changes them.
    #[serde(default)]
    pub parameters: BTreeMap<String, ParameterFile>,
    /// A sparse matrix in Matrix Market's coordinate form, relative to this file.
    #[schemars(example = &"laplace.mtx")]
    pub matrix: Option<String>,
    /// Columns of numbers by name, which expressions read with `table_value(NAME, row)`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, TableFile>,
    /// Allocations, by name.
    pub regions: BTreeMap<String, RegionFile>,
    /// Phases that run, in order; the measured phases come last.
    #[schemars(length(min = 1))]
    pub phases: Vec<PhaseFile>,
    /// Number of times that the sequence of measured phases runs. Absent: 1.
    #[schemars(example = &"50")]
    pub rounds: Option<Expression>,
    /// Largest number of tasks that a phase of tasks that create tasks executes, in all its repeats and rounds; a larger
    /// run is refused before it begins. Simulating a million tasks takes a few seconds. Absent: 12 million. As many
    /// entries of `spawn` are evaluated, with those under a `cutoff` and at most 1e9; of the tasks at most 20 million
    /// that differ are kept.
    #[schemars(example = &"50e6")]
    pub most_tasks: Option<Expression>,
    /// Binding of threads, unless the command line sets it.
    pub binding: Option<BindingFile>,
    /// OpenMP runtime, unless the command line names one: a name, or a file relative to this one. Absent: the
    /// machine's runtime, otherwise a plain one.
    #[schemars(example = &"plain")]
    pub runtime: Option<String>,
    /// Policies to compare, unless the command line names some. Absent: all policies that fit; only policies of tasks
    /// if a phase consists of tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub compare: Vec<ScheduleText>,
    /// Series of runs that differ in one value, such as the points of a figure.
    pub series: Option<SeriesFile>,
    /// Measures computed from runs, by name. A measure may use the measures above it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, MeasureFile>,
    /// Where values come from, and how far they may be off. A value that no list names is stated by the file, as the sizes
    /// and counts of a program are.
    #[serde(default, skip_serializing)]
    pub origins: OriginsFile,
}

impl WorkloadFile {
    /// Constructs of all phases, in the order of the file, with their paths.
    pub fn constructs(&self) -> Vec<(String, PhaseFile)> {
        let phases = self.phases.iter().enumerate();
        phases.flat_map(|(index, phase)| phase.constructs(&format!("phases[{index}]"))).collect()
    }
}

/// Binding of threads by OpenMP's variables; or `if`, `then` and `else`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BindingFile {
    /// Value of `OMP_PLACES`.
    #[schemars(example = &"cores")]
    pub places: Option<String>,
    /// Value of `OMP_PROC_BIND`. With a list, such as spread,close, inner teams are bound by its second word. What true
    /// means is the runtime's. Or pool: threads take the next places as they are created, those of inner teams, too.
    #[schemars(example = &"close")]
    pub proc_bind: Option<String>,
    /// A condition: not 0 takes `then`, 0 takes `else`.
    #[serde(rename = "if")]
    #[schemars(example = &"placement == compact")]
    pub condition: Option<Expression>,
    /// Binding if `if` is not 0.
    pub then: Option<Box<BindingFile>>,
    /// Binding if `if` is 0. Absent: none.
    #[serde(rename = "else")]
    pub otherwise: Option<Box<BindingFile>>,
}
