//! Parameters that tell the measurements of one experiment apart.

use numalab_results::HostRow;
use std::collections::BTreeMap;

/// A measurement, and what is special about it.
pub struct Case<'a> {
    /// The measurement.
    pub row: &'a HostRow,
    /// Its parameters, without those that all measurements of the same quantity share. Of a single measurement, those
    /// that are words: numbers are sizes, and nothing is there to be larger than.
    pub text: String,
    /// Whether its experiment has other quantities, too.
    several: bool,
}

/// All of them in their order.
pub fn cases(rows: &[HostRow]) -> Vec<Case<'_>> {
    let mut groups: BTreeMap<(&str, &str), Vec<&HostRow>> = BTreeMap::new();
    for row in rows {
        groups.entry((&row.experiment, &row.quantity)).or_default().push(row);
    }
    let text = |row: &HostRow| special(row, &groups[&(&*row.experiment, &*row.quantity)]);
    let several =
        |row: &HostRow| groups.keys().filter(|(experiment, _)| *experiment == row.experiment).count() > 1;
    rows.iter().map(|row| Case { row, text: text(row), several: several(row) }).collect()
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
    /// Its name within its experiment.
    pub fn within_experiment(&self) -> String {
        match (self.several, &*self.text) {
            (false, text) => text.to_owned(),
            (true, "") => self.row.quantity.clone(),
            (true, text) => format!("{} {text}", self.row.quantity),
        }
    }

    /// Experiment and case, for a sentence.
    pub fn named(&self) -> String {
        let named = format!("{} {}", self.row.experiment, self.within_experiment());
        named.trim_end().to_owned()
    }
}
