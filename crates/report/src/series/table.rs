//! The series in a terminal: a row for each point and policy, a column for each measure.

use super::unit;
use crate::numbers::{TimeScale, significant};
use crate::style::{Ink, Style};
use crate::summary::unusual_runtime;
use crate::table::{Grid, fit, printable};
use numalab_results::{Measure, Series};

/// The table of a series, with the measures of the whole series below it.
pub fn series_table(series: &Series, style: Style) -> String {
    let mut sections = vec![title(series, &style)];
    if !series.points.is_empty() {
        sections.push(rows(series).draw(&style));
    }
    if !series.summary.is_empty() {
        sections.push(summary(series).draw(&style));
    }
    sections.join("\n")
}

fn title(series: &Series, style: &Style) -> String {
    let mut facts = vec![series.machine.name.clone(), series.workload.name.clone()];
    facts.extend(unusual_runtime(series.runtime.as_ref()));
    facts.push(format!("over {}", series.over));
    let mut sizes = series.points.iter().flat_map(|point| &point.runs).map(|run| run.threads);
    if let Some(threads) = sizes.next().filter(|first| sizes.all(|other| other == *first)) {
        facts.push(if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") });
    }
    facts.push(format!("seed {}", series.seed));
    let text = fit(&printable(&facts.join(style.pick(" · ", ", "))), style.columns(), style);
    format!("{}\n", style.paint(Ink::Bold, &text))
}

fn rows(series: &Series) -> Grid {
    let runs = || series.points.iter().flat_map(|point| &point.runs);
    let at = series.points.iter().flat_map(|point| {
        // The value stands once, beside the first of its policies.
        point.runs.iter().enumerate().map(|(row, _)| if row == 0 { point.label() } else { String::new() })
    });
    let words = series.points.iter().any(|point| point.label().parse::<f64>().is_err());
    let mut grid =
        if words { Grid::new().text(&series.over, at) } else { Grid::new().number(&series.over, at) };
    let policies: Vec<&str> = series.policies().collect();
    if policies.len() > 1 {
        grid = grid.text("policy", runs().map(|run| run.policy.clone()));
    }
    let threads = || runs().map(|run| run.threads);
    if series.over != "threads" && threads().min() != threads().max() {
        grid = grid.number("threads", threads().map(|threads| threads.to_string()));
    }
    grid = grid.number("makespan", makespans(&runs().map(|run| run.makespan_ps).collect::<Vec<_>>()));
    for (at, measure) in series.measures.iter().enumerate() {
        let values: Vec<Option<f64>> = runs().map(|run| run.values.get(at).copied().flatten()).collect();
        // A measure of the whole series alone has no value of any run.
        if values.iter().any(Option::is_some) {
            grid = grid.number(&header(measure), column(&values));
        }
    }
    grid
}

/// In one unit; each in its own where they lie so far apart that the small ones would lose their digits.
fn makespans(times: &[u64]) -> Vec<String> {
    const APART: u64 = 1000;
    let (least, most) = (times.iter().min().copied().unwrap_or(0), times.iter().max().copied().unwrap_or(0));
    let common = TimeScale::of(times.iter().copied());
    let scale = |time: u64| if most / APART > least { TimeScale::of([time]) } else { common };
    times.iter().map(|&time| scale(time).show(time as f64)).collect()
}

fn header(measure: &Measure) -> String {
    match unit(&measure.unit) {
        "" => printable(&measure.name),
        unit => format!("{}\n{}", printable(&measure.name), printable(unit)),
    }
}

/// One precision for all: three digits of the smallest, but no more than three decimals beside a number
/// of 1 or more.
fn column(values: &[Option<f64>]) -> Vec<String> {
    let sizes = || values.iter().flatten().map(|value| value.abs()).filter(|size| *size > 0.0);
    let (smallest, largest) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let digits = |size: f64| (2.0 - size.log10().floor()).clamp(0.0, 6.0);
    let most = if largest >= 1.0 { 3.0 } else { digits(largest) + 1.0 };
    let whole = values.iter().flatten().all(|value| value.fract() == 0.0);
    let decimals = if whole { 0.0 } else { digits(smallest).min(most) } as usize;
    let shown = |value: f64| match (1e-3..1e9).contains(&largest) || whole && largest < 1e9 {
        true => format!("{value:.decimals$}"),
        false => significant(value),
    };
    values.iter().map(|value| value.map_or("-".to_owned(), shown)).collect()
}

fn summary(series: &Series) -> Grid {
    let rows = || series.summary.iter();
    let mut grid = Grid::new().text("of the series", rows().map(|row| row.name.clone()));
    if series.policies().nth(1).is_some() {
        grid = grid.text("policy", rows().map(|row| row.policy.clone()));
    }
    grid.number("value", rows().map(|row| row.value.map_or("-".to_owned(), significant)))
        .text("", rows().map(|row| unit(&row.unit).to_owned()))
}
