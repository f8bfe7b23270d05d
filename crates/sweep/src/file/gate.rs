//! Gates.

use super::Condition;
use std::path::PathBuf;

// Glossary: gate: A set of assertions about the points of a sweep; the exit status says whether they hold.
/// An assertion about the points of a sweep.
#[derive(Clone, Debug)]
pub struct Gate {
    pub name: String,
    /// Number of the filter that selects the points; `None` for all points.
    pub filter: Option<usize>,
    /// Value compared: `makespan`, another figure, or a measure of the workload.
    pub measure: String,
    /// True if larger values are better, as of a bandwidth.
    pub more_is_better: bool,
    /// Rule that must hold.
    pub rule: Rule,
    /// Line on which the gate begins.
    pub line: u32,
}

/// Rule that must hold.
#[derive(Clone, Debug)]
pub enum Rule {
    /// A value of a coordinate is no worse than the best of others by more than a fraction.
    NoWorse {
        /// Coordinate in which the compared points differ: `policy`, or another axis.
        over: String,
        /// Value that must not be worse, in the points' spelling.
        value: String,
        /// Values that it is compared with; all others of the sweep if empty.
        than: Vec<String>,
        /// `0.05` for 5 %.
        by: f64,
    },
    /// Every point is within a fraction of its value in a file of results.
    Baseline {
        /// File, relative to the folder that the program runs in.
        file: PathBuf,
        /// `0.01` for 1 %.
        by: f64,
    },
    /// Values of a coordinate come in this order, the best first. Values closer than a fraction are a tie.
    Order {
        /// Coordinate in which the compared points differ.
        over: String,
        /// Values, the best first.
        values: Vec<String>,
        /// `0.02` for 2 %.
        tie: f64,
    },
    /// An expression of figures, measures and facts holds for every point.
    Holds(Condition),
}
