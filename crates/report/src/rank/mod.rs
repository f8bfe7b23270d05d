//! Ranks in a terminal, as Markdown, as JSON, as CSV.

mod csv;
mod matrix;
mod table;

pub use csv::rank_csv;

use crate::json::readable;
use crate::style::{Ink, Style};
use crate::table::{fit, printable, wrap};
use numalab_results::RankTable;

/// The rank table, and under it the win matrix.
pub fn rank_table(ranks: &RankTable, style: Style) -> String {
    let title = fit(&printable(&title(ranks, style.pick(" · ", ", "))), style.columns(), &style);
    let mut sections = vec![format!("{}\n", style.paint(Ink::Bold, &title))];
    sections.push(table::fitting(ranks, &style).draw(&style));
    sections.push(wrap(&matrix::explained(ranks), style.columns()) + &matrix::fitting(ranks, &style));
    let notes: String = notes(ranks).iter().map(|note| wrap(note, style.columns())).collect();
    sections.extend(Some(notes).filter(|notes| !notes.is_empty()));
    sections.join("\n")
}

/// The same as Markdown, with a column for every machine.
pub fn rank_markdown(ranks: &RankTable) -> String {
    let (table, matrix) = (table::grid(ranks, true).markdown(), matrix::grid(ranks).markdown());
    let mut sections = vec![format!("**{}**\n", printable(&title(ranks, " · "))), table];
    sections.extend([format!("{}\n", matrix::explained(ranks)), matrix]);
    sections.extend(notes(ranks).into_iter().map(|note| note + "\n"));
    sections.join("\n")
}

/// One object with everything.
pub fn rank_json(ranks: &RankTable) -> String {
    readable(ranks)
}

fn title(ranks: &RankTable, dot: &str) -> String {
    let groups = if ranks.groups == 1 { "1 group".to_owned() } else { format!("{} groups", ranks.groups) };
    let better = format!("{} is better", ranks.better.name());
    format!("{} by {}{dot}{better}{dot}{groups} of points equal in all else", ranks.by, ranks.measure)
}

/// What the figures do not say themselves.
fn notes(ranks: &RankTable) -> Vec<String> {
    let mut notes = Vec::new();
    if ranks.rows.iter().any(|row| row.groups != ranks.groups) {
        notes.push(
            "Not all are in every group: mean ranks are over different ones, wins over common ones."
                .to_owned(),
        );
    }
    if ranks.rows.iter().any(|row| row.mean_ratio.is_none()) {
        notes.push("No mean ratio where a value is not above 0.".to_owned());
    }
    let of = |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    if ranks.alone > 0 {
        let groups = of(ranks.alone, "group has", "groups have");
        notes.push(format!("{groups} one {} alone, and no say.", ranks.by));
    }
    if ranks.without_value > 0 {
        let rows = of(ranks.without_value, "row has", "rows have");
        notes.push(format!("{rows} no {}.", ranks.measure));
    }
    notes
}

#[cfg(test)]
mod tests;
