//! The horizontal axis: numbers, numbers with a unit, or words.

use crate::view::named;
use numalab_results::{Cell, CellKind, Frame};

/// Positions of rows along the axis.
pub(super) struct Across {
    /// Position on the axis, per row; `None` for a row without a value.
    pub at: Vec<Option<f64>>,
    /// Names of positions 0, 1, … if the column has words.
    pub words: Option<Vec<String>>,
    /// Unit that follows the number in all texts of the column; `None` if the column has numbers or words.
    pub unit: Option<String>,
}

impl Across {
    /// Positions by a column: its numbers, the numbers of its texts if all texts have the same unit, or indices of
    /// its words in order of occurrence.
    pub fn of(frame: &Frame, column: usize) -> Across {
        let cells = || frame.rows.iter().map(|row| row.get(column).unwrap_or(&Cell::Empty));
        if frame.columns[column].kind != CellKind::Text {
            return Across { at: cells().map(Cell::number).collect(), words: None, unit: None };
        }
        if let Some((at, unit)) = quantities(cells()) {
            return Across { at, words: None, unit };
        }
        let mut words: Vec<String> = Vec::new();
        let mut place = |row: usize| {
            let word = named(frame, row, column);
            let place = words.iter().position(|other| *other == word);
            place.unwrap_or_else(|| {
                words.push(word);
                words.len() - 1
            }) as f64
        };
        let at = (0..frame.rows.len()).map(|row| Some(place(row))).collect();
        Across { at, words: Some(words), unit: None }
    }
}

/// Splits texts such as `12 GB/s`, `16 GB/s` into the numbers 12, 16 and their common unit; `None` if any text has
/// another form or unit.
fn quantities<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<(Vec<Option<f64>>, Option<String>)> {
    let mut units: Option<String> = None;
    let mut at = Vec::new();
    for cell in cells {
        let text = cell.text();
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let (value, unit) = (digits.parse::<f64>().ok().filter(|value| value.is_finite())?, unit.trim());
        // A text such as `2x4` is a name, not a quantity.
        if !unit.chars().all(|c| c.is_alphabetic() || "/%".contains(c)) {
            return None;
        }
        match &units {
            Some(unit_so_far) if unit_so_far != unit => return None,
            _ => units = Some(unit.to_owned()),
        }
        at.push(Some(value));
    }
    Some((at, units?)).map(|(at, unit)| (at, Some(unit).filter(|unit| !unit.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<(Vec<Option<f64>>, Option<String>)> {
        let cells: Vec<Cell> = texts.iter().map(|text| Cell::Text((*text).to_owned())).collect();
        quantities(cells.iter())
    }

    #[test]
    fn texts_with_one_unit_are_numbers() {
        assert_eq!(of(&["12 GB/s", "16.5 GB/s"]), Some((vec![Some(12.0), Some(16.5)], Some("GB/s".into()))));
        assert_eq!(of(&["8", "16"]), Some((vec![Some(8.0), Some(16.0)], None)));
        for words in [&["64 KiB", "1 MiB"][..], &["static"], &["8", ""], &["2x4"], &[]] {
            assert_eq!(of(words), None, "{words:?}");
        }
    }
}
