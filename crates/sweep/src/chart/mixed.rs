//! Checks that no mark of a picture stands for points that differ in a coordinate which the picture does not show.

use crate::group::REPLICAS;
use crate::view::{ViewError, coordinates, named};
use numalab_results::Frame;

/// Fails if the rows of one mark differ in a coordinate that is not among the columns `shown`; the error names these
/// coordinates. `marks`: the rows of each mark. `colour` and `facet`: true if colours and panels already show a
/// column.
pub(super) fn refuse<'a>(
    frame: &Frame,
    shown: &[usize],
    marks: impl Iterator<Item = &'a Vec<usize>> + Clone,
    (colour, facet): (bool, bool),
) -> Result<(), ViewError> {
    let hidden: Vec<usize> = coordinates(frame, &REPLICAS).filter(|at| !shown.contains(at)).collect();
    let mixed: Vec<usize> = hidden
        .into_iter()
        .filter(|at| {
            marks.clone().any(|rows| {
                let value = |row: &usize| frame.rows[*row].get(*at);
                rows.windows(2).any(|pair| value(&pair[0]) != value(&pair[1]))
            })
        })
        .collect();
    if mixed.is_empty() {
        return Ok(());
    }
    let columns = mixed.iter().map(|at| (frame.columns[*at].name.clone(), values(frame, *at))).collect();
    Err(ViewError::Mixed { columns, facet, colour })
}

fn values(frame: &Frame, column: usize) -> Vec<String> {
    let mut values = Vec::new();
    for row in 0..frame.rows.len() {
        let value = named(frame, row, column);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}
