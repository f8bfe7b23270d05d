//! Compares results with earlier ones: which points changed, and by how much.
//!
//! Simulations are deterministic, so rows of the same seed are compared one by one. If the two
//! files have different seeds, medians over the seeds are compared.

use crate::gate::{Measure, change};
use crate::group::{Group, Key, Labels, REPLICAS, differs, groups_of, text};
use crate::matching::shared;
use crate::view::repetitions;
use numalab_results::{Change, Column, Frame, FrameComparison, PolicyChange, SCHEMA_VERSION};
use std::collections::{BTreeMap, BTreeSet};

/// One of two files of results to compare.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Name of the file, for messages.
    pub name: &'a str,
    pub frame: &'a Frame,
}

/// Compares the named measures of two frames; if none are named, the makespan and all measures of workloads. Relative
/// differences up to `within` do not count as changes. The error is a sentence.
pub fn compare(
    a: Side<'_>,
    b: Side<'_>,
    measures: &[String],
    within: f64,
) -> Result<FrameComparison, String> {
    let measures = chosen(a, b, measures)?;
    let medians = !same_seeds(a.frame, b.frame);
    let without: &[&str] = if medians { &REPLICAS } else { &["replica"] };
    let shared = shared(a.frame, b.frame, without)
        .map_err(|problem| format!("the points of {} and {} cannot be matched: {problem}", a.name, b.name))?;
    for side in [a, b] {
        repetitions(side.name, side.frame).map_err(|error| error.to_string())?;
    }
    let shared: Vec<&str> = shared.iter().map(String::as_str).collect();
    let (before, after) = (Points::of(a.frame, without, &shared), Points::of(b.frame, without, &shared));
    let mut tally = Tally::default();
    let (mut changes, mut points, mut changed_points) = (Vec::new(), 0, 0);
    for (key, group) in &before.groups {
        let Some(other) = after.at(key) else { continue };
        points += 1;
        let found = changes.len();
        for measure in &measures {
            let values = (measure.before(a.frame, group), measure.after(b.frame, other));
            let first = group.rows[0];
            let policy = policy(a.frame, first);
            changes.extend(tally.add(&policy, measure, values, within).map(|change| Change {
                point: before.labels.of_row(a.frame, first),
                policy,
                measure: measure.name.clone(),
                unit: measure.unit.clone(),
                a: values.0,
                b: values.1,
                change,
            }));
        }
        changed_points += u64::from(changes.len() > found);
    }
    Ok(FrameComparison {
        schema_version: SCHEMA_VERSION,
        a: a.name.to_owned(),
        b: b.name.to_owned(),
        within,
        medians,
        points,
        changed_points,
        changes,
        only_a: before.missing(&after),
        only_b: after.missing(&before),
        policies: tally.0.into_iter().map(Sum::told).collect(),
    })
}

/// A measure to compare; `a` or `b` is `None` if the frame lacks the column.
struct Both {
    name: String,
    unit: String,
    a: Option<Measure>,
    b: Option<Measure>,
}

impl Both {
    fn before(&self, frame: &Frame, group: &Group) -> Option<f64> {
        Some(self.a.as_ref()?.over(frame, &group.rows)?.median)
    }

    fn after(&self, frame: &Frame, group: &Group) -> Option<f64> {
        Some(self.b.as_ref()?.over(frame, &group.rows)?.median)
    }
}

fn chosen(a: Side<'_>, b: Side<'_>, measures: &[String]) -> Result<Vec<Both>, String> {
    let both = |name: &str| {
        let find = |side: Side<'_>| {
            Measure::find(side.frame, name).map_err(|error| format!("{}: {error}", side.name))
        };
        Ok(match (find(a), find(b)) {
            (Err(problem), Err(_)) => return Err(problem),
            (left, right) => Both {
                name: Column::short(name).to_owned(),
                unit: left
                    .as_ref()
                    .or(right.as_ref())
                    .map(|measure| measure.unit.clone())
                    .unwrap_or_default(),
                a: left.ok(),
                b: right.ok(),
            },
        })
    };
    if !measures.is_empty() {
        return measures.iter().map(|name| both(name)).collect();
    }
    let mut names = vec!["makespan_ps"];
    for side in [a, b] {
        let of_workloads = side.frame.columns.iter().map(|column| &*column.name);
        for name in of_workloads.filter(|name| name.starts_with("measure.")) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.into_iter().map(both).collect()
}

