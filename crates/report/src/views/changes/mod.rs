//! Changes between two results, the largest first.

#[cfg(test)]
mod tests;

use crate::delta::{change, limit, pair, value};
use crate::numbers::count;
use crate::page::{Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use numalab_results::{Change, FrameComparison, PolicyChange};

/// Largest number of changed values shown; CSV and JSON have all.
const SHOWN: usize = 40;
/// Largest number of points shown of those that only one of the two files has.
const ONLY: usize = 5;

impl View for FrameComparison {
    /// Arranges numbers of points, the total change per policy, and the largest changes.
    fn page(&self, _: &Style) -> Page {
        let mut page = Page::titled([format!("{} beside {}", self.b, self.a)]).below(Some(counts(self)));
        if !self.changes.is_empty() {
            let largest = largest(self);
            let rest = self.changes.len() - largest.len();
            page = page.table(policies(&self.policies)).table(changes(largest));
            page = page.below((rest > 0).then(|| format!("and {rest} smaller changes")));
        }
        for (name, points) in [(&self.a, &self.only_a), (&self.b, &self.only_b)] {
            let rest = points.len().saturating_sub(ONLY);
            let more = (rest > 0).then(|| format!("and {rest} more"));
            let lines = points.iter().take(ONLY).cloned().chain(more);
            let heading = format!("Only in {name}:");
            page = page.list((Ink::Plain, 0, &heading), lines.map(|line| (String::new(), line)));
        }
        page
    }
}

impl Rows for FrameComparison {
    /// One CSV line for each changed value, and for each point that only one file has.
    fn csv(&self) -> String {
        let changed = self.changes.iter().map(|change| ("changed", &change.point, Some(change)));
        let only = |what, points| <[String]>::iter(points).map(move |point| (what, point, None));
        let rows = changed.chain(only("only in a", &self.only_a)).chain(only("only in b", &self.only_b));
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        Sheet::of(rows)
            .file("what", |(what, ..)| *what)
            .file("point", |(_, point, _)| (*point).clone())
            .file("policy", |(.., change)| change.map(|change| change.policy.clone()))
            .file("measure", |(.., change)| change.map(|change| change.measure.clone()))
            .file("unit", |(.., change)| change.map(|change| change.unit.clone()))
            .file("a", |(.., change)| finite(change.and_then(|change| change.a)))
            .file("b", |(.., change)| finite(change.and_then(|change| change.b)))
            .file("change", |(.., change)| finite(change.and_then(|change| change.change)))
            .csv()
    }
}

fn counts(comparison: &FrameComparison) -> String {
    let mut text =
        format!("{} in both, {} changed", count(comparison.points, "point"), comparison.changed_points);
    if comparison.within > 0.0 {
        text += &format!(" by more than {}", limit(comparison.within));
    }
    if comparison.medians {
        text += "; medians, since the seeds are not the same";
    }
    text
}

fn policies(policies: &[PolicyChange]) -> Sheet<&PolicyChange> {
    Sheet::of(policies)
        .text("policy", |row| row.policy.clone())
        .text("", |row| row.measure.clone())
        .number("points", |row| row.points)
        .number("lower", |row| row.less)
        .number("higher", |row| row.more)
        .number("on average", |row| row.mean_ratio.map(|ratio| change(ratio - 1.0)))
}

fn largest(comparison: &FrameComparison) -> Vec<&Change> {
    let mut largest: Vec<&Change> = comparison.changes.iter().collect();
    let size = |change: &Change| change.change.map_or(f64::INFINITY, f64::abs);
    // The sort is stable: equal changes keep the order of the points.
    largest.sort_by(|a, b| size(b).total_cmp(&size(a)));
    largest.truncate(SHOWN);
    largest
}

fn changes(changes: Vec<&Change>) -> Sheet<&Change> {
    let texts = |row: &Change| match (row.a, row.b) {
        (Some(a), Some(b)) => Some(pair(a, b, &row.unit)),
        _ => None,
    };
    let alone = |side: Option<f64>, unit: &str| side.map(|side| value(side, unit));
    Sheet::of(changes)
        .text("point", |row| row.point.clone())
        .text("policy", |row| row.policy.clone())
        .text("", |row| row.measure.clone())
        .number("before", |row| texts(row).map(|pair| pair.0).or_else(|| alone(row.a, &row.unit)))
        .number("after", |row| texts(row).map(|pair| pair.1).or_else(|| alone(row.b, &row.unit)))
        .number("change", |row| row.change.map(change))
}
