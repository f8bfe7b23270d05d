//! A sweep as its file describes it: which points, which of them, and what must hold.

use crate::diagnostics::{Diagnostic, Diagnostics, Source};
use crate::expression::Formula;
use crate::facts::Facts;
use crate::tree::Node;
use numalab_program::{Placement, Policy};
use std::path::PathBuf;

/// A grid of runs.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Short name; the store is called after it.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The axes in the order of the file. The last one changes fastest from point to point.
    pub axes: Vec<Axis>,
    /// Runs of each point, with this and the following seeds.
    pub replicas: u32,
    /// All named filters.
    pub filters: Vec<Filter>,
    /// Numbers of the filters that every point passes.
    pub keep: Vec<usize>,
    /// What must hold.
    pub gates: Vec<Gate>,
    pub(crate) source: Source,
    pub(crate) root: Node,
}

/// What changes from point to point. `None` among the values is `default`: what would be without it.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// Names, paths or synthetic forms.
    Machine(Vec<String>),
    /// Names or paths.
    Workload(Vec<String>),
    /// Names or paths.
    Runtime(Vec<Option<String>>),
    /// Policies.
    Policy(Vec<Policy>),
    /// Sizes of the team.
    Threads(Vec<Option<Threads>>),
    /// Lists of processors, as `--procs` takes them.
    Procs(Vec<Option<String>>),
    /// As `OMP_PLACES` says it.
    Places(Vec<Option<String>>),
    /// As `OMP_PROC_BIND` says it.
    ProcBind(Vec<Option<String>>),
    /// Where all pages go.
    Placement(Vec<Option<Placement>>),
    /// Seeds of the random streams.
    Seed(Vec<u64>),
    /// Values of `--set`: `path` is such as `machine.memory.bandwidth`.
    Set {
        /// What is set.
        path: String,
        /// To what.
        values: Vec<String>,
    },
}

impl Axis {
    /// The column that it becomes.
    pub fn name(&self) -> &str {
        match self {
            Axis::Machine(_) => "machine",
            Axis::Workload(_) => "workload",
            Axis::Runtime(_) => "runtime",
            Axis::Policy(_) => "policy",
            Axis::Threads(_) => "threads",
            Axis::Procs(_) => "procs",
            Axis::Places(_) => "places",
            Axis::ProcBind(_) => "proc_bind",
            Axis::Placement(_) => "placement",
            Axis::Seed(_) => "seed",
            Axis::Set { path, .. } => path,
        }
    }

    /// How many values it has.
    pub fn len(&self) -> usize {
        match self {
            Axis::Machine(values) | Axis::Workload(values) | Axis::Set { values, .. } => values.len(),
            Axis::Runtime(values) | Axis::Procs(values) | Axis::Places(values) | Axis::ProcBind(values) => {
                values.len()
            }
            Axis::Policy(values) => values.len(),
            Axis::Threads(values) => values.len(),
            Axis::Placement(values) => values.len(),
            Axis::Seed(values) => values.len(),
        }
    }

    /// Whether it has none; no axis of a sweep that was read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Size of a team: a number, or an expression of the machine's facts such as `cores / 2`.
#[derive(Clone, Debug)]
pub struct Threads {
    pub(crate) text: String,
    pub(crate) formula: Formula,
}

impl Threads {
    /// As written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// On a machine, whose facts are given for one thread. What is wrong with it, otherwise.
    pub fn on(&self, machine: &Facts) -> Result<u32, String> {
        let value = self.formula.at(&machine.values(), &mut Vec::new());
        match value.fract() == 0.0 && (1.0..=1e6).contains(&value) {
            true => Ok(value as u32),
            false => Err(format!("threads {} is {value}, which is no size of a team", self.text)),
        }
    }
}

impl PartialEq for Threads {
    fn eq(&self, other: &Threads) -> bool {
        self.text == other.text
    }
}

/// A named choice of points: all its conditions hold.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Its name.
    pub name: String,
    pub(crate) words: Vec<Words>,
    pub(crate) condition: Option<Condition>,
}

/// A coordinate has one of these values; `*` stands for any characters. Or it has none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub coordinate: String,
    pub patterns: Vec<String>,
    pub wanted: bool,
}

/// An expression of names, true or false.
#[derive(Clone, Debug)]
pub struct Condition {
    pub(crate) text: String,
    pub(crate) names: Vec<String>,
    pub(crate) formula: Formula,
}

impl Condition {
    /// As written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names that it uses.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether it holds for values of its names, in their order.
    pub fn holds(&self, values: &[f64]) -> bool {
        let value = self.formula.at(values, &mut Vec::new());
        value != 0.0 && !value.is_nan()
    }
}

/// An assertion about the points of a sweep.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// Number of the filter that the points pass which it is about; all points without one.
    pub filter: Option<usize>,
    /// What is compared: `makespan`, another figure, or a measure of the workload.
    pub measure: String,
    /// Whether more of it is better, as of a bandwidth.
    pub more_is_better: bool,
    /// What must hold.
    pub rule: Rule,
    /// The line on which it begins.
    pub line: u32,
}

/// What must hold.
#[derive(Clone, Debug)]
pub enum Rule {
    /// A policy is no worse than the best of others by more than a fraction.
    NoWorse {
        /// Which.
        policy: Policy,
        /// The others; all other policies of the sweep if none are named.
        than: Vec<Policy>,
        /// `0.05` for 5 %.
        by: f64,
    },
    /// Every point is within a fraction of what a file of results says.
    Baseline {
        /// The file, from the folder that the program runs in.
        file: PathBuf,
        /// `0.01` for 1 %.
        by: f64,
    },
    /// Policies come in this order, the best first; what differs by less than a fraction is a tie.
    Order {
        /// The best first.
        policies: Vec<Policy>,
        /// `0.02` for 2 %.
        tie: f64,
    },
    /// An expression of figures, measures and facts holds for every point.
    Holds(Condition),
}

impl Sweep {
    /// The file's name, as errors give it.
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// An error about the value at `path`, such as `points.machine[1]`.
    pub fn wrong(&self, path: &str, message: impl Into<String>, label: impl Into<String>) -> Diagnostics {
        let diagnostic = Diagnostic::new(self.root.locate(path), message, label);
        Diagnostics::new(vec![self.source.clone()], vec![diagnostic])
    }
}
