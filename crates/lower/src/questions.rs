//! Questions of a workload: a series of runs, and measures evaluated from runs. These types state the changes for the
//! next run and evaluate its outcome. The crate `study` executes the runs.

mod unit;

pub use unit::{DisplayUnit, DisplayUnitError};

use numalab_files::Override;
use numalab_results::Run;
use numalab_syntax::expression::Parsed;

/// Series and measures that a workload defines.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Series of runs that the workload defines; `None` if it defines none.
    pub series: Option<Series>,
    /// Measures of each run, in the order of the file.
    pub measures: Vec<Measure>,
    /// Values of facts, parameters and words by name; 0 for outcomes of phases that `when` leaves out.
    pub(crate) constants: Vec<(String, f64)>,
}

// Glossary: series: Runs of one workload that differ in the value of one parameter.
/// Runs that differ in the value of one parameter, or in the team size.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// `threads`, or the parameter that changes.
    pub over: String,
    pub points: Vec<Point>,
}

/// One run of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Position of the point on an axis: the value of the parameter. For a word: its value in expressions.
    pub value: f64,
    /// Label of the point in a table.
    pub text: String,
    /// Difference of the point's run from the original run.
    pub change: Change,
}

/// Difference between two runs of a workload.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Size of the team; `None` if unchanged.
    pub threads: Option<u32>,
    /// Parameters of the workload that change, with their new values.
    pub overrides: Vec<Override>,
}

/// Value that an expression computes from the outcomes of a run.
#[derive(Clone, Debug)]
pub struct Measure {
    pub name: String,
    pub unit: DisplayUnit,
    /// Change that leads to the run with which the measured run is compared; `None` without a comparison.
    pub against: Option<Change>,
    pub(crate) value: Parsed,
    pub(crate) of_series: Option<Parsed>,
}

impl Change {
    pub fn of_threads(threads: u32) -> Change {
        Change { threads: Some(threads), overrides: Vec::new() }
    }

    /// This change followed by the change `second`, whose values win.
    pub fn then(&self, second: &Change) -> Change {
        Change {
            threads: second.threads.or(self.threads),
            overrides: self.overrides.iter().chain(&second.overrides).cloned().collect(),
        }
    }
}

impl Questions {
    /// Questions without series and measures.
    pub(crate) fn none() -> Questions {
        Questions { series: None, measures: Vec::new(), constants: Vec::new() }
    }

    /// True if a measure needs a run of the program on one thread.
    pub fn need_one_thread(&self) -> bool {
        let asks = |name: &str| Run::OF_ONE_THREAD.contains(&name.strip_prefix("base_").unwrap_or(name));
        self.measures.iter().any(|measure| measure.value.names().any(|(name, _)| asks(name)))
    }

    /// Value of a fact, parameter, outcome or measure, in base units; `None` if the run does not yield it. A measure
    /// over a series has its value in this run.
    /// `run(name, None)` is an outcome of this run. `run(name, Some(change))` is the value of any name, even of a
    /// fact or a measure, in the changed run.
    pub fn value(&self, name: &str, run: &dyn Fn(&str, Option<&Change>) -> Option<f64>) -> Option<f64> {
        if let Some((_, value)) = self.constants.iter().find(|(known, _)| known == name) {
            return Some(*value);
        }
        let Some(measure) = self.measures.iter().find(|measure| measure.name == name) else {
            return run(name, None);
        };
        measure.value.evaluate(&|name| match (name.strip_prefix("base_"), &measure.against) {
            (Some(name), Some(against)) => run(name, Some(against)),
            // The recursion ends, since a measure uses only measures above it.
            _ if name == measure.name => None,
            _ => self.value(name, run),
        })
    }
}

impl Measure {
    /// True if the measure needs all runs of a series.
    pub fn is_of_series(&self) -> bool {
        self.of_series.is_some()
    }

    /// Value of the measure over all runs of a series. `points`: position and value of each point. `None` without
    /// points, or if the measure needs no series.
    pub fn of_series(&self, points: &[(f64, f64)]) -> Option<f64> {
        /// Fraction of the maximum from which a value counts as equal to the maximum.
        const NEARLY: f64 = 0.99;
        let values: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
        let (first, last) = (*values.first()?, *values.last()?);
        let max = || values.iter().copied().reduce(f64::max);
        self.of_series.as_ref()?.evaluate(&|name| match name {
            "first" => Some(first),
            "last" => Some(last),
            "min" => values.iter().copied().reduce(f64::min),
            "max" => max(),
            "at_max" => {
                let least = max()?;
                let least = least - (1.0 - NEARLY) * least.abs();
                points.iter().find(|(_, value)| *value >= least).map(|(at, _)| *at)
            }
            "mean" => Some(values.iter().sum::<f64>() / values.len() as f64),
            _ => None,
        })
    }

    /// Statistics of a series that the expression of a measure can use.
    pub(crate) const STATISTICS: [&'static str; 6] = ["first", "last", "min", "max", "mean", "at_max"];
}
