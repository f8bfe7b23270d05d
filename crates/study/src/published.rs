//! The reference data that comes with the program.

use crate::StudyError;
use serde::Deserialize;

/// `reference/published.csv`, as of the build.
const PUBLISHED: &str = include_str!("../../../reference/published.csv");

/// One measured value. The columns of the file.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    pub id: String,
    pub source: String,
    pub machine: String,
    pub experiment: String,
    pub quantity: String,
    pub params: String,
    pub value: f64,
    pub unit: String,
    pub role: String,
    pub note: String,
}

/// All of them, in the order of the file.
pub fn published() -> Result<Vec<Published>, StudyError> {
    csv::Reader::from_reader(PUBLISHED.as_bytes()).deserialize().collect::<Result<_, _>>().map_err(|error| {
        StudyError::Reference { place: "reference/published.csv".to_owned(), problem: error.to_string() }
    })
}

impl Published {
    /// Something that the row says cannot be.
    pub fn wrong(&self, what: impl std::fmt::Display) -> StudyError {
        let place = format!("reference/published.csv: {}", self.id);
        StudyError::Reference { place, problem: what.to_string() }
    }

    /// `key=value` pairs.
    pub fn params(&self) -> impl Iterator<Item = (&str, &str)> {
        pairs(&self.params)
    }
}

/// `key=value` pairs with semicolons between them.
pub fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(';').filter_map(|pair| pair.split_once('='))
}
