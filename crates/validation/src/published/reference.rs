//! Published values, and reasons for large errors, of the folder `reference/`, embedded in the binary.

use numalab_study::StudyError;
use serde::Deserialize;

/// Files of published values, with their texts.
const PUBLISHED: [(&str, &str); 8] = [
    ("reference/published.csv", include_str!("../../../../reference/published.csv")),
    ("reference/published-latency.csv", include_str!("../../../../reference/published-latency.csv")),
    ("reference/published-more.csv", include_str!("../../../../reference/published-more.csv")),
    ("reference/published-dsm.csv", include_str!("../../../../reference/published-dsm.csv")),
    ("reference/published-tasks.csv", include_str!("../../../../reference/published-tasks.csv")),
    ("reference/published-new.csv", include_str!("../../../../reference/published-new.csv")),
    ("reference/published-dsm-new.csv", include_str!("../../../../reference/published-dsm-new.csv")),
    ("reference/published-modern.csv", include_str!("../../../../reference/published-modern.csv")),
];

/// Text of the file with the reasons of rows whose errors exceed their limits.
const REASONS: &str = include_str!("../../../../reference/reasons.csv");

/// Text of the file with the reasons of rows that are not simulated.
const NOT_SIMULATED: &str = include_str!("../../../../reference/not_simulated.csv");

/// Published value with its source and parameters; the fields are the columns of the files.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    pub id: String,
    pub source: String,
    pub machine: String,
    pub experiment: String,
    pub quantity: String,
    pub params: String,
    /// Value as text: number, range, bound, several numbers or an order.
    pub value: String,
    pub unit: String,
    pub role: String,
    pub note: String,
}

/// Reason for rows whose errors exceed their limits, or that are not simulated; the fields are the columns of the files.
#[derive(Clone, Debug, Deserialize)]
pub struct Reason {
    /// Name of a row, or a beginning of names followed by `*`.
    id: String,
    reason: String,
}

/// Reasons of one file.
pub struct Reasons(Vec<Reason>);

impl Reasons {
    /// Reason of the row called `id`: that of its whole name, or of the longest beginning. `None` if the file has none.
    pub fn of(&self, id: &str) -> Option<String> {
        let matched = self.0.iter().filter_map(|one| Some((one.matched(id)?, one)));
        matched.max_by_key(|(length, _)| *length).map(|(_, one)| one.reason.clone())
    }
}

impl Reason {
    /// Number of characters of the pattern that match `id`; `None` if the row is another.
    fn matched(&self, id: &str) -> Option<usize> {
        let is_of = match self.id.strip_suffix('*') {
            Some(beginning) => id.starts_with(beginning),
            None => id == self.id,
        };
        is_of.then_some(self.id.len())
    }
}

/// All published values, in the order of the files.
pub fn published() -> Result<Vec<Published>, StudyError> {
    let mut all = Vec::new();
    for (place, text) in PUBLISHED {
        all.extend(read::<Published>(place, text)?);
    }
    Ok(all)
}

#[cfg(test)]
pub fn published_as(id: &str) -> Published {
    published().unwrap().into_iter().find(|row| row.id == id).unwrap()
}

/// Reasons of rows whose errors exceed their limits.
pub fn reasons() -> Result<Reasons, StudyError> {
    read("reference/reasons.csv", REASONS).map(Reasons)
}

/// Reasons of rows that are not simulated.
pub fn not_simulated() -> Result<Reasons, StudyError> {
    read("reference/not_simulated.csv", NOT_SIMULATED).map(Reasons)
}

pub fn read<T: for<'a> Deserialize<'a>>(place: &str, text: &str) -> Result<Vec<T>, StudyError> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| StudyError::Reference { place: place.to_owned(), problem: error.to_string() })
}

impl Published {
    /// Error about an invalid value in the row, with the row's id.
    pub fn wrong(&self, what: impl std::fmt::Display) -> StudyError {
        let place = format!("published value {}", self.id);
        StudyError::Reference { place, problem: what.to_string() }
    }

    /// Names and values of the row's parameters, `key=value`.
    pub fn params(&self) -> impl Iterator<Item = (&str, &str)> {
        pairs(&self.params)
    }

    pub fn param(&self, name: &str) -> Option<&str> {
        self.params().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Copy of the row with other parameters.
    pub fn with(&self, params: String) -> Published {
        Published { params, ..self.clone() }
    }
}

/// Names and values in a list of `key=value`, separated by semicolons.
pub fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(';').filter_map(|pair| pair.split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pattern_gives_the_reason() {
        let reason = |id: &str, reason: &str| Reason { id: id.to_owned(), reason: reason.to_owned() };
        let reasons = Reasons(vec![reason("a.*", "all"), reason("a.b.*", "some"), reason("a.b.c", "one")]);
        let of = |id: &str| reasons.of(id);
        assert_eq!(of("a.x").as_deref(), Some("all"));
        assert_eq!(of("a.b.x").as_deref(), Some("some"));
        assert_eq!(of("a.b.c").as_deref(), Some("one"));
        assert_eq!(of("b"), None);
    }

    /// Law: Every pattern of a reason matches a published row.
    #[test]
    fn reasons_are_of_published_rows() {
        let rows = published().unwrap();
        for one in reasons().unwrap().0.iter().chain(&not_simulated().unwrap().0) {
            assert!(rows.iter().any(|row| one.matched(&row.id).is_some()), "no row is called {}", one.id);
            assert!(!one.reason.trim().is_empty(), "{} has no reason", one.id);
        }
    }
}
