//! Statistics of errors of simulated values, for published measurements and for those of the user's machine.

use crate::numbers::significant;
use crate::page::Sheet;

/// Statistics of the errors of many values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Off {
    /// Number of values with an error.
    pub judged: usize,
    /// Number of values whose errors are within their limits.
    pub within: usize,
    /// Median of `|error|`.
    pub error: f64,
    /// Median of the measured spreads.
    pub spread: f64,
    /// Index (among all values) and error of the value with the largest `|error|`.
    pub worst: (usize, f64),
}

impl Off {
    /// Collects errors, verdicts and spreads; `None` if no value has an error.
    pub fn of(rows: impl Iterator<Item = (Option<f64>, Option<bool>, f64)>) -> Option<Off> {
        let judged: Vec<(usize, f64, bool, f64)> = (0..)
            .zip(rows)
            .filter_map(|(at, (error, within, spread))| Some((at, error?, within == Some(true), spread)))
            .collect();
        // Of equal errors, the first is the worst.
        let worst = judged.iter().rev().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        Some(Off {
            judged: judged.len(),
            within: judged.iter().filter(|row| row.2).count(),
            error: median(judged.iter().map(|row| row.1.abs())),
            spread: median(judged.iter().map(|row| row.3)),
            worst: (worst.0, worst.1),
        })
    }
}

/// Median of at least one value.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

/// An experiment: its name, statistics of its errors, and its number of values.
type ExperimentOff<'a> = (&'a str, Option<Off>, usize);

/// One row per experiment; `None` unless there are several experiments, one of them with several
/// values.
pub(crate) fn by_experiment(rows: Vec<ExperimentOff<'_>>) -> Option<Sheet<ExperimentOff<'_>>> {
    let several = rows.len() > 1 && rows.iter().any(|row| row.2 > 1);
    several.then(|| {
        Sheet::of(rows)
            .text("what", |row| row.0.to_owned())
            .number("values", |row| row.2)
            .number("within\nlimits", |row| row.1.map(|off| off.within))
            .number("median\n|error|", |row| row.1.map(|off| percent(off.error)))
    })
}

/// Percentage with one decimal; from 200 % on, without decimals.
pub(crate) fn percent(part: f64) -> String {
    let decimals = if part >= 2.0 { 0 } else { 1 };
    format!("{:.decimals$}%", part * 100.0)
}

/// Text of a value with three significant digits and the unit; without a unit for ratios, whose unit is `1`.
pub fn quantity(unit: &str, value: f64) -> String {
    let number = significant(value);
    if matches!(unit, "" | "1") { number } else { format!("{number} {unit}") }
}
