//! Columns that this program writes hold what it can write there: another value is a slip, which is told with its line.

use numalab_results::{Cell, CellKind, Figures};
use numalab_syntax::tree::shorten;

/// Most picoseconds of one run, and threads that it can have: sums over a team are no larger than both together.
const MOST: f64 = u64::MAX as f64;
const THREADS: f64 = 1_048_576.0;

/// A value that a column of this name cannot have: what it is, and what was expected.
pub fn wrong(name: &str, cell: &Cell) -> Option<(String, &'static str)> {
    if let Cell::Real(value) = cell
        && !numalab_units::is_sensible(*value)
    {
        return Some((
            format!("`{}` is {value:e}", shorten(name)),
            "expected 0 or something from 1e-100 to 1e100",
        ));
    }
    let figure = Figures::COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    // What workloads measure are numbers with a unit.
    let kind = figure.or(name.starts_with("measure.").then_some(CellKind::Real))?;
    if kind == CellKind::Text || *cell == Cell::Empty {
        return None;
    }
    let Some(number) = cell.number() else {
        return Some((
            format!("`{name}` is \"{}\", which is no number", shorten(&cell.text())),
            "expected a number",
        ));
    };
    let most = if name == "makespan_ps" { MOST } else { MOST * THREADS };
    match kind {
        CellKind::Count if number < 0.0 => {
            Some((format!("`{name}` is {}", cell.text()), "expected 0 or more"))
        }
        CellKind::Count | CellKind::Signed if number.abs() > most => {
            Some((format!("`{name}` is {number:e}"), "expected less: no run counts so far"))
        }
        CellKind::Count | CellKind::Signed | CellKind::Real | CellKind::Text => None,
    }
}
