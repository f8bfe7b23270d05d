//! A row for each contestant, the best first.

use crate::style::Style;
use crate::table::Grid;
use numalab_results::{RankRow, RankTable};

/// With a column for each machine if that fits, and without what can be told from the rest if it does not.
pub(super) fn fitting(ranks: &RankTable, style: &Style) -> Grid {
    let grid = grid(ranks, true);
    if grid.natural_width() <= style.columns() { grid } else { self::grid(ranks, false) }
}

/// The table, perhaps with the mean rank on each machine.
pub(super) fn grid(ranks: &RankTable, machines: bool) -> Grid {
    let rows = || ranks.rows.iter();
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
    let mut grid = Grid::new()
        .text(&ranks.by, rows().map(|row| row.name.clone()))
        .number("mean\nrank", rows().map(|row| format!("{:.2}", row.mean_rank)))
        .number("wins", rows().map(|row| row.wins.to_string()));
    if rows().any(|row| row.groups != ranks.groups) {
        grid = grid.number("groups", rows().map(|row| row.groups.to_string()));
    }
    grid = grid
        .number("mean\nratio", rows().map(|row| ratio(row.mean_ratio)))
        .number("worst\nratio", rows().map(|row| ratio(row.worst_ratio)));
    if machines {
        for (at, machine) in ranks.machines.iter().enumerate() {
            let rank = |row: &RankRow| {
                row.machine_ranks
                    .get(at)
                    .copied()
                    .flatten()
                    .map_or("-".to_owned(), |rank| format!("{rank:.2}"))
            };
            grid = grid.number(&header(machine), rows().map(rank));
        }
    }
    let worst = |row: &RankRow| match row.worst_ratio {
        // Who is never worse than the best has no worst place.
        Some(ratio) if ratio > 1.0 => row.worst_where.clone(),
        _ => "-".to_owned(),
    };
    grid.text("worst at", rows().map(worst))
}

/// A machine's name, in lines where it has words.
fn header(machine: &str) -> String {
    format!("rank on\n{}", crate::table::printable(machine))
}
