//! A series of runs: one row per point and policy, one column per measure.

#[cfg(test)]
mod tests;

use crate::numbers::{TimeScale, count, percent, significant};
use crate::page::{Lines, Page, Rows, Sheet, View};
use crate::style::Style;
use crate::views::origins;
use crate::views::replay::above;
use crate::views::summary::{lost_to, that_matters, unusual_runtime};
use numalab_results::{Bottleneck, Measure, Point, PointRun, Series};

impl View for Series {
    fn page(&self, _: &Style) -> Page {
        let mut facts = vec![self.machine.name.clone(), self.workload.name.clone()];
        facts.extend(unusual_runtime(self.runtime.as_ref()));
        facts.push(format!("over {}", self.over));
        facts.extend(self.by.as_ref().map(|by| format!("by {by}")));
        facts.extend(team(self));
        facts.push(format!("seed {}", self.seed));
        let page = above(Page::titled(facts), self.replay.as_ref());
        let page = page.with((!self.points.is_empty()).then(|| sheet(self)), Page::table);
        let several = self.policies().nth(1).is_some();
        let summary = Sheet::of(&self.summary)
            .text("of the series", |row| row.name.clone())
            .each(&self.by, |sheet, by| sheet.text(by, |row| row.by.clone()))
            .when(several, |sheet| sheet.text("policy", |row| row.policy.clone()))
            .number("value", |row| row.value.map(significant))
            .text("", |row| unit(&row.unit).to_owned());
        let page = page.with((!self.summary.is_empty()).then_some(summary), Page::table);
        page.text(origins::sentences(&self.machine, &self.workload))
    }
}

impl Rows for Series {
    fn csv(&self) -> String {
        sheet(self).csv()
    }
}

/// Unit to show beside a number; empty for `1`, the unit of ratios.
pub fn unit(unit: &str) -> &str {
    if unit == "1" { "" } else { unit }
}

/// Team size, such as `8 threads`; `None` if the team sizes of the runs differ.
pub fn team(series: &Series) -> Option<String> {
    let mut sizes = series.points.iter().flat_map(|point| &point.runs).map(|run| run.threads);
    let first = sizes.next()?;
    sizes.all(|other| other == first).then(|| count(first, "thread"))
}

/// Names of columns that every file has. A varied parameter with one of these names gets another name.
const TAKEN: [&str; 15] = [
    "machine",
    "machine_hash",
    "workload",
    "workload_hash",
    "seed",
    "policy",
    "threads",
    "makespan_ps",
    "replicas",
    "makespan_low_ps",
    "makespan_median_ps",
    "makespan_high_ps",
    "bottleneck",
    "bottleneck_share",
    "bottleneck_phase",
];

/// Makespan relative to the first point under the same policy, as text; `None` if the policy is not in the first
/// point.
fn beside_the_first(series: &Series, run: &PointRun) -> Option<String> {
    let first = series.points.first()?.runs.iter().find(|first| first.policy == run.policy)?;
    let ratio = run.makespan_ps as f64 / first.makespan_ps as f64;
    ratio.is_finite().then(|| format!("{ratio:.2}"))
}

/// A point, one of its runs, and what is new in the run: the point, the value of the second series.
type RunAtPoint<'a> = (&'a Point, &'a PointRun, [bool; 2]);

