//! Rows that are not simulated.

use super::rows::is_judged;
use numalab_results::ValidationRow;
use std::collections::BTreeMap;

/// Sentence with the numbers of rows without a reason, by experiment; `None` without such rows.
pub(super) fn uncovered(rows: &[ValidationRow]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| !is_judged(row) && row.reason.is_none()) {
        *counts.entry(&row.experiment).or_default() += 1;
    }
    let list: Vec<String> =
        counts.iter().map(|(experiment, count)| format!("{experiment} {count}")).collect();
    (!list.is_empty()).then(|| format!("Not simulated yet: {}.", list.join(", ")))
}

/// Reasons of rows that are not simulated, in the order of the rows, with the names of the rows that each is about.
pub(super) fn left_out(rows: &[ValidationRow]) -> Vec<(&str, Vec<&str>)> {
    let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in rows.iter().filter(|row| !is_judged(row)) {
        let Some(reason) = row.reason.as_deref() else { continue };
        match by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(&row.id),
            None => by_reason.push((reason, vec![&row.id])),
        }
    }
    by_reason
}
