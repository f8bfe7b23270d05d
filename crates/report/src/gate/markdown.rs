//! The gate as the summary of a pull request.

use super::{failures, measured, outcome, sentences, word};
use crate::markdown::{cell, line};
use numalab_results::{GateReport, Verdict};

/// Violations and failed points that are shown in all.
const SHOWN: usize = 50;

/// The verdict, the assertions as a table, then what is wrong.
pub fn gate_markdown(report: &GateReport) -> String {
    let held = report.verdicts.iter().all(Verdict::passed);
    let (sign, verdict) = match (report.passed(), held) {
        (true, _) => ("✅", "gate passed"),
        (false, true) => ("❌", "points failed"),
        (false, false) => ("❌", "gate failed"),
    };
    let mut page =
        format!("## {sign} Sweep {}: {verdict}\n\n{}.\n", cell(&report.sweep), cell(&outcome(report)));
    if !report.verdicts.is_empty() {
        page += "\n";
        page += &line(["", "assertion", "says", "checked", "broken"].map(str::to_owned));
        page += &line(["---", "---", "---", "---:", "---:"].map(str::to_owned));
    }
    for verdict in &report.verdicts {
        page += &line([
            if verdict.passed() { "✅".to_owned() } else { format!("❌ {}", word(verdict)) },
            cell(&verdict.name),
            cell(&measured(verdict)),
            verdict.checked.to_string(),
            verdict.violations.len().to_string(),
        ]);
    }
    let mut left = SHOWN;
    for verdict in report.verdicts.iter().filter(|verdict| !verdict.passed()) {
        let place = format!("{}:{}", report.file, verdict.line);
        page += &format!("\n### {} ({})\n\n", cell(&verdict.name), cell(&place));
        page += &list(sentences(verdict, left));
        left = left.saturating_sub(verdict.violations.len());
    }
    if !report.failed.is_empty() {
        page += &format!("\n### Points that failed\n\n{}", list(failures(report, left)));
    }
    page
}

fn list(lines: Vec<String>) -> String {
    lines.iter().map(|line| format!("- {}\n", cell(line))).collect()
}
