//! Table of the main figures of each run.

use crate::numbers::{TimeScale, grouped, percent};
use crate::page::{Lines, Sheet};
use crate::views::summary::{Distances, Summary, best_ps, lost_to, that_matters, when, worst_place};
use numalab_results::{Bottleneck, Comparison, PhaseCounts, Run};

/// One row per policy. If the terminal is too narrow for all columns, the bottlenecks follow in a
/// second table.
pub(super) fn sheet(comparison: &Comparison) -> Sheet<(&Run, Summary<'_>)> {
    let runs = || comparison.runs.iter();
    let scale = TimeScale::of(runs().map(|run| run.makespan_ps));
    let sizes = || runs().map(|run| run.threads);
    let Distances { near, remote, memory_only } = Distances::of(comparison);
    let places = runs().filter_map(lost).any(|lost| lost.resource.is_some());
    let phases = runs().any(|run| run.phases.len() > 1);
    Sheet::of(runs().map(|run| (run, Summary::of(run, best_ps(comparison)))))
        .text("policy", |(run, _)| run.policy.clone())
        .when(sizes().min() != sizes().max(), |sheet| sheet.number("threads", |(run, _)| run.threads))
        .number("makespan", |(run, _)| scale.show(run.makespan_ps as f64))
        .spread(|(run, _)| (run.replicas, scale))
        .number("ratio", |(_, row)| match row.ratio {
            ratio if ratio < 1e6 => format!("{ratio:.2}"),
            ratio => format!("{ratio:.2e}"),
        })
        .number("local", |(_, row)| percent(row.distance.local))
        .each(near, |sheet, name| {
            sheet.number(Lines::of(name.split(' ')), |(_, row)| percent(row.distance.near))
        })
        .when(remote, |sheet| sheet.number("remote", |(_, row)| percent(row.distance.remote)))
        .when(memory_only, |sheet| sheet.number("memory\nonly", |(_, row)| percent(row.distance.memory_only)))
        .each(PhaseCounts::COLUMNS, |sheet, count| {
            sheet.when(runs().any(|run| count.sum(&run.phases) > 0), |sheet| {
                sheet.number(count.name, |(run, _)| grouped(count.sum(&run.phases)))
            })
        })
        .when(runs().any(|run| run.cached_bytes > 0), |sheet| {
            sheet.number("cached", |(_, row)| percent(row.cached))
        })
        .fold(1)
        .text("waits most for", |(run, _)| lost_to(run.bottleneck.as_ref()))
        .number("share", |(run, _)| lost(run).map(|lost| percent(lost.share)))
        .text(if phases { "in phase" } else { "when" }, |(run, _)| match lost(run) {
            None => "-".to_owned(),
            Some(lost) if phases => lost.phase.clone(),
            Some(lost) => when(lost, run.makespan_ps),
        })
        .when(places, |sheet| {
            sheet.text("worst at", |(run, _)| lost(run).and_then(worst_place).unwrap_or("-".to_owned()))
        })
}

/// Bottleneck of a run; `None` if its share of the threads' time is negligible.
fn lost(run: &Run) -> Option<&Bottleneck> {
    that_matters(run.bottleneck.as_ref())
}
