//! Columns that this program writes hold what it can write there: another value is a slip, which is told with its line.

use numalab_results::{Cell, CellKind, Figures};
use numalab_syntax::tree::shorten;
use std::ops::RangeInclusive;

/// Most picoseconds of one run: nothing is simulated beyond 53 days. A clock counts whole ones; means have parts.
const MAKESPANS: RangeInclusive<f64> = 1.0..=(u64::MAX / 4) as f64;
/// Anything else that is counted. Sums over a team of so many threads may need more than 64 bits.
const COUNTS: RangeInclusive<f64> = 1e-6..=u64::MAX as f64 * THREADS;
const THREADS: f64 = 1_048_576.0;

/// A value that a column of this name cannot have: what it is, and what was expected.
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
    // What workloads measure are numbers with a unit.
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

/// Coordinates that are whole numbers, with what they are less than.
fn whole(name: &str) -> Option<(f64, &'static str)> {
    match name {
        "threads" => Some((THREADS, "expected a whole number of threads, a million at most")),
        "seed" | "replica" => Some((u64::MAX as f64, "expected a whole number from 0 on")),
        _ => None,
    }
}

/// Finds what is wrong with a row as a whole, whose cells are found by the names of their columns: a run that failed has
/// no figures, and one that did not has a makespan.
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
