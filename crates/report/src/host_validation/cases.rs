//! What tells the measurements of one experiment apart.

use numalab_results::HostRow;
use std::collections::BTreeMap;

/// A measurement, and what is special about it.
pub struct Case<'a> {
    /// The measurement.
    pub row: &'a HostRow,
    /// Its parameters, without those that all measurements of the same quantity share. Of a single measurement, those
    /// that are words: numbers are sizes, and nothing is there to be larger than.
    pub text: String,
}

/// All of them in their order.
pub fn cases(rows: &[HostRow]) -> Vec<Case<'_>> {
    let mut groups: BTreeMap<(&str, &str), Vec<&HostRow>> = BTreeMap::new();
    for row in rows {
        groups.entry((&row.experiment, &row.quantity)).or_default().push(row);
    }
    let text = |row: &HostRow| special(row, &groups[&(&*row.experiment, &*row.quantity)]);
    rows.iter().map(|row| Case { row, text: text(row) }).collect()
}

fn special(row: &HostRow, group: &[&HostRow]) -> String {
    let is_word =
        |pair: &str| pair.split_once('=').is_some_and(|(_, value)| value.starts_with(char::is_alphabetic));
    if group.len() == 1 {
        return pairs(row).filter(|pair| is_word(pair)).collect::<Vec<_>>().join(" ");
    }
    let shared = |pair: &str| group.iter().all(|other| pairs(other).any(|same| same == pair));
    pairs(row).filter(|pair| !shared(pair)).collect::<Vec<_>>().join(" ")
}

fn pairs(row: &HostRow) -> impl Iterator<Item = &str> {
    row.params.split(';').filter(|pair| !pair.is_empty())
}

impl Case<'_> {
    /// Experiment and case, for a sentence.
    pub fn named(&self) -> String {
        match &*self.text {
            "" => self.row.experiment.clone(),
            text => format!("{} {text}", self.row.experiment),
        }
    }
}
