//! Columns by full or short name.

use super::{FILE, ViewError};
use crate::group::text;
use numalab_results::{CellKind, Frame, Role};
use std::collections::BTreeSet;

/// Index of the column with this full or short name; the error suggests the nearest names.
pub(crate) fn column(frame: &Frame, name: &str) -> Result<usize, ViewError> {
    if let Some(at) = frame.find(name) {
        return Ok(at);
    }
    let names = || frame.columns.iter().map(|column| &*column.name);
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    // A short name may match several paths.
    let ends: Vec<&str> = names().filter(|column| column.rsplit('.').next() == Some(name)).collect();
    if ends.len() > 1 {
        return Err(ViewError::SeveralColumns { name: name.to_owned(), columns: owned(&ends) });
    }
    // Three suggestions are enough: figures of one kind have similar names.
    let close: Vec<&str> = numalab_syntax::nearest::close(name, names()).into_iter().take(3).collect();
    let all: Vec<&str> = names().collect();
    Err(ViewError::NoColumn { name: name.to_owned(), close: owned(&close), all: owned(&all) })
}

/// Index of the column with this name, which must have numbers.
pub(crate) fn measure(frame: &Frame, name: &str) -> Result<usize, ViewError> {
    let at = column(frame, name)?;
    let column = &frame.columns[at];
    let has = frame.rows.iter().any(|row| row.get(at).is_some_and(|cell| cell.number().is_some()));
    let numeric = |column: &&str| {
        frame.position(column).is_some_and(|at| {
            frame.columns[at].kind != CellKind::Text && frame.columns[at].role() == Role::Outcome
        })
    };
    if column.kind != CellKind::Text && has {
        return Ok(at);
    }
    let names = frame.columns.iter().map(|column| &*column.name).filter(numeric);
    let (column, kind) = (column.name.clone(), column.kind);
    let numbers = names.map(str::to_owned).collect();
    Err(match kind {
        CellKind::Text => ViewError::Words { column, numbers },
        _ => ViewError::Empty { column, numbers },
    })
}

/// Index of the column with this name, which must be a coordinate or the column `file`.
pub(crate) fn coordinate(frame: &Frame, name: &str) -> Result<usize, ViewError> {
    let at = column(frame, name)?;
    let is = |column: usize| {
        frame.columns[column].role() == Role::Coordinate || frame.columns[column].name == FILE
    };
    if is(at) {
        return Ok(at);
    }
    let all = (0..frame.columns.len()).filter(|at| is(*at)).map(|at| frame.columns[at].name.clone());
    Err(ViewError::NoCoordinate { column: frame.columns[at].name.clone(), coordinates: all.collect() })
}

/// Value of a coordinate as shown to users; an empty cell becomes `default`.
pub(crate) fn named(frame: &Frame, row: usize, column: usize) -> String {
    let text = text(frame, row, column);
    if text.is_empty() { "default".to_owned() } else { text }
}

/// The values of a coordinate, in order of occurrence.
pub(crate) fn distinct(frame: &Frame, column: usize) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let values = (0..frame.rows.len()).map(|row| named(frame, row, column));
    values.filter(|value| seen.insert(value.clone())).collect()
}