/// True if both frames have the same set of seeds, or neither has seeds.
fn same_seeds(a: &Frame, b: &Frame) -> bool {
    let seeds = |frame: &Frame| -> Option<BTreeSet<String>> {
        let column = frame.position("seed")?;
        Some((0..frame.rows.len()).map(|row| text(frame, row, column)).collect())
    };
    match (seeds(a), seeds(b)) {
        (Some(a), Some(b)) => a == b,
        (one, other) => one.is_none() && other.is_none(),
    }
}

fn policy(frame: &Frame, row: usize) -> String {
    frame.position("policy").map(|column| text(frame, row, column)).unwrap_or_default()
}

/// Points of one frame, indexed by the coordinates that both frames have.
struct Points {
    groups: Vec<(Vec<String>, Group)>,
    numbers: BTreeMap<Vec<String>, usize>,
    labels: Labels,
}

impl Points {
    fn of(frame: &Frame, without: &[&str], shared: &[&str]) -> Points {
        let key = Key::named(frame, shared);
        let rows: Vec<usize> = (0..frame.rows.len()).collect();
        let keyed = |group: Group| (key.of(frame, group.rows[0]), group);
        let groups: Vec<(Vec<String>, Group)> =
            groups_of(frame, without, &rows).into_iter().map(keyed).collect();
        let numbers = groups.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
        // A common seed is not part of the labels.
        let has_seeds = frame.position("seed").is_some_and(|column| differs(frame, column));
        let unsaid: Vec<&str> =
            without.iter().copied().chain(["policy"]).chain((!has_seeds).then_some("seed")).collect();
        Points { groups, numbers, labels: Labels::of(frame, &unsaid) }
    }

    fn at(&self, key: &[String]) -> Option<&Group> {
        self.numbers.get(key).and_then(|&at| self.groups.get(at)).map(|(_, group)| group)
    }

    /// Names of the points that `other` lacks.
    fn missing(&self, other: &Points) -> Vec<String> {
        let only = self.groups.iter().filter(|(key, _)| other.at(key).is_none());
        only.map(|(_, group)| group.label.clone()).collect()
    }
}

/// Changes per policy and measure, in order of occurrence.
#[derive(Default)]
struct Tally(Vec<Sum>);

struct Sum {
    row: PolicyChange,
    /// Sum of the logarithms of the ratios of values; `None` after a pair of values in which one is not above 0.
    logarithms: Option<f64>,
}

impl Tally {
    /// Adds the two values of one point, unless one is missing. Returns the relative change, or `Some(None)` if only
    /// one value is missing. `None` if the change is at most `within`, or if both values are missing.
    fn add(
        &mut self,
        policy: &str,
        measure: &Both,
        values: (Option<f64>, Option<f64>),
        within: f64,
    ) -> Option<Option<f64>> {
        let (a, b) = match values {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return None,
            _ => return Some(None),
        };
        let known_sum =
            self.0.iter().position(|sum| sum.row.policy == policy && sum.row.measure == measure.name);
        let at = known_sum.unwrap_or_else(|| {
            self.0.push(Sum::new(policy, &measure.name));
            self.0.len() - 1
        });
        let sum = &mut self.0[at];
        let fraction = change(b, a);
        let changed = fraction.abs() > within;
        sum.row.points += 1;
        sum.row.less += u64::from(changed && b < a);
        sum.row.more += u64::from(changed && b > a);
        let logarithm = (a > 0.0 && b > 0.0).then(|| (b / a).ln());
        sum.logarithms = sum.logarithms.zip(logarithm).map(|(sum, next)| sum + next);
        changed.then_some(Some(fraction))
    }
}

impl Sum {
    fn new(policy: &str, measure: &str) -> Sum {
        let (policy, measure) = (policy.to_owned(), measure.to_owned());
        let row = PolicyChange { policy, measure, points: 0, less: 0, more: 0, mean_ratio: None };
        Sum { row, logarithms: Some(0.0) }
    }

    fn told(self) -> PolicyChange {
        let mean = |sum: f64| (sum / self.row.points as f64).exp();
        PolicyChange { mean_ratio: self.logarithms.map(mean), ..self.row }
    }
}

#[cfg(test)]
mod tests;
