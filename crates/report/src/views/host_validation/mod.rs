//! Measurements of the user's machine beside simulated values.

pub mod cases;
#[cfg(test)]
mod tests;

use super::off::{Off, by_experiment, percent, quantity};
use crate::numbers::{signed_percent, significant};
use crate::page::{Page, Rows, Sheet, View, exact};
use crate::style::Style;
use cases::{Case, cases};
use numalab_results::{HostRow, HostValidation, Intervals};

impl View for HostValidation {
    /// Arranges one row per simulated measurement, reasons why others were not simulated, a table by experiment, and
    /// a summary.
    fn page(&self, _: &Style) -> Page {
        let all = cases(&self.rows);
        let chosen = |which: &dyn Fn(&HostRow) -> bool| -> Vec<&Case<'_>> {
            all.iter().filter(|case| which(case.row)).collect()
        };
        let simulated = chosen(&|row| row.simulated.is_some());
        let disturbed = simulated.iter().any(|case| case.row.disturbed);
        let HostValidation { machine, runtime, measurements, .. } = self;
        let disturbed_note = "* disturbed: too few undisturbed samples; the best are used";
        let roles = [("characterise", "fitted on"), ("predict", "predictions")];
        let groups = simulated.chunk_by(|a, b| a.row.experiment == b.row.experiment);
        let experiments = groups.map(|group| (&group[0].row.experiment[..], off(group), group.len()));
        let experiments = by_experiment(experiments.collect()).map(|sheet| {
            sheet
                .number("median\nspread", |row| row.1.map(|off| percent(off.spread)))
                .number("worst", |row| row.1.map(|off| signed_percent(off.worst.1)))
        });
        Page::default()
            .text([format!("{measurements} beside {machine} with OpenMP runtime {runtime}")])
            .with((!simulated.is_empty()).then(|| sheet(&simulated)), Page::table)
            .text(marks(&simulated))
            .text(disturbed.then(|| disturbed_note.to_owned()))
            .text(not_simulated(&chosen(&|row| row.simulated.is_none())))
            .with(experiments, Page::table)
            .text(self.warnings.iter().map(|warning| format!("Note: {warning}.")))
            .text(roles.iter().filter_map(|(role, what)| summary(what, &chosen(&|row| row.role == *role))))
            .text(self.intervals.map(|Intervals { held, of }| {
                format!(
                    "intervals: the measured value is inside {held} of {of} ({}); {} should be",
                    percent_of(held, of),
                    percent_of(9, 10),
                )
            }))
    }
}

impl Rows for HostValidation {
    fn csv(&self) -> String {
        Sheet::of(&self.rows)
            .file("experiment", |row| row.experiment.clone())
            .file("quantity", |row| row.quantity.clone())
            .file("params", |row| row.params.clone())
            .file("unit", |row| row.unit.clone())
            .file("role", |row| row.role.clone())
            .file("measured", |row| exact(row.measured))
            .file("spread", |row| exact(row.spread))
            .file("samples", |row| row.samples)
            .file("dropped", |row| row.dropped)
            .file("disturbed", |row| row.disturbed)
            .file("simulated", |row| row.simulated.map(exact))
            .file("error", |row| row.error.map(exact))
            .file("limit", |row| exact(row.limit))
            .file("within", |row| row.within)
            .file("low", |row| row.low.map(exact))
            .file("high", |row| row.high.map(exact))
            .file("held", |row| row.held)
            .file("reason", |row| row.reason.clone())
            .csv()
    }
}

/// Legend of the marks in the table; `None` if no mark occurs.
fn marks(cases: &[&Case<'_>]) -> Option<String> {
    let outside = cases.iter().any(|case| case.row.held == Some(false));
    let interval = if outside { "; !: the measured value is outside the interval" } else { "" };
    let judged = cases.iter().any(|case| case.row.within.is_some());
    judged.then(|| {
        format!(
            "✓: the error is within {:.0}% or the measured spread; ✗: it is not{interval}",
            HostRow::LIMIT * 100.0
        )
    })
}

/// Table of the cases. The column `role` is shown only if roles differ and there is room.
fn sheet<'a>(cases: &[&'a Case<'a>]) -> Sheet<&'a Case<'a>> {
    let differ = cases.iter().any(|case| case.row.role != cases[0].row.role);
    let sure = cases.iter().any(|case| case.row.held.is_some());
    let unmarked = if cases.iter().any(|case| case.row.disturbed) { " " } else { "" };
    let mark = |row: &HostRow| if row.disturbed { "*" } else { unmarked };
    Sheet::of(cases.to_vec())
        .text("what", |case| case.row.experiment.clone())
        .text("case", |case| case.within_experiment())
        .when(differ, |sheet| sheet.text("role", |case| case.row.role.clone()).until(1))
        .number("measured", |case| quantity(&case.row.unit, case.row.measured))
        .number("spread", |case| format!("±{}{}", percent(case.row.spread), mark(case.row)))
        .number("simulated", |case| case.row.simulated.map(|value| quantity(&case.row.unit, value)))
        .number("error", |case| case.row.error.map(signed_percent))
        .when(sure, |sheet| sheet.number("interval", |case| interval(case.row)))
        .verdict(|case| case.row.within)
}

/// Bounds of the measurement's interval, in the unit of the value. An exclamation mark is added if the measured value
/// is outside the interval.
fn interval(row: &HostRow) -> Option<String> {
    let outside = if row.held == Some(false) { "!" } else { "" };
    Some(format!("{} .. {}{outside}", significant(row.low?), significant(row.high?)))
}

fn percent_of(part: usize, of: usize) -> String {
    format!("{:.0}%", part as f64 / of as f64 * 100.0)
}

/// Statistics of the errors of some cases; `None` if none has an error.
pub fn off(cases: &[&Case<'_>]) -> Option<Off> {
    Off::of(cases.iter().map(|case| (case.row.error, case.row.within, case.row.spread)))
}

/// One sentence per reason, with the measurements that were not simulated for this reason.
fn not_simulated(cases: &[&Case<'_>]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for case in cases {
        let reason = case.row.reason.as_deref().unwrap_or("no value");
        match reasons.iter_mut().find(|entry| entry.0 == reason) {
            Some(entry) => entry.1.push(case.named()),
            None => reasons.push((reason, vec![case.named()])),
        }
    }
    let line =
        |(reason, rows): &(&str, Vec<String>)| format!("Not simulated: {}: {reason}.", rows.join(", "));
    reasons.iter().map(line).collect()
}

/// Sentence with counts, median error and worst value; `None` if no case has an error.
fn summary(what: &str, cases: &[&Case<'_>]) -> Option<String> {
    let count =
        |which: fn(&HostRow) -> bool, what: &str| match cases.iter().filter(|case| which(case.row)).count() {
            0 => String::new(),
            count => format!(", {count} {what}"),
        };
    let disturbed = count(|row| row.error.is_some() && row.disturbed, "disturbed");
    let missing = count(|row| row.error.is_none(), "not simulated");
    let Some(off) = off(cases) else {
        return (!cases.is_empty()).then(|| format!("{what}: none of {} simulated", cases.len()));
    };
    let Off { judged, within, error, spread, worst: (at, worst) } = off;
    Some(format!(
        "{what}: {within} of {judged} within limits ({:.0}% or the measured spread), median |error| {}, median spread \
         {}, worst {} ({}){disturbed}{missing}",
        HostRow::LIMIT * 100.0,
        percent(error),
        percent(spread),
        signed_percent(worst),
        cases[at].named(),
    ))
}
