//! Who beats whom, and how often.

use crate::style::Style;
use crate::table::Grid;
use numalab_results::RankTable;

/// What the numbers are.
pub(super) fn explained(ranks: &RankTable) -> String {
    format!(
        "In how many % of the groups with both the {} of a row beats that of a column; a tie counts half:",
        ranks.by
    )
}

/// Columns are headed by the numbers of the rows.
pub(super) fn grid(ranks: &RankTable) -> Grid {
    part(ranks, 0, ranks.rows.len())
}

/// The matrix, in as many parts below each other as the width asks for.
pub(super) fn fitting(ranks: &RankTable, style: &Style) -> String {
    let count = ranks.rows.len();
    let mut each = count.max(1);
    while each > 1 && part(ranks, 0, each).natural_width() > style.columns() {
        each -= 1;
    }
    let starts = (0..count).step_by(each);
    let parts: Vec<String> =
        starts.map(|from| part(ranks, from, (from + each).min(count)).draw(style)).collect();
    parts.join("\n")
}

fn part(ranks: &RankTable, from: usize, to: usize) -> Grid {
    let number = |at: usize| (at + 1).to_string();
    let mut grid = Grid::new()
        .number("", (0..ranks.rows.len()).map(number))
        .text(&ranks.by, ranks.rows.iter().map(|row| row.name.clone()));
    for column in from..to {
        let cell = |row: &Vec<Option<f64>>| match row.get(column).copied().flatten() {
            Some(share) => format!("{:.0}", share * 100.0),
            None => "-".to_owned(),
        };
        grid = grid.number(&number(column), ranks.wins.iter().map(cell));
    }
    grid
}
