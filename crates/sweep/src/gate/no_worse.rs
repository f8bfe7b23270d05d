//! A policy is not much worse than the best of others.

use super::measure::exceeds;
use super::{Compared, Findings, change};
use crate::group::{Group, REPLICAS, groups_of, text};
use numalab_results::{Broken, Frame, Violation};
use numalab_workload::Schedule;

pub fn check(compared: &Compared<'_>, policy: &Schedule, than: &[Schedule], by: f64) -> Findings {
    let policy = policy.to_string();
    let others: Vec<String> = than.iter().map(Schedule::to_string).collect();
    let among =
        |name: &str| name != policy && (others.is_empty() || others.iter().any(|other| other == name));
    let mut findings = Findings::default();
    for (point, values) in points(compared) {
        let own = values.iter().find(|(name, _)| *name == policy);
        let best = best(values.iter().filter(|(name, _)| among(name)), compared.more);
        let (Some((_, value)), Some(best)) = (own, best) else { continue };
        findings.checked += 1;
        findings.violations.extend(worse(compared, &point, (&policy, *value), best, by));
    }
    if findings.checked == 0 {
        let beside = if others.is_empty() { "another policy".to_owned() } else { others.join(" or ") };
        findings.problem = Some(format!("no point has results of both {policy} and {beside}"));
    }
    findings
}

/// Every point with the medians of its policies, in the order of the rows.
pub(super) fn points(compared: &Compared<'_>) -> Vec<(String, Vec<(String, f64)>)> {
    let Compared { frame, rows, measure, .. } = *compared;
    let without = ["policy", REPLICAS[0], REPLICAS[1]];
    let values = |group: &Group| {
        let policies = by_policy(frame, &group.rows).into_iter();
        policies.filter_map(|(name, rows)| Some((name, measure.median(frame, &rows)?))).collect()
    };
    let groups = groups_of(frame, &without, rows).into_iter();
    groups.map(|group| (values(&group), group.label)).map(|(values, label)| (label, values)).collect()
}

fn by_policy(frame: &Frame, rows: &[usize]) -> Vec<(String, Vec<usize>)> {
    let mut policies: Vec<(String, Vec<usize>)> = Vec::new();
    let column = frame.position("policy");
    for &row in rows {
        let name = column.map(|column| text(frame, row, column)).unwrap_or_default();
        match policies.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rows)) => rows.push(row),
            None => policies.push((name, vec![row])),
        }
    }
    policies
}

/// The first of the best.
pub(super) fn best<'v>(
    values: impl Iterator<Item = &'v (String, f64)>,
    more: bool,
) -> Option<&'v (String, f64)> {
    let better = |a: f64, b: f64| if more { a > b } else { a < b };
    values.reduce(|best, other| if better(other.1, best.1) { other } else { best })
}

/// The violation, if a policy is worse than a reference by more than a fraction.
pub(super) fn worse(
    compared: &Compared<'_>,
    point: &str,
    (policy, value): (&str, f64),
    (reference, reference_value): &(String, f64),
    limit: f64,
) -> Option<Violation> {
    let change = change(value, *reference_value);
    let worse = if compared.more { -change } else { change };
    exceeds(worse, limit).then(|| Violation {
        point: point.to_owned(),
        policy: policy.to_owned(),
        broken: Broken::Beside {
            value,
            reference: reference.clone(),
            reference_value: *reference_value,
            change,
            limit,
        },
    })
}
