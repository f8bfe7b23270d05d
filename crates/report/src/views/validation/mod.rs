//! Published measurements beside simulated values.

mod missing;
mod rows;
mod sums;

use crate::page::{Lines, Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use missing::{left_out, uncovered};
use numalab_results::{Score, Validation, ValidationRow};
use rows::{Judged, figures, is_judged, sheet, worst_first};
use sums::{by, summaries};

/// Legend of the column of verdicts.
const MARKS: &str = "✓: the error is within the limit; ✗: it is not";

impl View for Validation {
    /// Arranges a table of simulated values for each experiment, one row per experiment, reasons for values beyond their limits, the number
    /// of values that were not simulated, and a summary.
    fn page(&self, style: &Style) -> Page {
        let groups = self.rows.chunk_by(|row, next| row.experiment == next.experiment);
        let page = groups.fold(Page::default(), |page, group| page.then(ExperimentRows(group).page(style)));
        page.then(ValidationSums(self).page(style))
    }

    /// Arranges the scorecard: statistics, values beyond their limits with reasons, then all values.
    fn document(&self) -> Page {
        let heading = |page: Page, text: &str| page.title(Ink::Bold, 2, text.to_owned());
        let page = Page::default().title(Ink::Bold, 1, "Accuracy".to_owned()).text([
            "Published measurements of real machines beside what is simulated of their machine files. Rows marked \
             characterise are those that these files were fitted on; rows marked predict were not used, and their error \
             is the one to expect of an answer."
                .to_owned(),
            "Tau is Kendall's rank correlation (tau-b) of published and simulated values of the same machine and \
             quantity. Gaps are pairs of these whose published values differ by more than 5 %, and how many the \
             simulation has in the same order."
                .to_owned(),
        ]);
        let page = page.text(summaries(self));
        let scores = self.experiments.iter().filter(|score| score.simulated > 0).collect();
        let page = heading(page, "By experiment").table(by(scores));
        let scores: Vec<&Score> = self.scores.iter().filter(|score| score.simulated > 0).collect();
        let page = heading(page, "By machine and experiment").table(by(scores));
        let beyond: Vec<&ValidationRow> = self.rows.iter().filter(|row| row.within == Some(false)).collect();
        let page = match beyond.is_empty() {
            true => page,
            false => heading(page, "Beyond their limits").table(
                figures(Sheet::of(beyond).text("value", |row| row.id.clone()))
                    .text("reason", |row| row.reason.clone().unwrap_or_default()),
            ),
        };
        let page = heading(page, "Every value")
            .text(["By machine, the largest errors first.".to_owned()])
            .table(sheet(self, worst_first(self.judged())));
        let page = match self.rows.iter().any(|row| !row.commands.is_empty()) {
            true => heading(page, "Commands").then(RowCommands(&self.rows).page(&Style::default())),
            false => page,
        };
        let left_out = left_out(&self.rows);
        if left_out.is_empty() && uncovered(&self.rows).is_none() {
            return page;
        }
        let page = heading(page, "Not simulated");
        let page = match left_out.is_empty() {
            true => page,
            false => page.table(
                Sheet::of(left_out)
                    .text("values", |(_, ids)| ids.join(", "))
                    .text("reason", |(reason, _)| (*reason).to_owned()),
            ),
        };
        page.text(uncovered(&self.rows))
    }
}

/// Consecutive rows of one experiment: the part of a validation that can be shown before the others are simulated.
/// Empty if none is simulated.
pub struct ExperimentRows<'a>(pub &'a [ValidationRow]);

impl View for ExperimentRows<'_> {
    fn page(&self, _: &Style) -> Page {
        let judged: Vec<&ValidationRow> = self.0.iter().filter(|row| is_judged(row)).collect();
        let without =
            Validation { schema_version: 0, rows: Vec::new(), scores: Vec::new(), experiments: Vec::new() };
        match judged.is_empty() {
            true => Page::default(),
            false => Page::default().table(sheet(&without, judged)),
        }
    }
}

/// Commands that repeat the runs of rows; empty if no row has a command.
pub struct RowCommands<'a>(pub &'a [ValidationRow]);

impl View for RowCommands<'_> {
    fn page(&self, _: &Style) -> Page {
        let with: Vec<&ValidationRow> = self.0.iter().filter(|row| !row.commands.is_empty()).collect();
        match with.is_empty() {
            true => Page::default(),
            false => Page::default().table(
                Sheet::of(with)
                    .text("value", |row| row.id.clone())
                    .text("command", |row| Lines::of(row.commands.iter())),
            ),
        }
    }
}

/// Part of a validation after its rows: sums by experiment, reasons for values beyond their limits, and a summary.
pub struct ValidationSums<'a>(pub &'a Validation);

impl View for ValidationSums<'_> {
    fn page(&self, _: &Style) -> Page {
        let all = self.0;
        let several = all.experiments.len() > 1 && all.experiments.iter().any(|score| score.simulated > 1);
        let scores: Vec<&Score> = all.experiments.iter().filter(|score| score.simulated > 0).collect();
        let page = Page::default().with(several.then(|| by(scores)), Page::table);
        let beyond = all.rows.iter().filter(|row| row.within == Some(false));
        let reasons = beyond.filter_map(|row| Some(format!("{}: {}", row.id, row.reason.as_ref()?)));
        let marks = all.rows.iter().any(|row| row.within.is_some()).then(|| MARKS.to_owned());
        page.text(marks).text(reasons).text(uncovered(&all.rows)).text(summaries(all))
    }
}

impl Rows for Validation {
    fn csv(&self) -> String {
        sheet(self, self.rows.iter().collect()).csv()
    }
}

#[cfg(test)]
mod tests;
