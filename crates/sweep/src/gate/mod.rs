//! Gates of a sweep, one rule per file.
//!
//! Replicas of a point are compared by their median, and a difference beyond a limit counts only if the ranges of the
//! replicas have no value in common. Failed points are reported separately and not compared. A gate that no point matches
//! counts as not checked, and does not pass.

mod baseline;
mod difference;
mod holds;
mod measure;
mod no_worse;
mod order;
mod words;

pub(crate) use measure::{Measure, change};

use crate::file::{Gate, Rule, Sweep};
use crate::group::{Labels, text};
use difference::Difference;
use numalab_results::{Column, Frame, GateReport, Verdict, Violation};
use numalab_syntax::diagnostics::Diagnostics;
use std::path::Path;

/// Functions and facts about the rows, by which gates are evaluated.
pub struct Known<'a> {
    /// True if the row (first index) passes the filter (second index).
    pub passes: &'a dyn Fn(usize, usize) -> bool,
    /// Fact of a row's machine and team, by row index and name; `None` if unknown.
    pub facts: &'a dyn Fn(usize, &str) -> Option<f64>,
    /// Reads a file of results that a gate names as baseline; the error is a sentence.
    pub read: &'a dyn Fn(&Path) -> Result<Frame, String>,
    /// True if points were left out on purpose, so that a baseline may have more points.
    pub partial: bool,
}

/// Evaluates all gates of a sweep. `frame` has one row for each point.
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

/// Checks the names in gates against the columns, before a long run.
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

/// Label and error of each failed row.
fn failed(frame: &Frame) -> Vec<(String, String)> {
    let Some(column) = frame.position("error") else { return Vec::new() };
    let labels = Labels::of(frame, &["replica"]);
    let wrong = |row: usize| Some(text(frame, row, column)).filter(|error| !error.is_empty());
    (0..frame.rows.len()).filter_map(|row| Some((labels.of_row(frame, row), wrong(row)?))).collect()
}

/// Result of checking one gate.
#[derive(Debug, Default)]
struct Findings {
    unit: String,
    checked: u64,
    undecided: u64,
    violations: Vec<Violation>,
    problem: Option<String>,
}

impl Findings {
    fn add(&mut self, difference: Difference) {
        self.checked += 1;
        match difference {
            Difference::Within => {}
            Difference::Undecided => self.undecided += 1,
            Difference::Beyond(violation) => self.violations.push(violation),
        }
    }

    /// Findings of a gate that cannot be checked, with the reason.
    fn problem(problem: impl Into<String>) -> Findings {
        Findings { problem: Some(problem.into()), ..Findings::default() }
    }
}

fn verdict(gate: &Gate, on: Option<&str>, frame: &Frame, known: &Known<'_>) -> Verdict {
    let passes = |row: &usize| gate.filter.is_none_or(|filter| (known.passes)(*row, filter));
    let rows: Vec<usize> = (0..frame.rows.len()).filter(passes).collect();
    let findings = match (&gate.rule, on) {
        _ if frame.rows.is_empty() => Findings::problem("there are no points"),
        (_, Some(on)) if rows.is_empty() => Findings::problem(format!("no point passes the filter {on}")),
        (Rule::Holds(condition), _) => holds::check(condition, frame, &rows, known),
        (rule, _) => match Measure::find(frame, &gate.measure) {
            Err(problem) => Findings::problem(problem),
            Ok(measure) => {
                let compared = Compared { frame, rows: &rows, measure: &measure, more: gate.more_is_better };
                let compared_rows = match rule {
                    Rule::NoWorse { over, value, than, by } => {
                        no_worse::check(&compared, over, value, than, *by)
                    }
                    Rule::Order { over, values, tie } => order::check(&compared, over, values, *tie),
                    Rule::Baseline { file, by } => baseline::check(&compared, file, *by, known),
                    Rule::Holds(_) => Findings::default(),
                };
                Findings { unit: measure.unit, ..compared_rows }
            }
        },
    };
    Verdict {
        name: gate.name.clone(),
        rule: words::rule(gate, on),
        line: gate.line,
        measure: if matches!(gate.rule, Rule::Holds(_)) { String::new() } else { gate.measure.clone() },
        unit: findings.unit,
        checked: findings.checked,
        undecided: findings.undecided,
        violations: findings.violations,
        problem: findings.problem,
    }
}

/// Rows and measure that a gate compares, and true if larger values are better.
struct Compared<'a> {
    frame: &'a Frame,
    rows: &'a [usize],
    measure: &'a Measure,
    more: bool,
}

#[cfg(test)]
mod tests;
