//! Core-to-core latencies from the output of tools.
//!
//! A core-to-core tool prints the time until a core has a line that another core has written: half of a round trip.
//! The parameter `core_to_core` of a shared cache or of a level has the same meaning, so its start is read off: a
//! matrix of 128 processors has 8128 pairs. A simulated hand-over has further parts (a copy is fetched first, and the
//! old copy is given up on the way of the links alone), so `again` corrects the value until the simulation of a pair
//! gives the rows back. The value of a level is that of its nearest units. Between farther units the longer way adds
//! latency.

mod again;
mod pairs;

use super::observation::Observation;
use super::solve::{Estimate, Sides};
use super::subject::Subject;
use super::target::Target;
use super::{Finding, Verdict};
pub(super) use again::simulated;
use numalab_base::Span;
use numalab_base::parameter::Value;
use numalab_machine::Fabric;
pub(super) use pairs::name;
use pairs::{Pair, Unused, pair};
use std::collections::BTreeMap;

/// Name of the quantity in rows that measure one way of a line, half of a round trip.
pub const ONE_WAY: &str = "one_way";
/// Name of the stage in messages.
const STAGE: &str = "lines between cores";
/// Minimum relative error of a parameter that is read off, from the tools' clocks and loops.
const LEAST: f64 = 0.02;
/// Ratio of the outer quartiles of a class from which one value does not stand for all of its rows.
const SCATTERED: f64 = 1.2;

/// Rows that determine one parameter: the pairs of least distance, whose median is the value.
#[derive(Debug)]
struct Class {
    target: Target,
    /// Latency of the rows in nanoseconds, in rising order.
    values: Vec<f64>,
    /// Indices of the rows.
    rows: Vec<usize>,
    /// Processors of the first row.
    processors: (u32, u32),
}

/// Sets the starts of all parameters that core-to-core latencies determine. Returns the findings in the order of the
/// machine file. Warns of rows without a parameter, one reason after another.
pub(super) fn read_off(
    subject: &mut Subject,
    rows: &[Observation],
    warnings: &mut Vec<String>,
) -> Vec<Finding> {
    let Ok(fabric) = Fabric::new(&subject.machine) else { return Vec::new() };
    let mut unused: BTreeMap<Unused, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| is_one_way(row)) {
        if let Err(reason) = pair(row, &subject.machine, &fabric) {
            unused.entry(reason).or_default().push(at);
        }
    }
    let all = rows.iter().filter(|row| is_one_way(row)).count();
    warnings.extend(unused.into_iter().map(|(reason, left)| {
        let first = &rows[left[0]].row.source;
        format!("left out: {} of {all} core-to-core latencies (from {first}) {reason}", left.len())
    }));
    classes(subject, rows).into_iter().map(|class| of_class(subject, class, warnings)).collect()
}

/// True for a row that measures a core-to-core latency of one way.
pub(super) fn is_one_way(row: &Observation) -> bool {
    row.row.experiment == "core_to_core" && row.row.quantity == ONE_WAY
}

/// Classes of the rows, in the order of their parameters.
fn classes(subject: &Subject, rows: &[Observation]) -> Vec<Class> {
    let Ok(fabric) = Fabric::new(&subject.machine) else { return Vec::new() };
    let mut found: BTreeMap<Target, BTreeMap<Span, Vec<(usize, Pair)>>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| is_one_way(row)) {
        if let Ok(pair) = pair(row, &subject.machine, &fabric) {
            found.entry(pair.target).or_default().entry(pair.way).or_default().push((at, pair));
        }
    }
    let nearest = found.into_iter().filter_map(|(target, by_way)| {
        let (_, of_pairs) = by_way.into_iter().next()?;
        let mut values: Vec<f64> = of_pairs.iter().map(|(at, _)| rows[*at].value).collect();
        values.sort_by(f64::total_cmp);
        let (rows, processors) =
            (of_pairs.iter().map(|(at, _)| *at).collect(), of_pairs.first()?.1.processors);
        Some(Class { target, values, rows, processors })
    });
    nearest.collect()
}

impl Class {
    /// Median of the rows in nanoseconds.
    fn median(&self) -> f64 {
        let values = &self.values;
        (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
    }

    /// First and third quartile of the rows in nanoseconds.
    fn quartiles(&self) -> (f64, f64) {
        (self.values[self.values.len() / 4], self.values[self.values.len() * 3 / 4])
    }
}

/// Sets a parameter to the median of its rows. Returns the finding.
fn of_class(subject: &mut Subject, class: Class, warnings: &mut Vec<String>) -> Finding {
    let (target, value) = (class.target, class.median());
    let span = Span((value * 1e3).round() as u64);
    target.set(subject, span.0 as f64);
    subject.settle();
    let path = target.path(&subject.machine);
    let (low, high) = class.quartiles();
    if high > low * SCATTERED {
        warnings.push(format!(
            "{path}: half of its {} rows are from {low:.0} to {high:.0} ns, and one value stands for all: their median, {span}",
            class.values.len()
        ));
    }
    let middle = (high - low) / 1.349;
    let error = (1.2533 * middle / value / (class.values.len() as f64).sqrt()).max(LEAST);
    let estimate =
        Estimate { target, value: span.0 as f64, error, sides: Sides::even(error), rests_on: Vec::new() };
    Finding {
        path,
        value: target.value(subject).unwrap_or(Value::Absent),
        estimate,
        stage: STAGE,
        rows: class.rows,
        verdict: Verdict::of(error),
    }
}