fn sheet(series: &Series) -> Sheet<RunAtPoint<'_>> {
    let Series { machine, workload, over, .. } = series;
    let rows: Vec<RunAtPoint<'_>> = series
        .points
        .iter()
        .flat_map(|point| {
            let new = |at: usize| {
                let before = at.checked_sub(1).and_then(|before| point.runs.get(before));
                [at == 0, before.is_none_or(|before| before.by != point.runs[at].by)]
            };
            point.runs.iter().enumerate().map(move |(at, run)| (point, run, new(at)))
        })
        .collect();
    let runs = || rows.iter().map(|(_, run, _)| *run);
    let numbers = series.points.iter().all(|point| point.label().parse::<f64>().is_ok());
    let several = series.policies().nth(1).is_some();
    let sizes = || runs().map(|run| run.threads);
    let differ =
        over != "threads" && series.by.as_deref() != Some("threads") && sizes().min() != sizes().max();
    let scale = scales(runs().map(|run| run.makespan_ps));
    let renamed = |name: &str| match TAKEN.contains(&name) {
        true => format!("parameter_{name}"),
        false => name.to_owned(),
    };
    let words = series.values_of_second().iter().any(|value| value.parse::<f64>().is_err());
    let sheet = Sheet::of(rows.clone())
        .inputs(machine, workload)
        .file("seed", |_| series.seed)
        // A value is shown only beside the first of the runs that have it.
        .either(numbers, over, |(point, _, [first, _])| first.then(|| point.label()))
        // Team sizes have a column of their own.
        .when(over != "threads", |sheet| sheet.file(&renamed(over), |(point, ..)| point.label()))
        .each(&series.by, |sheet, by| {
            let sheet = sheet.either(!words, by, |(_, run, [_, first])| first.then(|| run.by.clone()));
            sheet.when(by != "threads", |sheet| sheet.file(&renamed(by), |(_, run, _)| run.by.clone()))
        })
        .file("policy", |(_, run, _)| run.policy.clone())
        .file("threads", |(_, run, _)| run.threads)
        .file("makespan_ps", |(_, run, _)| run.makespan_ps)
        .when(several, |sheet| sheet.text("policy", |(_, run, _)| run.policy.clone()))
        .when(differ, |sheet| sheet.number("threads", |(_, run, _)| run.threads))
        .number("makespan", |(_, run, _)| scale(run.makespan_ps).show(run.makespan_ps as f64))
        .spread(|(_, run, _)| (run.replicas, scale(run.makespan_ps)))
        .when(over == Series::WHAT_IF, |sheet| {
            sheet.number("ratio", |(_, run, _)| beside_the_first(series, run))
        });
    let lost = |pick: fn(&Bottleneck) -> String| {
        move |(_, run, _): &RunAtPoint<'_>| run.bottleneck.as_ref().map(pick)
    };
    let any = runs().any(|run| run.bottleneck.is_some());
    let sheet = sheet.each(series.measures.iter().enumerate(), |sheet, (at, measure)| {
        let value = |run: &PointRun| run.values.get(at).copied().flatten();
        let values: Vec<f64> = runs().filter_map(value).collect();
        let shown = column(&values);
        let name = |between: &str, end: &str| match unit(&measure.unit) {
            "" => measure.name.clone(),
            unit => format!("{}{between}{}{end}", measure.name, unit),
        };
        sheet
            .file(&name(" [", "]"), |(_, run, _)| value(run))
            // Measures of the whole series have no value for a single run.
            .when(!values.is_empty(), |sheet| {
                sheet.number(header(measure), |(_, run, _)| value(run).map(&shown))
            })
    });
    sheet
        .file("bottleneck", lost(|lost| lost.name.clone()))
        .file("bottleneck_share", |(_, run, _)| run.bottleneck.as_ref().map(|lost| lost.share))
        .file("bottleneck_phase", lost(|lost| lost.phase.clone()))
        .replicas(|(_, run, _)| run.replicas)
        .fold(1 + usize::from(series.by.is_some()) + usize::from(several))
        .when(any, |sheet| {
            sheet
                .text("waits most for", |(_, run, _)| lost_to(run.bottleneck.as_ref()))
                .number("share", |(_, run, _)| {
                    that_matters(run.bottleneck.as_ref()).map(|lost| percent(lost.share))
                })
        })
}

fn header(measure: &Measure) -> Lines {
    Lines::of([&measure.name, unit(&measure.unit)].into_iter().filter(|line| !line.is_empty()))
}

/// Scale of a makespan: a common one, or that of the makespan itself if small ones would lose their digits.
fn scales(times: impl Iterator<Item = u64> + Clone) -> impl Fn(u64) -> TimeScale {
    const APART: u64 = 1000;
    let (least, most) = (times.clone().min().unwrap_or(0), times.clone().max().unwrap_or(0));
    let common = TimeScale::of(times);
    move |time| if most / APART > least { TimeScale::of([time]) } else { common }
}

/// Formatter of values with a common precision: three digits of the smallest value, but at most three decimals beside
/// numbers of 1 or more.
fn column(values: &[f64]) -> impl Fn(f64) -> String {
    let sizes = || values.iter().map(|value| value.abs()).filter(|size| *size > 0.0);
    let (smallest, largest) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let digits = |size: f64| (2.0 - size.log10().floor()).clamp(0.0, 6.0);
    let most = if largest >= 1.0 { 3.0 } else { digits(largest) + 1.0 };
    let whole = values.iter().all(|value| value.fract() == 0.0);
    let decimals = if whole { 0.0 } else { digits(smallest).min(most) } as usize;
    move |value| match (1e-3..1e9).contains(&largest) || whole && largest < 1e9 {
        true => format!("{value:.decimals$}"),
        false => significant(value),
    }
}
