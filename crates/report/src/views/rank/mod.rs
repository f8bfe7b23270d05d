//! Ranks: one row per contestant, the best first, and a matrix of wins.

#[cfg(test)]
mod tests;

use crate::numbers::count;
use crate::page::{Lines, Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use numalab_results::{RankRow, RankTable};

impl View for RankTable {
    fn page(&self, _: &Style) -> Page {
        let title = [
            format!("{} by {}", self.by, self.measure),
            format!("{} is better", self.better.name()),
            format!("{} of points equal in all else", count(self.groups, "group")),
        ];
        let matrix = format!(
            "Percentage of common groups in which the {} of the row beats that of the column; a tie counts half:",
            self.by
        );
        Page::titled(title).table(ranks(self)).table_under(Ink::Plain, matrix, wins(self)).text(notes(self))
    }
}

impl Rows for RankTable {
    /// One CSV line per contestant. A column `rank.MACHINE` has mean ranks on a machine, `beats.NAME` the fraction of
    /// common groups in which the row's contestant is better than NAME.
    fn csv(&self) -> String {
        let ranks = ranks(self).each(self.machines.iter().enumerate(), |sheet, (at, machine)| {
            sheet.file(&format!("rank.{machine}"), |(_, row)| row.machine_ranks.get(at).copied().flatten())
        });
        let wins = |row: usize, other: usize| self.wins.get(row)?.get(other).copied().flatten();
        let all = self.rows.iter().enumerate();
        ranks
            .each(all, |sheet, (other, row)| {
                sheet.file(&format!("beats.{}", row.name), |(at, _)| wins(*at, other))
            })
            .csv()
    }
}

/// Table of ranks, with a column per machine if all fit.
fn ranks(ranks: &RankTable) -> Sheet<(usize, &RankRow)> {
    let ratio = |ratio: f64| if ratio < 1e6 { format!("{ratio:.3}") } else { format!("{ratio:.2e}") };
    let some = ranks.rows.iter().any(|row| row.groups != ranks.groups);
    let sheet = Sheet::of(ranks.rows.iter().enumerate())
        .words(&ranks.by, &ranks.by, |(_, row)| row.name.clone())
        .file("mean_rank", |(_, row)| row.mean_rank)
        .number("mean\nrank", |(_, row)| format!("{:.2}", row.mean_rank))
        .count("wins", "wins", |(_, row)| row.wins)
        .file("groups", |(_, row)| row.groups)
        .when(some, |sheet| sheet.number("groups", |(_, row)| row.groups))
        .file("mean_ratio", |(_, row)| row.mean_ratio)
        .number("mean\nratio", |(_, row)| row.mean_ratio.map(ratio))
        .file("worst_ratio", |(_, row)| row.worst_ratio)
        .number("worst\nratio", |(_, row)| row.worst_ratio.map(ratio))
        .file("worst_where", |(_, row)| row.worst_where.clone());
    let sheet = sheet.each(ranks.machines.iter().enumerate(), |sheet, (at, machine)| {
        let rank = |row: &RankRow| row.machine_ranks.get(at).copied().flatten();
        let header = Lines::of(["rank on", machine]);
        sheet.number(header, |(_, row)| rank(row).map(|rank| format!("{rank:.2}"))).until(1)
    });
    sheet.text("worst at", |(_, row)| match row.worst_ratio {
        // A contestant that is always best has no worst group.
        Some(ratio) if ratio > 1.0 => row.worst_where.clone(),
        _ => "-".to_owned(),
    })
}

/// Table of pairwise wins, in percent of the common groups. Columns are headed by row numbers.
fn wins(ranks: &RankTable) -> Sheet<(usize, &RankRow)> {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let sheet = Sheet::of(ranks.rows.iter().enumerate())
        .number("", |(at, _)| at + 1)
        .text(&ranks.by, |(_, row)| row.name.clone())
        .fold_evenly();
    sheet.each(0..ranks.rows.len(), |sheet, other| {
        let wins = |at: usize| ranks.wins.get(at)?.get(other).copied().flatten();
        sheet.number(&(other + 1).to_string(), |(at, _)| wins(*at).map(percent))
    })
}

/// Sentences that explain the columns of the tables.
fn notes(ranks: &RankTable) -> Vec<String> {
    let some_groups = ranks.rows.iter().any(|row| row.groups != ranks.groups);
    let no_ratio = ranks.rows.iter().any(|row| row.mean_ratio.is_none());
    let different = "Not all are in every group: mean ranks use different groups, wins the common ones.";
    let notes = [
        (some_groups, different.to_owned()),
        (no_ratio, "No mean ratio where a value is not above 0.".to_owned()),
        (
            ranks.alone > 0,
            format!("Not counted: {} with only one {}.", count(ranks.alone, "group"), ranks.by),
        ),
        (
            ranks.without_value > 0,
            format!("Not counted: {} without {}.", count(ranks.without_value, "row"), ranks.measure),
        ),
    ];
    notes.into_iter().filter_map(|(so, note)| so.then_some(note)).collect()
}
