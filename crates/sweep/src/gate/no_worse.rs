//! Gate: one value of a coordinate, such as a policy, is not much worse than the best of the others.

use super::difference::{Difference, difference};
use super::{Compared, Findings};
use crate::group::{Group, REPLICAS, groups_of, text};
use crate::values::Ranged;
use numalab_results::Frame;

pub fn check(compared: &Compared<'_>, over: &str, own: &str, others: &[String], by: f64) -> Findings {
    let among = |name: &str| name != own && (others.is_empty() || others.iter().any(|other| other == name));
    let mut findings = Findings::default();
    for (point, values) in points(compared, over) {
        let own_value = values.iter().find(|(name, _)| name == own);
        let best = best(values.iter().filter(|(name, _)| among(name)), compared.more);
        let (Some((_, value)), Some(best)) = (own_value, best) else { continue };
        findings.add(worse(compared, &point, (own, value), best, by));
    }
    if findings.checked == 0 {
        let beside = if others.is_empty() { format!("another {over}") } else { others.join(" or ") };
        findings.problem = Some(format!("no point has results of both {own} and {beside}"));
    }
    findings
}

/// Label of each point with the values of the coordinate `over`, each with the range of its replicas. Points are in
/// the order of the rows.
pub(super) fn points(compared: &Compared<'_>, over: &str) -> Vec<(String, Vec<(String, Ranged)>)> {
    let Compared { frame, rows, measure, .. } = *compared;
    let without = [over, REPLICAS[0], REPLICAS[1]];
    let values = |group: &Group| {
        let values = by_value(frame, over, &group.rows).into_iter();
        values.filter_map(|(name, rows)| Some((name, measure.over(frame, &rows)?))).collect()
    };
    let groups = groups_of(frame, &without, rows).into_iter();
    groups.map(|group| (values(&group), group.label)).map(|(values, label)| (label, values)).collect()
}

fn by_value(frame: &Frame, over: &str, rows: &[usize]) -> Vec<(String, Vec<usize>)> {
    let mut values: Vec<(String, Vec<usize>)> = Vec::new();
    let column = frame.position(over);
    for &row in rows {
        let name = column.map(|column| text(frame, row, column)).unwrap_or_default();
        match values.iter_mut().find(|(value, _)| *value == name) {
            Some((_, rows)) => rows.push(row),
            None => values.push((name, vec![row])),
        }
    }
    values
}

/// The value with the best median, with its name; the first one of a tie.
pub(super) fn best<'v>(
    values: impl Iterator<Item = &'v (String, Ranged)>,
    more: bool,
) -> Option<&'v (String, Ranged)> {
    let better = |a: f64, b: f64| if more { a > b } else { a < b };
    values.reduce(|best, other| if better(other.1.median, best.1.median) { other } else { best })
}

/// Compares a value with the reference: broken if it is worse by more than the limit.
pub(super) fn worse(
    compared: &Compared<'_>,
    point: &str,
    own: (&str, &Ranged),
    (reference, value): &(String, Ranged),
    limit: f64,
) -> Difference {
    let worse = |change: f64| if compared.more { -change } else { change };
    difference((point, own), (reference, value), worse, limit)
}
