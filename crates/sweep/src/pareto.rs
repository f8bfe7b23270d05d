//! Points that no other point beats in both of two columns.

use crate::group::{REPLICAS, differs, groups, median};
use crate::values::ColumnValues;
use crate::view::{ViewError, coordinates, measure, named};
use numalab_results::{Better, Frame, Objective, ParetoFront, ParetoPoint, SCHEMA_VERSION};

/// The Pareto front of two columns, each with its direction. A point is on the front unless another point is no worse
/// in both columns and better in one of them. Replicas are represented by their median.
pub fn pareto(frame: &Frame, x: (&str, Better), y: (&str, Better)) -> Result<ParetoFront, ViewError> {
    let columns = [measure(frame, x.0)?, measure(frame, y.0)?];
    let shown: Vec<usize> = coordinates(frame, &REPLICAS).filter(|column| differs(frame, *column)).collect();
    let of = columns.map(|column| ColumnValues::of(frame, column));
    let values = |row: &usize| Some((of[0].at(frame, *row)?, of[1].at(frame, *row)?));
    let point = |rows: Vec<usize>| {
        let (xs, ys): (Vec<f64>, Vec<f64>) = rows.iter().filter_map(values).unzip();
        let at = shown.iter().map(|column| named(frame, rows[0], *column)).collect();
        Some(ParetoPoint { x: median(&xs)?, y: median(&ys)?, at })
    };
    let mut points: Vec<ParetoPoint> =
        groups(frame, &REPLICAS).into_iter().filter_map(|group| point(group.rows)).collect();
    if points.is_empty() {
        return Err(ViewError::Apart { columns: columns.map(|at| frame.columns[at].name.clone()) });
    }
    // By x, then by y, the best first. The sort is stable: equal points keep the order of the rows.
    points.sort_by(|a, b| x.1.order(a.x, b.x).then(y.1.order(a.y, b.y)));
    let (mut front, mut behind): (Vec<ParetoPoint>, Vec<ParetoPoint>) = (Vec::new(), Vec::new());
    for point in points {
        let on = front
            .last()
            .is_none_or(|last| y.1.order(point.y, last.y).is_lt() || (point.x, point.y) == (last.x, last.y));
        if on { front.push(point) } else { behind.push(point) }
    }
    let objective = |at: usize, better| Objective { column: frame.columns[at].name.clone(), better };
    Ok(ParetoFront {
        schema_version: SCHEMA_VERSION,
        x: objective(columns[0], x.1),
        y: objective(columns[1], y.1),
        coordinates: shown.iter().map(|column| frame.columns[*column].name.clone()).collect(),
        common: common(frame, &[]),
        without_value: (0..frame.rows.len()).filter(|row| values(row).is_none()).count() as u64,
        front,
        behind,
    })
}

/// Coordinates with the same value in all rows, as pairs of name and value. Empty ones, `replica` and those in
/// `without` are left out.
pub(crate) fn common(frame: &Frame, without: &[&str]) -> Vec<(String, String)> {
    let first = frame.rows.first();
    coordinates(frame, without)
        .filter(|column| !differs(frame, *column) && frame.columns[*column].name != "replica")
        .filter_map(|column| {
            let value = first?.get(column)?.text();
            Some((frame.columns[column].name.clone(), value)).filter(|(_, value)| !value.is_empty())
        })
        .collect()
}

#[cfg(test)]
mod tests;
