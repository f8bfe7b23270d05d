use super::DEFAULT;
use numalab_files::Facts;
use numalab_results::Column;
use numalab_syntax::expression::Formula;
use numalab_workload::{Placement, Schedule};

/// Coordinate that changes from point to point, with its values. The value `None` (the word `default`) leaves the
/// setting as it is without this axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// Machines by catalogue name, path or synthetic form.
    Machine(Vec<String>),
    /// Workloads by catalogue name or path.
    Workload(Vec<String>),
    /// Runtimes by catalogue name or path.
    Runtime(Vec<Option<String>>),
    Schedule(Vec<Schedule>),
    Threads(Vec<Option<Threads>>),
    /// Processor lists in the syntax of `--procs`.
    Procs(Vec<Option<String>>),
    /// Values in the syntax of `OMP_PLACES`.
    Places(Vec<Option<String>>),
    /// Values in the syntax of `OMP_PROC_BIND`.
    ProcBind(Vec<Option<String>>),
    /// Placement policies; each applies to all pages.
    Placement(Vec<Option<Placement>>),
    /// Seeds of the random streams.
    Seed(Vec<u64>),
    /// Values of one path of `--set`.
    Set {
        /// Path of the parameter, such as `machine.memory.bandwidth`.
        path: String,
        /// Values in the syntax of `--set`.
        values: Vec<String>,
    },
}

impl Axis {
    /// Names of the axes and of their columns; an axis of `set` has a path instead. `replica`, a coordinate
    /// in files of earlier versions, is not an axis.
    pub const NAMES: [&'static str; Column::COORDINATES.len() - 1] =
        *Column::COORDINATES.first_chunk().unwrap();

    /// Name of the axis and of its column.
    pub fn name(&self) -> &str {
        match self {
            Axis::Machine(_) => "machine",
            Axis::Workload(_) => "workload",
            Axis::Runtime(_) => "runtime",
            Axis::Schedule(_) => "policy",
            Axis::Threads(_) => "threads",
            Axis::Procs(_) => "procs",
            Axis::Places(_) => "places",
            Axis::ProcBind(_) => "proc_bind",
            Axis::Placement(_) => "placement",
            Axis::Seed(_) => "seed",
            Axis::Set { path, .. } => path,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Axis::Machine(values) | Axis::Workload(values) | Axis::Set { values, .. } => values.len(),
            Axis::Runtime(values) | Axis::Procs(values) | Axis::Places(values) | Axis::ProcBind(values) => {
                values.len()
            }
            Axis::Schedule(values) => values.len(),
            Axis::Threads(values) => values.len(),
            Axis::Placement(values) => values.len(),
            Axis::Seed(values) => values.len(),
        }
    }

    /// Values as texts, spelled as in rows of results; `None` for team sizes, which depend on the machine, and for
    /// seeds.
    pub(crate) fn words(&self) -> Option<Vec<String>> {
        fn plain<T: ToString>(values: &[Option<T>]) -> Vec<String> {
            values.iter().map(|value| value.as_ref().map_or(DEFAULT.to_owned(), T::to_string)).collect()
        }
        Some(match self {
            Axis::Machine(values) | Axis::Workload(values) | Axis::Set { values, .. } => values.clone(),
            Axis::Runtime(values) | Axis::Procs(values) | Axis::Places(values) | Axis::ProcBind(values) => {
                plain(values)
            }
            Axis::Schedule(values) => values.iter().map(Schedule::to_string).collect(),
            Axis::Placement(values) => plain(values),
            Axis::Threads(_) | Axis::Seed(_) => return None,
        })
    }

    /// True if the axis has no values. A sweep that was read without errors has no empty axis.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Size of a team: a number, or an expression of machine facts such as `cores / 2`.
#[derive(Clone, Debug)]
pub struct Threads {
    pub(crate) text: String,
    pub(crate) formula: Formula,
}

impl Threads {
    /// Expression as written in the sweep file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Team size on a machine, from its facts for a team of one thread. The error states why the expression yields no
    /// team size.
    pub fn on(&self, machine: &Facts) -> Result<u32, String> {
        let value = self.formula.at(&machine.values(), &mut Vec::new());
        match value.fract() == 0.0 && (1.0..=1e6).contains(&value) {
            true => Ok(value as u32),
            false => Err(format!("threads {} is {value}, which cannot be the size of a team", self.text)),
        }
    }
}

impl PartialEq for Threads {
    fn eq(&self, other: &Threads) -> bool {
        self.text == other.text
    }
}
