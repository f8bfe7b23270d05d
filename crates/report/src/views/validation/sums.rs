//! Statistics over published rows: a table by experiment, and sentences on all rows.

use super::super::off::{Off, percent};
use super::rows::Judged;
use crate::numbers::{count, share};
use crate::page::Sheet;
use numalab_results::{Score, Validation, ValidationRow};

/// Table with one row per score.
pub(super) fn by(scores: Vec<&Score>) -> Sheet<&Score> {
    let machines = scores.iter().any(|score| score.machine.is_some());
    let sheet = Sheet::of(scores);
    let sheet = sheet.when(machines, |sheet| sheet.text("machine", |score| score.machine.clone()));
    sheet
        .text("what", |score| score.experiment.clone())
        .number("values", |score| score.simulated)
        .number("within\nlimits", |score| score.within)
        .number("median\n|error|", |score| score.median_error.map(percent))
        .number("worst", |score| score.worst_error.map(percent))
        .number("tau", |score| score.tau.map(|tau| format!("{tau:.2}")))
        .number("gaps in\norder", |score| {
            (score.gaps > 0).then(|| format!("{} of {}", score.gaps_ordered, score.gaps))
        })
}

fn off(rows: &[&ValidationRow]) -> Option<Off> {
    Off::of(rows.iter().map(|row| (row.error, row.within, 0.0)))
}

/// One sentence on all rows that are simulated; if not all rows are predictions, another sentence on these; then on
/// the intervals of predictions, and on rows that a file states.
pub(super) fn summaries(all: &Validation) -> Vec<String> {
    let counted: Vec<&ValidationRow> = all.judged().into_iter().filter(|row| !row.stated).collect();
    let stated = all.rows.iter().filter(|row| row.stated).count();
    let predicted: Vec<&ValidationRow> =
        counted.iter().copied().filter(|row| row.role == "predict").collect();
    let predictions = all.rows.iter().filter(|row| row.role == "predict" && !row.stated).count();
    let rows = all.rows.len() - stated;
    let of_predictions =
        (predictions > 0 && predictions < rows).then(|| summary("predictions", predictions, &predicted));
    let checks = (stated > 0).then(|| {
        format!(
            "{} that a file states, or a formula of it, are checks and do not count",
            count(stated, "value")
        )
    });
    let first = (rows > 0).then(|| summary("all", rows, &counted));
    first.into_iter().chain(of_predictions).chain(coverage(&predicted)).chain(checks).collect()
}

/// Sentence on how often the published value lies in the interval of a prediction; `None` without intervals.
fn coverage(predicted: &[&ValidationRow]) -> Option<String> {
    let with: Vec<(&ValidationRow, (f64, f64))> =
        predicted.iter().filter_map(|row| Some((*row, row.interval?))).collect();
    let inside = with.iter().filter(|(row, (low, high))| {
        row.published.is_some_and(|published| (*low..=*high).contains(&published))
    });
    let mut widths: Vec<f64> =
        with.iter().filter_map(|(row, (_, high))| Some(high / row.simulated?)).collect();
    widths.sort_by(f64::total_cmp);
    let median = widths.get(widths.len() / 2)?;
    Some(format!(
        "intervals: {} of {} predictions lie within what nine in ten others of their kind are off by ({}); half of \
         the intervals reach to ×{median:.2} or less",
        inside.clone().count(),
        with.len(),
        percent(share(inside.count() as f64, with.len() as f64)),
    ))
}

/// Sentence with counts, median error and worst value of some rows.
fn summary(what: &str, all: usize, judged: &[&ValidationRow]) -> String {
    let within = judged.iter().filter(|row| row.within == Some(true)).count();
    let text = format!("{what}: {} of {all} simulated, {within} within limits", judged.len());
    match off(judged) {
        None => text,
        Some(Off { error, worst: (at, worst), .. }) => {
            let [error, worst] = [error, worst.abs()].map(|part| format!("{:.1}%", part * 100.0));
            format!("{text}, median |error| {error}, worst {worst} ({})", judged[at].id)
        }
    }
}
