//! Parameters that distinguish the measurements of one experiment.

use numalab_results::HostRow;
use std::collections::BTreeMap;

/// A measurement, and the parameters that distinguish this measurement from others of the experiment.
pub struct Case<'a> {
    pub row: &'a HostRow,
    /// Text of the parameters in which the measurements of one quantity differ. For a single measurement, only the
    /// parameters whose values are words.
    pub text: String,
    /// True if the experiment measures several quantities.
    several: bool,
}

/// Cases of all measurements, in order.
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
    /// Name of the case within its experiment.
    pub fn within_experiment(&self) -> String {
        match (self.several, &*self.text) {
            (false, text) => text.to_owned(),
            (true, "") => self.row.quantity.clone(),
            (true, text) => format!("{} {text}", self.row.quantity),
        }
    }

    /// Name of the experiment, followed by the name of the case.
    pub fn named(&self) -> String {
        let named = format!("{} {}", self.row.experiment, self.within_experiment());
        named.trim_end().to_owned()
    }
}
