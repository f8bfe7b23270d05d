//! For a data frame: a row for each contestant, its shares of wins at the end.

use crate::csv_text::written;
use numalab_results::RankTable;

/// Rows under a header. Columns `rank.MACHINE` are mean ranks on a machine, `beats.NAME` the part of the groups with
/// both in which the row's contestant is better.
pub fn rank_csv(ranks: &RankTable) -> String {
    let head = [&ranks.by[..], "mean_rank", "wins", "groups", "mean_ratio", "worst_ratio", "worst_where"];
    let mut header: Vec<String> = head.map(str::to_owned).to_vec();
    header.extend(ranks.machines.iter().map(|machine| format!("rank.{machine}")));
    header.extend(ranks.rows.iter().map(|row| format!("beats.{}", row.name)));
    let number = |value: &Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let row = |(at, row): (usize, &numalab_results::RankRow)| {
        let mut cells = vec![
            row.name.clone(),
            row.mean_rank.to_string(),
            row.wins.to_string(),
            row.groups.to_string(),
            number(&row.mean_ratio),
            number(&row.worst_ratio),
            row.worst_where.clone(),
        ];
        cells.extend(row.machine_ranks.iter().map(number));
        cells.extend(ranks.wins.get(at).into_iter().flatten().map(number));
        cells
    };
    written(std::iter::once(header).chain(ranks.rows.iter().enumerate().map(row)))
}
