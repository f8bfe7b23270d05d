//! Checks cells and rows of known columns: a value that this program cannot have written is an error.

use numalab_results::{Cell, CellKind, Figures};
use numalab_syntax::tree::shorten;
use std::ops::RangeInclusive;

/// Range of a makespan in picoseconds. The engine's clock ends after 53 days. Means of several runs may have
/// fractions.
const MAKESPANS: RangeInclusive<f64> = 1.0..=(u64::MAX / 4) as f64;
/// Range of the absolute value of counts other than makespans; 0 is also allowed. A sum over a team of `THREADS`
/// threads may exceed 64 bits.
const COUNTS: RangeInclusive<f64> = 1e-6..=u64::MAX as f64 * THREADS;
const THREADS: f64 = 1_048_576.0;

/// Message and expectation if the cell's value is impossible in a column of this name; `None` if it is possible.
pub fn wrong(name: &str, cell: &Cell) -> Option<(String, &'static str)> {
    if let Cell::Real(value) = cell
        && !numalab_base::is_sensible(*value)
    {
        return Some((
            format!("`{}` is {value:e}", shorten(name)),
            "expected 0 or something from 1e-100 to 1e100",
        ));
    }
    if *cell == Cell::Empty {
        return None;
    }
    let is = || format!("`{name}` is {}", shorten(&cell.text()));
    if let Some((most, expected)) = whole(name) {
        let fits = |number: f64| number >= 0.0 && number.fract() == 0.0 && number < most;
        return (!cell.number().is_some_and(fits)).then(|| (is(), expected));
    }
    let figure = Figures::COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    // Measures of a workload are numbers, too.
    let kind = figure.or(name.starts_with("measure.").then_some(CellKind::Real))?;
    if kind == CellKind::Text {
        return None;
    }
    let Some(number) = cell.number() else {
        return Some((
            format!("`{name}` is \"{}\", which is no number", shorten(&cell.text())),
            "expected a number",
        ));
    };
    let counted = if name == "makespan_ps" { MAKESPANS } else { COUNTS };
    match kind {
        CellKind::Count if number < 0.0 => Some((is(), "expected 0 or more")),
        CellKind::Count | CellKind::Signed if number.abs() > *counted.end() => {
            Some((format!("`{name}` is {number:e}"), "expected less: no run counts so far"))
        }
        CellKind::Count | CellKind::Signed if number != 0.0 && number.abs() < *counted.start() => Some((
            format!("`{name}` is {number:e}"),
            "expected more: nothing that is counted is a part of one so small",
        )),
        CellKind::Count | CellKind::Signed | CellKind::Real | CellKind::Text => None,
    }
}

/// Exclusive upper bound, and expectation for messages, of a coordinate that is a whole number; `None` for other
/// columns.
fn whole(name: &str) -> Option<(f64, &'static str)> {
    match name {
        "threads" => Some((THREADS, "expected a whole number of threads, a million at most")),
        "seed" | "replica" => Some((u64::MAX as f64, "expected a whole number from 0 on")),
        _ => None,
    }
}

/// Message and expectation if cells of a row contradict each other: a failed run has an error and no makespan, any
/// other run has a makespan and no error. `cell` returns the cell under a column name.
pub fn wrong_row<'a>(cell: impl Fn(&str) -> Option<&'a Cell>) -> Option<(&'static str, &'static str)> {
    let makespan = cell("makespan_ps")?;
    let failed = cell("error").is_some_and(|error| *error != Cell::Empty);
    match (failed, *makespan != Cell::Empty) {
        (true, true) => {
            Some(("this row has an `error` and a `makespan_ps`", "expected one of them: a run fails or ends"))
        }
        (false, false) => {
            Some(("this row has neither a `makespan_ps` nor an `error`", "expected one of them"))
        }
        (true, false) | (false, true) => None,
    }
}
