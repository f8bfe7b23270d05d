//! What stands out in runs.

use super::fit;
use super::grid::{printable, wrap};
use crate::style::{Ink, Style};
use numalab_results::Comparison;

/// An entry for each finding: of which run, what, and what shows it. Lines that follow are indented.
pub(super) fn section(comparison: &Comparison, style: &Style) -> Option<String> {
    /// Of lines that follow.
    const INDENT: &str = "  ";
    let findings = comparison.runs.iter().flat_map(|run| run.findings.iter().map(|one| (&run.policy, one)));
    let mut text = String::new();
    for (policy, finding) in findings {
        let heading = printable(&format!("{policy}, {}:", finding.name));
        let entry = format!("{heading} {}", printable(&finding.evidence));
        for (at, line) in wrap(&entry, style.columns() - INDENT.len()).lines().enumerate() {
            let line = if at > 0 { format!("{INDENT}{line}") } else { line.to_owned() };
            let line = fit(&line, style.columns(), style);
            text += &match line.strip_prefix(&heading) {
                Some(rest) if at == 0 => style.paint(Ink::Bold, &heading) + rest,
                _ => line,
            };
            text.push('\n');
        }
    }
    (!text.is_empty()).then_some(text)
}
