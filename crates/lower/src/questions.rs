//! Questions of a workload about its runs: a series of them, and measures read off them. Another crate
//! runs them: these types say what to change for the next run, and evaluate what came out.

mod unit;

pub use unit::{DisplayUnit, DisplayUnitError};

use numalab_files::Override;
use numalab_syntax::expression::Parsed;

/// Series and measures of a workload.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The row of runs that it asks for.
    pub series: Option<Series>,
    /// Measures read off each run, in the order of the file.
    pub measures: Vec<Measure>,
    /// Facts, parameters, words; 0 for what a phase that is left out would yield.
    pub(crate) constants: Vec<(String, f64)>,
}

// Glossary: series: Runs of one workload that differ in the value of one parameter.
/// A row of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// `threads`, or the parameter that changes.
    pub over: String,
    /// One for each run.
    pub points: Vec<Point>,
}

/// One run of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// For an axis; a word has a number of its own, which means nothing.
    pub value: f64,
    /// For a table.
    pub text: String,
    /// Change that the run differs by.
    pub change: Change,
}

/// Change of another run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Size of the team.
    pub threads: Option<u32>,
    /// Parameters of the workload.
    pub overrides: Vec<Override>,
}

/// A number that is read off a run.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Name in the file.
    pub name: String,
    /// Unit in which it is shown.
    pub unit: DisplayUnit,
    /// The other run that it compares with.
    pub against: Option<Change>,
    pub(crate) value: Parsed,
    pub(crate) of_series: Option<Parsed>,
}

impl Change {
    /// A change of the team.
    pub fn of_threads(threads: u32) -> Change {
        Change { threads: Some(threads), overrides: Vec::new() }
    }

    /// This change and another one after it: what the second says counts.
    pub fn then(&self, second: &Change) -> Change {
        Change {
            threads: second.threads.or(self.threads),
            overrides: self.overrides.iter().chain(&second.overrides).cloned().collect(),
        }
    }
}

impl Questions {
    /// No series and no measures.
    pub(crate) fn none() -> Questions {
        Questions { series: None, measures: Vec::new(), constants: Vec::new() }
    }

    /// Outcomes that `run` is asked for: seconds, bytes or counts, of the run itself and, where a change is given,
    /// of the run that differs so. Beside these there are `time_`, `bytes_`, `remote_` and `cached_` with
    /// the name of a phase, `-` written as `_`; of several phases of one name, the sum.
    ///
    /// - `time`: of all measured phases; `time_PHASE`: of one, all rounds together;
    /// - `bytes`: that the measured phases access; `bytes_PHASE`;
    /// - `cached_bytes`, `cached_PHASE`: those of them that caches delivered;
    /// - `remote_bytes`, `remote_PHASE`: those of them that the memory of another node delivered;
    /// - `iterations`: of the measured phases, all rounds together;
    /// - `pages_moved`: in the measured phases; `pages_promoted` and `pages_demoted`: those of them that went to a faster
    ///   tier of memory, and to a slower one;
    /// - `threads_moved`: how often the system moved a thread to another processor in these;
    /// - `transactions`: cache lines that moved for synchronisation in these;
    /// - `tasks`: created in these;
    /// - `work_time`, `overhead_time` and `idle_time`: what the team's time, `threads * time`, was spent on: computing
    ///   and waiting for memory; the runtime and the operating system; waiting for others;
    /// - `ideal_time` and `penalty_time`: of the work what it takes at best, all data local and nobody else on the
    ///   machine, and what remote data and contention add;
    /// - `primary_work_time`: what the primary thread was computing and waiting for memory;
    /// - `sequential_time` and `inflation_time`: what the same program takes one thread, and by how much the team's work
    ///   is longer.
    pub const OUTCOMES: [&'static str; 19] = [
        "time",
        "bytes",
        "remote_bytes",
        "cached_bytes",
        "iterations",
        "pages_moved",
        "pages_promoted",
        "pages_demoted",
        "threads_moved",
        "transactions",
        "tasks",
        "work_time",
        "primary_work_time",
        "ideal_time",
        "penalty_time",
        "sequential_time",
        "inflation_time",
        "overhead_time",
        "idle_time",
    ];

    /// Outcomes that take one more run, on one thread.
    pub const OF_ONE_THREAD: [&'static str; 2] = ["sequential_time", "inflation_time"];

    /// Whether a measure asks for an outcome that takes a run on one thread.
    pub fn need_one_thread(&self) -> bool {
        let asks = |name: &str| Self::OF_ONE_THREAD.contains(&name.strip_prefix("base_").unwrap_or(name));
        self.measures.iter().any(|measure| measure.value.names().any(|(name, _)| asks(name)))
    }

    /// Prefixes of the names of a phase's outcomes.
    pub const PHASE_OUTCOMES: [&'static str; 5] = ["time_", "bytes_", "remote_", "cached_", "faults_"];

    /// Name of a phase inside such a name.
    pub fn phase_name(phase: &str) -> String {
        phase.replace('-', "_")
    }

    /// The value of a fact, a parameter, an outcome or a measure, in base units; `None` where the run
    /// does not yield it. For a measure of a series it is the value of this one run.
    ///
    /// `run` gives the outcomes of this run, and with a change those of the run that differs so: what it
    /// is asked for then may be anything that `value` knows, of that run's own questions.
    pub fn value(&self, name: &str, run: &dyn Fn(&str, Option<&Change>) -> Option<f64>) -> Option<f64> {
        if let Some((_, value)) = self.constants.iter().find(|(known, _)| known == name) {
            return Some(*value);
        }
        let Some(measure) = self.measures.iter().find(|measure| measure.name == name) else {
            return run(name, None);
        };
        measure.value.evaluate(&|name| match (name.strip_prefix("base_"), &measure.against) {
            (Some(name), Some(against)) => run(name, Some(against)),
            // A measure uses only those above it, so this ends.
            _ if name == measure.name => None,
            _ => self.value(name, run),
        })
    }
}

impl Measure {
    /// Whether it takes a whole series.
    pub fn is_of_series(&self) -> bool {
        self.of_series.is_some()
    }

    /// Value of it over all runs of a series, of which each has a point and a value; `None` without any, or if it takes no
    /// series.
    pub fn of_series(&self, points: &[(f64, f64)]) -> Option<f64> {
        /// Part of the greatest value that counts as the greatest.
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

    /// Names that the expression of a series may use.
    pub(crate) const STATISTICS: [&'static str; 6] = ["first", "last", "min", "max", "mean", "at_max"];
}
