//! The main figures of each run.

use crate::numbers::{TimeScale, percent};
use crate::page::Sheet;
use crate::views::summary::{Distances, Summary, best_ps};
use numalab_results::{Busiest, Comparison, Run};

/// A row for each policy. Where the terminal is too narrow for all columns in one table, the busiest resources follow
/// in a second one.
pub(super) fn sheet(comparison: &Comparison) -> Sheet<(&Run, Summary<'_>)> {
    let runs = || comparison.runs.iter();
    let scale = TimeScale::of(runs().map(|run| run.makespan_ps));
    let sizes = || runs().map(|run| run.threads);
    let Distances { near, remote } = Distances::of(comparison);
    let busiest = |pick: fn(Busiest<'_>) -> String| move |row: &(&Run, Summary<'_>)| row.1.busiest.map(pick);
    let resource = busiest(|busiest| busiest.resource.name.clone());
    Sheet::of(runs().map(|run| (run, Summary::of(run, best_ps(comparison)))))
        .text("policy", |(run, _)| run.policy.clone())
        .when(sizes().min() != sizes().max(), |sheet| sheet.number("threads", |(run, _)| run.threads))
        .number("makespan", |(run, _)| scale.show(run.makespan_ps as f64))
        .number("ratio", |(_, row)| format!("{:.2}", row.ratio))
        .number("local", |(_, row)| percent(row.distance.local))
        .each(near, |sheet, name| {
            sheet.number(&name.replace(' ', "\n"), |(_, row)| percent(row.distance.near))
        })
        .when(remote, |sheet| sheet.number("remote", |(_, row)| percent(row.distance.remote)))
        .when(runs().any(|run| run.cached_bytes > 0), |sheet| {
            sheet.number("cached", |(_, row)| percent(row.cached))
        })
        .fold()
        .text("busiest resource", |row| resource(row).unwrap_or_else(|| "-".to_owned()))
        .number("mean\nuse", busiest(|busiest| percent(busiest.mean)))
        .number("peak\nuse", busiest(|busiest| percent(busiest.resource.peak_utilisation)))
}
