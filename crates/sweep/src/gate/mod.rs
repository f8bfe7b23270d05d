//! Assertions about the rows of a sweep, one rule a file.
//!
//! Replicas of a point are compared by their median. Points that failed are reported apart and compared with
//! nothing. An assertion that met no point has not been checked, and does not pass.

mod baseline;
mod holds;
mod measure;
mod no_worse;
mod order;
mod words;

pub(crate) use measure::{Measure, change};

use crate::group::{Labels, text};
use numalab_formats::{Diagnostics, Gate, Rule, Sweep};
use numalab_results::{Column, Frame, GateReport, Verdict, Violation};
use std::path::Path;

/// Knowledge that a gate needs about its rows and that is not in them.
pub struct Known<'a> {
    /// Whether a row passes a filter of the sweep, by their numbers.
    pub passes: &'a dyn Fn(usize, usize) -> bool,
    /// Facts of the machine and the team that a row ran on, by name.
    pub facts: &'a dyn Fn(usize, &str) -> Option<f64>,
    /// Reads a file of results; the error is a sentence.
    pub read: &'a dyn Fn(&Path) -> Result<Frame, String>,
    /// Whether points of the sweep were left out on purpose, so that a baseline may have more.
    pub partial: bool,
}

/// Holds all assertions of a sweep against its rows, one for each point.
pub fn evaluate(sweep: &Sweep, frame: &Frame, known: &Known<'_>) -> GateReport {
    GateReport {
        sweep: sweep.name.clone(),
        file: sweep.file().to_owned(),
        points: frame.rows.len() as u64,
        failed: failed(frame),
        verdicts: sweep
            .gates
            .iter()
            .map(|gate| {
                let on = gate.filter.and_then(|number| sweep.filters.get(number));
                verdict(gate, on.map(|filter| &*filter.name), frame, known)
            })
            .collect(),
    }
}

/// Finds out before a long run which names gates use that no row will have.
pub fn check(sweep: &Sweep, columns: &[Column]) -> Result<(), Diagnostics> {
    let frame = Frame { columns: columns.to_vec(), rows: Vec::new() };
    let mut errors: Option<Diagnostics> = None;
    for (at, gate) in sweep.gates.iter().enumerate() {
        let (key, problem) = match &gate.rule {
            Rule::Holds(condition) => {
                ("holds", condition.names().iter().find_map(|name| holds::source(&frame, name).err()))
            }
            _ => ("measure", Measure::find(&frame, &gate.measure).err()),
        };
        let Some(problem) = problem else { continue };
        let (message, label) = problem.split_once(": ").unwrap_or((&problem, ""));
        let error = sweep.wrong(&format!("gates[{at}].{key}"), message, label);
        errors = Some(match errors {
            Some(others) => others.and(error),
            None => error,
        });
    }
    errors.map_or(Ok(()), Err)
}

/// Every row that has an error in place of figures.
fn failed(frame: &Frame) -> Vec<(String, String)> {
    let Some(column) = frame.position("error") else { return Vec::new() };
    let labels = Labels::of(frame, &["replica"]);
    let wrong = |row: usize| Some(text(frame, row, column)).filter(|error| !error.is_empty());
    (0..frame.rows.len()).filter_map(|row| Some((labels.of_row(frame, row), wrong(row)?))).collect()
}

/// Results of the comparisons of one assertion.
#[derive(Debug, Default)]
struct Findings {
    unit: String,
    checked: u64,
    violations: Vec<Violation>,
    problem: Option<String>,
}

impl Findings {
    /// No comparison can be made.
    fn problem(problem: impl Into<String>) -> Findings {
        Findings { problem: Some(problem.into()), ..Findings::default() }
    }
}

fn verdict(gate: &Gate, on: Option<&str>, frame: &Frame, known: &Known<'_>) -> Verdict {
    let passes = |row: &usize| gate.filter.is_none_or(|filter| (known.passes)(*row, filter));
    let rows: Vec<usize> = (0..frame.rows.len()).filter(passes).collect();
    let found = match (&gate.rule, on) {
        _ if frame.rows.is_empty() => Findings::problem("there are no points"),
        (_, Some(on)) if rows.is_empty() => Findings::problem(format!("no point passes the filter {on}")),
        (Rule::Holds(condition), _) => holds::check(condition, frame, &rows, known),
        (rule, _) => match Measure::find(frame, &gate.measure) {
            Err(problem) => Findings::problem(problem),
            Ok(measure) => {
                let compared = Compared { frame, rows: &rows, measure: &measure, more: gate.more_is_better };
                let found = match rule {
                    Rule::NoWorse { over, value, than, by } => {
                        no_worse::check(&compared, over, value, than, *by)
                    }
                    Rule::Order { over, values, tie } => order::check(&compared, over, values, *tie),
                    Rule::Baseline { file, by } => baseline::check(&compared, file, *by, known),
                    Rule::Holds(_) => Findings::default(),
                };
                Findings { unit: measure.unit, ..found }
            }
        },
    };
    Verdict {
        name: gate.name.clone(),
        rule: words::rule(gate, on),
        line: gate.line,
        measure: if matches!(gate.rule, Rule::Holds(_)) { String::new() } else { gate.measure.clone() },
        unit: found.unit,
        checked: found.checked,
        violations: found.violations,
        problem: found.problem,
    }
}

/// Values to compare: the measure, and the rows that it is read from.
struct Compared<'a> {
    frame: &'a Frame,
    rows: &'a [usize],
    measure: &'a Measure,
    more: bool,
}

#[cfg(test)]
mod tests;
