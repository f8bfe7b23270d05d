//! Numeric columns that rows are compared by.

use crate::values::{ColumnValues, Ranged};
use numalab_results::{Cell, CellKind, Column, Frame, Role};
use numalab_syntax::nearest::hint;

/// A numeric column with a unit.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    values: ColumnValues,
    /// Unit of shown values; seconds for times.
    pub unit: String,
    /// Size of `unit` in units of the column.
    scale: f64,
}

impl Measure {
    /// Finds a column by its full or short name; the error is a sentence with the nearest name.
    pub fn find(frame: &Frame, name: &str) -> Result<Measure, String> {
        let Some(column) = frame.find(name) else {
            return Err(format!("there is no column `{name}`: {}", hint(name, Measure::names(frame))));
        };
        let words = frame.columns[column].kind == CellKind::Text && frame.rows.is_empty();
        let words = words || frame.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Text(_))));
        match words {
            true => Err(format!("column `{}` has words, not numbers", frame.columns[column].name)),
            false => Ok(Measure::of(frame, column)),
        }
    }

    /// Measure of a column that must be numeric.
    pub fn of(frame: &Frame, column: usize) -> Measure {
        let name = &*frame.columns[column].name;
        let unit = match name.split_once(" [") {
            Some((_, unit)) => unit.trim_end_matches(']'),
            None if name.ends_with("_ps") => "s",
            None if name.starts_with("bytes_") => "B",
            None => "",
        };
        let scale = if name.ends_with("_ps") { 1e12 } else { 1.0 };
        Measure { values: ColumnValues::of(frame, column), unit: unit.to_owned(), scale }
    }

    /// The measure with values in the unit of the column instead of `unit`.
    pub fn unscaled(self) -> Measure {
        Measure { scale: 1.0, ..self }
    }

    /// Short names of the numeric outcomes.
    pub fn names(frame: &Frame) -> impl Iterator<Item = &str> {
        let numbers = |column: &&Column| column.role() == Role::Outcome && column.kind != CellKind::Text;
        frame.columns.iter().filter(numbers).map(|column| Column::short(&column.name))
    }

    pub fn column(&self) -> usize {
        self.values.column
    }

    /// Value in a row, in `unit`.
    pub fn at(&self, frame: &Frame, row: usize) -> Option<f64> {
        self.values.at(frame, row).map(|value| value / self.scale)
    }

    /// Median and range of the values in some rows, in `unit`; `None` if no row has a value.
    pub fn over(&self, frame: &Frame, rows: &[usize]) -> Option<Ranged> {
        Some(self.values.over(frame, rows)?.scaled(self.scale))
    }
}

/// Relative difference from a reference: 0.1 for 10 % more.
pub(crate) fn change(value: f64, reference: f64) -> f64 {
    if value == reference { 0.0 } else { (value - reference) / reference.abs() }
}

/// True if a relative difference exceeds its limit by more than rounding.
pub(crate) fn exceeds(change: f64, limit: f64) -> bool {
    change > limit + 1e-12
}
