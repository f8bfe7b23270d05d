//! Tables of published rows.

use super::super::off::quantity;
use crate::numbers::signed_percent;
use crate::page::{Lines, Sheet, exact};
use numalab_results::{Score, Validation, ValidationRow};

/// Role that is shown for rows that a file states.
const STATED: &str = "stated";

/// True for a row with a simulated value or order.
pub(super) fn is_judged(row: &ValidationRow) -> bool {
    row.simulated.is_some() || row.found.is_some()
}

/// Parts of a validation from which tables are made.
pub(super) trait Judged {
    /// Rows with a simulated value.
    fn judged(&self) -> Vec<&ValidationRow>;
    /// Score of the row's machine and experiment; `None` if it has none.
    fn score(&self, row: &ValidationRow) -> Option<&Score>;
}

impl Judged for Validation {
    fn judged(&self) -> Vec<&ValidationRow> {
        self.rows.iter().filter(|row| is_judged(row)).collect()
    }

    fn score(&self, row: &ValidationRow) -> Option<&Score> {
        let own = |score: &&Score| {
            score.machine.as_ref() == Some(&row.machine) && score.experiment == row.experiment
        };
        self.scores.iter().find(own)
    }
}

/// Table of `rows`; scores are taken from `all`. Narrow terminals first omit quantity and case, then machine and
/// experiment, which the identifier contains.
pub(super) fn sheet<'a>(all: &'a Validation, rows: Vec<&'a ValidationRow>) -> Sheet<&'a ValidationRow> {
    let sheet = Sheet::of(rows)
        .words("id", "value", |row| row.id.clone())
        .file("source", |row| row.source.clone())
        .words("machine", "machine", |row| row.machine.clone())
        .until(2)
        .words("experiment", "what", |row| row.experiment.clone())
        .until(2)
        .words("quantity", "quantity", |row| row.quantity.clone())
        .until(1)
        .words("params", "case", |row| row.params.clone())
        .until(1)
        .words("role", "role", |row| if row.stated { STATED.to_owned() } else { row.role.clone() })
        .file("published", |row| row.published.map(exact))
        .file("expected", |row| row.expected.clone())
        .file("simulated", |row| row.simulated.map(exact))
        .file("found", |row| row.found.clone())
        .file("unit", |row| row.unit.clone())
        .file("error", |row| row.error.map(exact))
        .file("tolerance", |row| exact(row.tolerance))
        .file("within", |row| row.within)
        .file("interval_low", |row| row.interval.map(|(low, _)| exact(low)))
        .file("interval_high", |row| row.interval.map(|(_, high)| exact(high)))
        .file("seeds", |row| row.seeds)
        .file("seeds_low", |row| row.over_seeds.map(|(low, _)| exact(low)))
        .file("seeds_high", |row| row.over_seeds.map(|(_, high)| exact(high)))
        .file("command", |row| row.commands.join("\n"))
        .file("stated", |row| row.stated)
        .file("kendall_tau", |row| all.score(row).and_then(|score| score.tau).map(exact))
        .file("gaps", |row| all.score(row).map(|score| score.gaps))
        .file("gaps_ordered", |row| all.score(row).map(|score| score.gaps_ordered))
        .file("reason", |row| row.reason.clone())
        .file("note", |row| row.note.clone());
    figures(sheet).verdict(|row| row.within)
}

/// Adds the columns of published and simulated values and their errors.
pub(super) fn figures(sheet: Sheet<&ValidationRow>) -> Sheet<&ValidationRow> {
    let intervals = sheet.rows.iter().any(|row| row.interval.is_some());
    let varied = sheet.rows.iter().any(|row| over_seeds(row).is_some());
    sheet
        .number("published", |row| match &row.expected {
            // An order of runs is text and has no unit.
            Some(text) if row.found.is_some() => Some(below_each_other(text)),
            Some(text) if matches!(&*row.unit, "" | "1") => Some(Lines::of([text])),
            Some(text) => Some(Lines::of([format!("{text} {}", row.unit)])),
            None => row.published.map(|value| Lines::of([quantity(&row.unit, value)])),
        })
        .number("simulated", |row| {
            let found = row.found.as_deref().map(below_each_other);
            found.or_else(|| row.simulated.map(|value| Lines::of([quantity(&row.unit, value)])))
        })
        .when(varied, |sheet| sheet.number("over seeds", over_seeds).until(1))
        .number("error", |row| row.error.map(signed_percent))
        .when(intervals, |sheet| {
            sheet.number("nine in ten\nwithin", |row| {
                let (_, high) = row.interval?;
                Some(format!("×{:.2}", high / row.simulated?))
            })
        })
        .number("limit", |row| row.expected.is_none().then(|| format!("{:.0}%", row.tolerance * 100.0)))
}

/// Least and largest simulated value over the seeds; `None` if they are within a hundredth of the value.
fn over_seeds(row: &&ValidationRow) -> Option<String> {
    let (low, high) = row.over_seeds?;
    let value = row.simulated.filter(|value| high - low > value.abs() / 100.0)?;
    Some(format!("{} to {}", signed_percent(low / value - 1.0), signed_percent(high / value - 1.0)))
}

/// Text of an order of runs, with one run per line if the order is longer than most numbers.
fn below_each_other(order: &str) -> Lines {
    const LINE: usize = 14;
    match order.len() > LINE {
        true => Lines::of(order.split_inclusive(['<', '='])),
        false => Lines::of([order]),
    }
}

/// Rows by machine, within a machine the largest errors first. Rows without an error are last.
pub(super) fn worst_first(mut rows: Vec<&ValidationRow>) -> Vec<&ValidationRow> {
    let error = |row: &ValidationRow| row.error.map_or(-1.0, f64::abs);
    rows.sort_by(|a, b| a.machine.cmp(&b.machine).then(error(b).total_cmp(&error(a))));
    rows
}
