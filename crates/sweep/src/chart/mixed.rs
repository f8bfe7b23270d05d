//! Whether a mark stands for points that differ in something that the picture does not show.

use crate::group::REPLICAS;
use crate::view::{ViewError, coordinates, named, some_of};
use numalab_results::Frame;

/// Says what would be mixed, and what to do about it.
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
    let Some(&first) = mixed.first() else { return Ok(()) };
    let says = |at: &usize| {
        let values = values(frame, *at);
        format!("{} ({})", frame.columns[*at].name, some_of(&values))
    };
    let what: Vec<String> = mixed.iter().map(says).collect();
    let name = &frame.columns[first].name;
    let mut ways = vec![format!("choose one value with --only {name}=\"{}\"", values(frame, first)[0])];
    if !facet {
        ways.push(format!("give each a panel with --facet {name}"));
    }
    if !colour {
        ways.push(format!("give each a colour with --color {name}"));
    }
    Err(ViewError::new(
        format!("a mark would mix points that differ in {}", what.join(" and in ")),
        ways.join(", or "),
    ))
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
