//! Columns of numbers that a workload reads from files.

use std::fmt;

/// A column of numbers.
#[derive(Clone, PartialEq)]
pub struct Table {
    /// Name of the column's content: columns with one name are the same.
    pub content: String,
    /// Its numbers.
    pub values: Vec<f64>,
}

impl Table {
    /// The number in a row; NaN where there is no such row.
    pub fn at(&self, row: f64) -> f64 {
        let row = if row >= 0.0 && row.fract() == 0.0 { row as usize } else { usize::MAX };
        self.values.get(row).copied().unwrap_or(f64::NAN)
    }
}

/// The name of what is in it: programs are told apart by what they print.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.content)
    }
}
