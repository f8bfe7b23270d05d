//! Meaning of names.

use super::rows::Rows;
use super::table::Table;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Names with their values: facts, parameters, words.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<String>,
    values: Vec<f64>,
    /// Matrix that the functions of rows read.
    pub matrix: Option<Arc<Rows>>,
    /// Columns that `table_value` reads, by name.
    pub tables: Vec<(String, Arc<Table>)>,
    /// Names that stand for something of the matrix.
    of_matrix: Vec<String>,
    /// Whether an expression has asked for anything of it, here or in a copy.
    matrix_read: Arc<AtomicBool>,
}

impl Scope {
    /// Gives a name its value. The first value of a name stays.
    pub fn add(&mut self, name: impl Into<String>, value: f64) {
        self.names.push(name.into());
        self.values.push(value);
    }

    /// Gives a name another value from now on. Says which it had.
    pub fn set(&mut self, name: &str, value: f64) -> Option<f64> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(std::mem::replace(&mut self.values[at], value))
    }

    /// The same of a number that the matrix has.
    pub fn add_of_matrix(&mut self, name: &str, value: f64) {
        self.of_matrix.push(name.to_owned());
        self.add(name, value);
    }

    /// Notes that an expression asks for a name, or for rows of the matrix.
    pub(super) fn note(&self, name: Option<&str>) {
        if name.is_none_or(|name| self.of_matrix.iter().any(|known| known == name)) {
            self.matrix_read.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an expression has asked for anything of the matrix.
    pub fn reads_matrix(&self) -> bool {
        self.matrix_read.load(Ordering::Relaxed)
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
