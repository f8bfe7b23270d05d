//! Builds a frame from cells: the type of a column is the narrowest that fits all of its cells.

use numalab_results::{Cell, CellKind, Column, Frame, Role};

fn kind(cell: &Cell) -> Option<CellKind> {
    match cell {
        Cell::Empty => None,
        Cell::Count(_) => Some(CellKind::Count),
        Cell::Signed(_) => Some(CellKind::Signed),
        Cell::Real(_) => Some(CellKind::Real),
        Cell::Text(_) => Some(CellKind::Text),
    }
}

/// Builds a frame from column names and rows with one cell per column. The type of a column without any value is
/// text.
pub fn framed(names: Vec<String>, mut rows: Vec<Vec<Cell>>) -> Frame {
    let mut columns = Vec::with_capacity(names.len());
    for (at, name) in names.into_iter().enumerate() {
        let kinds = rows.iter().filter_map(|row| kind(&row[at]));
        let mut wanted = kinds.reduce(CellKind::both).unwrap_or(CellKind::Text);
        // Counts above `i64::MAX` do not fit a signed column.
        let large = |row: &Vec<Cell>| matches!(row[at], Cell::Count(value) if i64::try_from(value).is_err());
        if wanted == CellKind::Signed && rows.iter().any(large) {
            wanted = CellKind::Real;
        }
        for row in &mut rows {
            row[at] = std::mem::take(&mut row[at]).held_as(wanted);
        }
        columns.push(Column::new(name, wanted));
    }
    Frame { columns, rows }
}

/// Converts a cell of a text file. A coordinate becomes a number only in canonical spelling: `12.0` stays a text,
/// since it is another value of `set` than `12`.
pub fn typed(name: &str, text: &str) -> Cell {
    let cell = number(text);
    let exact = || Column::new(name, CellKind::Text).role() == Role::Outcome || cell.text() == text;
    match cell {
        Cell::Empty if text.is_empty() => Cell::Empty,
        Cell::Empty => Cell::Text(text.to_owned()),
        _ if exact() => cell,
        _ => Cell::Text(text.to_owned()),
    }
}

/// Parses a number; `Cell::Empty` if the text is not a number.
pub fn number(text: &str) -> Cell {
    if let Ok(value) = text.parse::<u64>() {
        return Cell::Count(value);
    }
    if let Ok(value) = text.parse::<i64>() {
        return Cell::Signed(value);
    }
    text.parse::<f64>().map_or(Cell::Empty, Cell::from)
}
