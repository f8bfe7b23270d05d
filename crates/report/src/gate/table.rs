//! The gate in a terminal.

use super::{failures, measured, outcome, sentences, word};
use crate::style::{Ink, Style};
use crate::table::{Grid, fit, printable};
use numalab_results::GateReport;

/// Violations shown of each assertion.
const SHOWN: usize = 10;

/// The assertions, and what is wrong with those that do not hold.
pub fn gate_table(report: &GateReport, style: Style) -> String {
    let ink = if report.passed() { Ink::Green } else { Ink::Red };
    let said = printable(&format!("{}: {}", report.sweep, outcome(report)));
    let mut sections = vec![format!("{}\n", style.paint(ink, &fit(&said, style.columns(), &style)))];
    let verdicts = || report.verdicts.iter();
    if !report.verdicts.is_empty() {
        let grid = Grid::new()
            .text("assertion", verdicts().map(|verdict| verdict.name.clone()))
            .text("says", verdicts().map(measured))
            .number("checked", verdicts().map(|verdict| verdict.checked.to_string()))
            .number("broken", verdicts().map(|verdict| verdict.violations.len().to_string()))
            .text("", verdicts().map(|verdict| word(verdict).to_owned()));
        sections.push(grid.draw(&style));
    }
    for verdict in verdicts().filter(|verdict| !verdict.passed()) {
        let place = format!("{} ({}:{})", verdict.name, report.file, verdict.line);
        sections.push(block(&place, sentences(verdict, SHOWN), &style));
    }
    if !report.failed.is_empty() {
        sections.push(block("points that failed", failures(report, SHOWN), &style));
    }
    sections.join("\n")
}

/// Lines are not cut: the numbers stand at their ends.
fn block(title: &str, lines: Vec<String>, style: &Style) -> String {
    let title = style.paint(Ink::Bold, &printable(title));
    let lines = lines.iter().map(|line| format!("  {}\n", plain(&printable(line), style)));
    format!("{title}\n{}", lines.collect::<String>())
}

/// Without characters that the terminal cannot show.
fn plain(text: &str, style: &Style) -> String {
    match style.unicode {
        true => text.to_owned(),
        false => text.replace(" · ", ", ").replace('…', "..."),
    }
}
