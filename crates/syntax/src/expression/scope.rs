//! Meaning of names.

use super::rows::Rows;
use super::table::Table;
use std::sync::Arc;

/// Names with their values: facts, parameters, words.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<String>,
    values: Vec<f64>,
    /// Matrix that the functions of rows read.
    pub matrix: Option<Arc<Rows>>,
    /// Columns that `table_value` reads, by name.
    pub tables: Vec<(String, Arc<Table>)>,
}

impl Scope {
    /// Gives a name its value. The first value of a name stays.
    pub fn add(&mut self, name: impl Into<String>, value: f64) {
        self.names.push(name.into());
        self.values.push(value);
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.names.iter().position(|known| known == name).map(|at| self.values[at])
    }

    /// All names, in the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// All names with their values.
    pub fn entries(&self) -> Vec<(String, f64)> {
        self.names.iter().cloned().zip(self.values.iter().copied()).collect()
    }
}
