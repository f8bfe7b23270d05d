//! Gates of a sweep as data.

use super::Condition;
use std::path::PathBuf;

// Glossary: gate: A set of assertions about the points of a sweep; the exit status says whether they hold.
/// An assertion about the points of a sweep.
#[derive(Clone, Debug)]
pub struct Gate {
    pub name: String,
    /// Index of the filter that selects the points; `None` for all points.
    pub filter: Option<usize>,
    /// Name of the compared value: `makespan`, another figure, or a measure of the workload.
    pub measure: String,
    /// True if larger values are better, as for a bandwidth.
    pub more_is_better: bool,
    pub rule: Rule,
    /// Line of the sweep file on which the gate begins, from 1.
    pub line: u32,
}

#[derive(Clone, Debug)]
pub enum Rule {
    /// One value of a coordinate is worse than the best of the others by at most a fraction.
    NoWorse {
        /// Coordinate in which the compared points differ: `policy`, or another axis.
        over: String,
        /// Value of the coordinate that must not be worse, spelled as in rows of results.
        value: String,
        /// Values of the coordinate to compare with; if empty, all values of the sweep except `value`.
        than: Vec<String>,
        /// Largest allowed fraction: `0.05` for 5 %.
        by: f64,
    },
    /// Every point's measure deviates from its value in a file of results by at most a fraction.
    Baseline {
        /// File of results; a relative path starts at the current folder.
        file: PathBuf,
        /// Largest allowed fraction: `0.01` for 1 %.
        by: f64,
    },
    /// Values of a coordinate rank in the listed order, the best first. Differences up to a fraction are a tie.
    Order {
        /// Coordinate in which the compared points differ.
        over: String,
        /// Values of the coordinate, the best first.
        values: Vec<String>,
        /// Largest fraction that counts as a tie: `0.02` for 2 %.
        tie: f64,
    },
    /// An expression of figures, measures and facts holds for every point.
    Holds(Condition),
}
