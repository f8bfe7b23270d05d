//! The reference data that comes with the program.

use numalab_study::StudyError;
use serde::Deserialize;

/// The lists of published values, as of the build.
const PUBLISHED: [(&str, &str); 5] = [
    ("reference/published.csv", include_str!("../../../../reference/published.csv")),
    ("reference/published-latency.csv", include_str!("../../../../reference/published-latency.csv")),
    ("reference/published-more.csv", include_str!("../../../../reference/published-more.csv")),
    ("reference/published-dsm.csv", include_str!("../../../../reference/published-dsm.csv")),
    ("reference/published-tasks.csv", include_str!("../../../../reference/published-tasks.csv")),
];

/// Reasons why rows are beyond their limits, as of the build.
const REASONS: &str = include_str!("../../../../reference/reasons.csv");

/// One measured value. The columns of the files.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    pub id: String,
    pub source: String,
    pub machine: String,
    pub experiment: String,
    pub quantity: String,
    pub params: String,
    /// A number, a range, a bound, several numbers or an order.
    pub value: String,
    pub unit: String,
    pub role: String,
    pub note: String,
}

/// Reason why a row is beyond its limit. The columns of the file.
#[derive(Clone, Debug, Deserialize)]
pub struct Reason {
    pub id: String,
    pub reason: String,
}

/// All values, in the order of the files.
pub fn published() -> Result<Vec<Published>, StudyError> {
    let mut all = Vec::new();
    for (place, text) in PUBLISHED {
        all.extend(read::<Published>(place, text)?);
    }
    Ok(all)
}

/// The value of an id, for tests.
#[cfg(test)]
pub fn published_as(id: &str) -> Published {
    published().unwrap().into_iter().find(|row| row.id == id).unwrap()
}

pub fn reasons() -> Result<Vec<Reason>, StudyError> {
    read("reference/reasons.csv", REASONS)
}

/// The rows of a file.
pub fn read<T: for<'a> Deserialize<'a>>(place: &str, text: &str) -> Result<Vec<T>, StudyError> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| StudyError::Reference { place: place.to_owned(), problem: error.to_string() })
}

impl Published {
    /// Something that the row says cannot be.
    pub fn wrong(&self, what: impl std::fmt::Display) -> StudyError {
        let place = format!("published value {}", self.id);
        StudyError::Reference { place, problem: what.to_string() }
    }

    /// `key=value` pairs.
    pub fn params(&self) -> impl Iterator<Item = (&str, &str)> {
        pairs(&self.params)
    }

    /// The value of a parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The same row under other circumstances.
    pub fn with(&self, params: String) -> Published {
        Published { params, ..self.clone() }
    }
}

/// `key=value` pairs with semicolons between them.
pub fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(';').filter_map(|pair| pair.split_once('='))
}
