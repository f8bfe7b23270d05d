//! Names with their values, and the matrix and tables that expressions can read.

use super::program::Parsed;
use super::rows::Rows;
use super::table::Table;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Names with their values: facts, parameters, words.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<String>,
    values: Vec<f64>,
    /// Matrix that the row functions read; `None` if the workload has none.
    pub matrix: Option<Arc<Rows>>,
    /// Columns that `table_value` reads, by name.
    pub tables: Vec<(String, Arc<Table>)>,
    /// Names for expressions, which may use the iteration index or variables.
    pub locals: Vec<(String, Parsed)>,
    /// Names whose values come from the matrix.
    of_matrix: Vec<String>,
    /// True if an expression that was bound to this scope, or to a copy of it, used the matrix.
    matrix_read: Arc<AtomicBool>,
}

impl Scope {
    /// Adds a name with its value. An earlier value of the name takes precedence.
    pub fn add(&mut self, name: impl Into<String>, value: f64) {
        self.names.push(name.into());
        self.values.push(value);
    }

    /// Changes the value of a name. Returns the former value; `None` if the name is unknown.
    pub fn set(&mut self, name: &str, value: f64) -> Option<f64> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(std::mem::replace(&mut self.values[at], value))
    }

    /// Gives a name a value, or removes the name. Returns the former value; `None` if the name was unknown.
    pub fn replace(&mut self, name: &str, value: Option<f64>) -> Option<f64> {
        let at = self.names.iter().position(|known| known == name);
        match (at, value) {
            (Some(_), Some(value)) => self.set(name, value),
            (Some(at), None) => {
                self.names.remove(at);
                Some(self.values.remove(at))
            }
            (None, Some(value)) => {
                self.add(name, value);
                None
            }
            (None, None) => None,
        }
    }

    /// Adds a name whose value comes from the matrix.
    pub fn add_of_matrix(&mut self, name: &str, value: f64) {
        self.of_matrix.push(name.to_owned());
        self.add(name, value);
    }

    /// Records the use of a name, or of matrix rows (`None`).
    pub(super) fn note(&self, name: Option<&str>) {
        if name.is_none_or(|name| self.of_matrix.iter().any(|known| known == name)) {
            self.matrix_read.store(true, Ordering::Relaxed);
        }
    }

    /// True if an expression used the matrix.
    pub fn reads_matrix(&self) -> bool {
        self.matrix_read.load(Ordering::Relaxed)
    }

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
