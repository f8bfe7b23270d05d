//! Columns of numbers that a workload reads from files.

use std::fmt;

#[derive(Clone, PartialEq)]
pub struct Table {
    /// Identity of the contents: columns with the same identity are equal.
    pub content: String,
    pub values: Vec<f64>,
}

impl Table {
    /// The number in a row; NaN if there is no such row.
    pub fn at(&self, row: f64) -> f64 {
        let row = if row >= 0.0 && row.fract() == 0.0 { row as usize } else { usize::MAX };
        self.values.get(row).copied().unwrap_or(f64::NAN)
    }
}

/// Prints the identity of the contents, since programs are compared by their debug output.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.content)
    }
}
