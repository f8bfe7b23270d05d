//! A column by which rows are compared.

use crate::group::{median, number};
use numalab_formats::hint;
use numalab_results::{Cell, CellKind, Column, Frame, Role};

/// A column of numbers with its unit.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Column that it is in.
    pub column: usize,
    /// Its unit, seconds for times.
    pub unit: String,
    /// Number of the column's units that make one of `unit`.
    scale: f64,
}

impl Measure {
    /// The one that somebody means; otherwise a sentence with the nearest name.
    pub fn find(frame: &Frame, name: &str) -> Result<Measure, String> {
        let Some(column) = frame.find(name) else {
            return Err(format!("there is no column `{name}`: {}", hint(name, Measure::names(frame))));
        };
        let words = frame.columns[column].kind == CellKind::Text && frame.rows.is_empty();
        let words = words || frame.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Text(_))));
        match words {
            true => Err(format!("column `{}` holds words, not numbers", frame.columns[column].name)),
            false => Ok(Measure::of(frame, column)),
        }
    }

    /// A column of numbers.
    pub fn of(frame: &Frame, column: usize) -> Measure {
        let name = &*frame.columns[column].name;
        let unit = match name.split_once(" [") {
            Some((_, unit)) => unit.trim_end_matches(']'),
            None if name.ends_with("_ps") => "s",
            None if name.starts_with("bytes_") => "B",
            None => "",
        };
        let scale = if name.ends_with("_ps") { 1e12 } else { 1.0 };
        Measure { column, unit: unit.to_owned(), scale }
    }

    /// The same with the numbers as they stand in the column.
    pub fn unscaled(self) -> Measure {
        Measure { scale: 1.0, ..self }
    }

    /// Names by which people call the outcomes of a frame.
    pub fn names(frame: &Frame) -> impl Iterator<Item = &str> {
        let numbers = |column: &&Column| column.role() == Role::Outcome && column.kind != CellKind::Text;
        frame.columns.iter().filter(numbers).map(|column| Column::short(&column.name))
    }

    /// Its value in a row.
    pub fn at(&self, frame: &Frame, row: usize) -> Option<f64> {
        number(frame, row, self.column).map(|value| value / self.scale)
    }

    /// The median over replicas, those that have a value.
    pub fn median(&self, frame: &Frame, rows: &[usize]) -> Option<f64> {
        median(&rows.iter().filter_map(|&row| self.at(frame, row)).collect::<Vec<_>>())
    }
}

/// By which fraction a value is off another.
pub(crate) fn change(value: f64, reference: f64) -> f64 {
    if value == reference { 0.0 } else { (value - reference) / reference.abs() }
}

/// Whether a fraction is more than what is allowed; what division rounds is not.
pub(crate) fn exceeds(change: f64, limit: f64) -> bool {
    change > limit + 1e-12
}
