//! What tells the measurements of one experiment apart.

use numalab_results::HostRow;
use std::collections::BTreeMap;

/// For each row, its parameters without those that all rows of its experiment and quantity share.
pub fn cases(rows: &[&HostRow]) -> Vec<String> {
    let mut groups: BTreeMap<(&str, &str), Vec<&HostRow>> = BTreeMap::new();
    for row in rows {
        groups.entry((&row.experiment, &row.quantity)).or_default().push(row);
    }
    rows.iter().map(|row| case(row, &groups[&(&*row.experiment, &*row.quantity)])).collect()
}

fn case(row: &HostRow, group: &[&HostRow]) -> String {
    let shared = |pair: &str| group.iter().all(|other| pairs(other).any(|same| same == pair));
    pairs(row).filter(|pair| !shared(pair)).collect::<Vec<_>>().join(" ")
}

fn pairs(row: &HostRow) -> impl Iterator<Item = &str> {
    row.params.split(';').filter(|pair| !pair.is_empty())
}

/// Experiment and case, for a sentence.
pub fn named(row: &HostRow, case: &str) -> String {
    if case.is_empty() { row.experiment.clone() } else { format!("{} {case}", row.experiment) }
}
