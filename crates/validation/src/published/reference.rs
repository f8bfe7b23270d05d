//! Published values, and reasons for large errors, of the folder `reference/`, embedded in the binary.

use numalab_study::StudyError;
use serde::Deserialize;

/// Files of published values, with their texts.
const PUBLISHED: [(&str, &str); 5] = [
    ("reference/published.csv", include_str!("../../../../reference/published.csv")),
    ("reference/published-latency.csv", include_str!("../../../../reference/published-latency.csv")),
    ("reference/published-more.csv", include_str!("../../../../reference/published-more.csv")),
    ("reference/published-dsm.csv", include_str!("../../../../reference/published-dsm.csv")),
    ("reference/published-tasks.csv", include_str!("../../../../reference/published-tasks.csv")),
];

/// Text of the file with the reasons of rows whose errors exceed their limits.
const REASONS: &str = include_str!("../../../../reference/reasons.csv");

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

/// Reason for a row whose error exceeds its limit; the fields are the columns of the file.
#[derive(Clone, Debug, Deserialize)]
pub struct Reason {
    pub id: String,
    pub reason: String,
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

pub fn reasons() -> Result<Vec<Reason>, StudyError> {
    read("reference/reasons.csv", REASONS)
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
