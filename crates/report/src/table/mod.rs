//! The comparison in a terminal: a row per policy in a few tables, and under them a bar per thread.

mod efficiency;
mod findings;
mod grid;
mod measures;
mod tasks;
mod threads;

pub(crate) use grid::{Grid, printable, wrap};

use crate::numbers::{TimeScale, percent};
use crate::style::{Ink, Style};
use crate::summary::{Distances, Summary, best_ps, team_size, unusual_runtime};
use numalab_results::Comparison;

/// The table of a comparison, with bars under it. No line is wider than the style says.
pub fn table(comparison: &Comparison, style: Style) -> String {
    let mut sections = vec![title(comparison, &style)];
    if !comparison.runs.is_empty() {
        sections.push(policies(comparison, &style));
        sections.extend(efficiency::section(comparison, &style));
        sections.extend(tasks::section(comparison, &style));
        sections.extend(findings::section(comparison, &style));
        sections.extend(measures::section(comparison, &style));
        sections.extend(threads::sections(comparison, &style));
    }
    sections.join("\n")
}

fn title(comparison: &Comparison, style: &Style) -> String {
    let dot = style.pick(" · ", ", ");
    let mut facts = vec![comparison.machine.name.clone(), comparison.workload.name.clone()];
    facts.extend(unusual_runtime(comparison.runtime.as_ref()));
    facts.extend([team_size(comparison), format!("seed {}", comparison.seed)]);
    let text = fit(&printable(&facts.join(dot)), style.columns(), style);
    format!("{}\n", style.paint(Ink::Bold, &text))
}

/// One row per policy. Where the terminal is too narrow for all columns in one table, the busiest
/// resources follow in a second one.
fn policies(comparison: &Comparison, style: &Style) -> String {
    let summaries: Vec<Summary<'_>> =
        comparison.runs.iter().map(|run| Summary::of(run, best_ps(comparison))).collect();
    let mut times = Grid::new().text("policy", comparison.runs.iter().map(|run| run.policy.clone()));
    let sizes = || comparison.runs.iter().map(|run| run.threads);
    if sizes().min() != sizes().max() {
        times = times.number("threads", sizes().map(|threads| threads.to_string()));
    }
    let scale = TimeScale::of(comparison.runs.iter().map(|run| run.makespan_ps));
    times = times
        .number("makespan", comparison.runs.iter().map(|run| scale.show(run.makespan_ps as f64)))
        .number("ratio", summaries.iter().map(|row| format!("{:.2}", row.ratio)))
        .number("local", summaries.iter().map(|row| percent(row.distance.local)));
    let distances = Distances::of(comparison);
    if let Some(name) = distances.near {
        let header = name.replace(' ', "\n");
        times = times.number(&header, summaries.iter().map(|row| percent(row.distance.near)));
    }
    if distances.remote {
        times = times.number("remote", summaries.iter().map(|row| percent(row.distance.remote)));
    }
    if comparison.runs.iter().any(|run| run.cached_bytes > 0) {
        times = times.number("cached", summaries.iter().map(|row| percent(row.cached)));
    }

    let busiest = |grid: Grid| {
        let of = |pick: fn(&Summary<'_>) -> Option<String>| {
            summaries.iter().map(move |row| pick(row).unwrap_or_else(|| "-".to_owned()))
        };
        grid.text("busiest resource", of(|row| Some(row.busiest?.resource.name.clone())))
            .number("mean\nuse", of(|row| Some(percent(row.busiest?.mean))))
            .number("peak\nuse", of(|row| Some(percent(row.busiest?.resource.peak_utilisation))))
    };
    let all = busiest(times.clone());
    if all.natural_width() <= style.columns() {
        return all.draw(style);
    }
    let names = Grid::new().text("policy", comparison.runs.iter().map(|run| run.policy.clone()));
    format!("{}\n{}", times.draw(style), busiest(names).draw(style))
}

/// The text, cut to so many columns with a sign that it was.
pub(crate) fn fit(text: &str, columns: usize, style: &Style) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let sign = style.pick("…", "~");
    text.chars().take(columns.saturating_sub(1)).chain(sign.chars()).collect()
}

#[cfg(test)]
mod tests;
