//! Verdicts of gates: for a terminal, for a pull request, as JUnit, and as annotations.

mod annotations;
mod junit;
#[cfg(test)]
mod tests;
pub use annotations::gate_annotations;
pub use junit::gate_junit;

use crate::delta::{change, limit, pair, value};
use crate::numbers::count;
use crate::page::{Page, Sheet, View};
use crate::style::{Ink, Style};
use numalab_base::printable;
use numalab_results::{Broken, GateReport, Verdict, Violation};

impl View for GateReport {
    /// Arranges the gates, and the violations of broken ones.
    fn page(&self, _: &Style) -> Page {
        /// Largest number of violations shown per gate.
        const SHOWN: usize = 10;
        let ink = if self.passed() { Ink::Green } else { Ink::Red };
        let page = Page::default().title(ink, 0, format!("{}: {}", self.sweep, outcome(self)));
        let verdicts = || self.verdicts.iter();
        let page = page
            .with((!self.verdicts.is_empty()).then(|| Sheet::of(&self.verdicts)), |page, sheet| {
                page.table(columns(sheet).text("", |verdict| word(verdict)))
            });
        let page = verdicts().filter(|verdict| has_sentences(verdict)).fold(page, |page, verdict| {
            list(page, Ink::Bold, &place(self, verdict), sentences(verdict, SHOWN))
        });
        list(page, Ink::Bold, "points that failed", failures(self, SHOWN))
    }

    /// Arranges the overall verdict, the gates, then up to 50 violations in all.
    fn document(&self) -> Page {
        let (sign, verdict) = match (self.passed(), self.verdicts.iter().all(Verdict::passed)) {
            (true, _) => ("✅", "gate passed"),
            (false, true) => ("❌", "points failed"),
            (false, false) => ("❌", "gate failed"),
        };
        let signed = |verdict: &&Verdict| match verdict.passed() {
            true => "✅".to_owned(),
            false => format!("❌ {}", word(verdict)),
        };
        let page = Page::default().title(Ink::Plain, 2, format!("{sign} Sweep {}: {verdict}", self.sweep));
        let mut page = page.text([format!("{}.", outcome(self))]);
        if !self.verdicts.is_empty() {
            page = page.table(columns(Sheet::of(&self.verdicts).text("", signed)));
        }
        let mut left = 50usize;
        for verdict in self.verdicts.iter().filter(|verdict| has_sentences(verdict)) {
            page = list(page, Ink::Plain, &place(self, verdict), sentences(verdict, left));
            left = left.saturating_sub(verdict.violations.len());
        }
        list(page, Ink::Plain, "Points that failed", failures(self, left))
    }
}

fn columns(sheet: Sheet<&Verdict>) -> Sheet<&Verdict> {
    let any_undecided = sheet.rows.iter().any(|verdict| verdict.undecided > 0);
    sheet
        .text("assertion", |verdict| verdict.name.clone())
        .text("rule", |verdict| measured(verdict))
        .number("checked", |verdict| verdict.checked)
        .number("broken", |verdict| verdict.violations.len())
        .when(any_undecided, |sheet| sheet.number("undecided", |verdict| verdict.undecided))
}

/// Sentence on the comparisons of a gate that differ by more than is allowed and are not decided; `None` without any.
fn undecided(verdict: &Verdict) -> Option<String> {
    let Verdict { undecided, checked, .. } = verdict;
    (*undecided > 0).then(|| {
        format!("{undecided} of {checked} differ by more than is allowed, but the ranges of their replicas have values in common")
    })
}

fn list(page: Page, ink: Ink, heading: &str, sentences: Vec<String>) -> Page {
    page.list((ink, 3, heading), sentences.into_iter().map(|sentence| (String::new(), sentence)))
}

/// Name of the gate with its line in the sweep file.
fn place(report: &GateReport, verdict: &Verdict) -> String {
    format!("{} ({}:{})", verdict.name, report.file, verdict.line)
}

/// A violation: `bcs16 · loadbal · 128 threads: dynamic 1.720 s, baseline 1.564 s, +10.0 % (allowed
/// 1 %)`.
fn sentence(violation: &Violation, unit: &str) -> String {
    let Violation { point, policy, broken } = violation;
    let (point, policy) = (printable(point), printable(policy));
    let text = match broken {
        Broken::Beside { value, reference, reference_value, change: by, limit: allowed } => {
            let (own, other) = pair(*value, *reference_value, unit);
            let allowed = limit(*allowed);
            let reference = printable(reference);
            format!("{policy} {own}, {reference} {other}, {} (allowed {allowed})", change(*by))
        }
        Broken::Condition { values } => {
            let values =
                values.iter().map(|(name, number)| format!("{} {}", printable(name), value(*number, "")));
            format!("{policy}: {}", values.collect::<Vec<_>>().join(", "))
        }
    };
    format!("{point}: {text}")
}

/// True if there is more to say of a gate than its row.
fn has_sentences(verdict: &Verdict) -> bool {
    !verdict.passed() || verdict.undecided > 0
}

/// The reason why a gate was not checked, if there is one, its undecided comparisons, and its violations, one sentence
/// each. Violations beyond `most` are only counted.
fn sentences(verdict: &Verdict, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = verdict.problem.iter().cloned().chain(undecided(verdict)).collect();
    lines.extend(verdict.violations.iter().take(most).map(|violation| sentence(violation, &verdict.unit)));
    lines.extend(more(verdict.violations.len(), most));
    lines
}

/// Failed points, one sentence each; points beyond `most` are only counted.
fn failures(report: &GateReport, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = report
        .failed
        .iter()
        .take(most)
        .map(|(point, error)| format!("{}: {error}", printable(point)))
        .collect();
    lines.extend(more(report.failed.len(), most));
    lines
}

fn more(all: usize, most: usize) -> Option<String> {
    let rest = all.saturating_sub(most);
    (rest > 0).then(|| format!("… and {rest} more"))
}

/// Status of a gate: `holds`, `broken` or `not checked`.
fn word(verdict: &Verdict) -> &'static str {
    match (verdict.passed(), verdict.violations.is_empty()) {
        (true, _) => "holds",
        (false, false) => "broken",
        (false, true) => "not checked",
    }
}

/// Text of the gate's rule, followed by the measure if the measure is not the makespan.
fn measured(verdict: &Verdict) -> String {
    match &*verdict.measure {
        "" | "makespan" | "makespan_ps" => verdict.rule.clone(),
        measure => format!("{measure}: {}", verdict.rule),
    }
}

/// Overall result: `1 of 3 assertions does not hold, 2 of 40 points failed`.
fn outcome(report: &GateReport) -> String {
    let all = report.verdicts.len();
    let wrong = report.verdicts.iter().filter(|verdict| !verdict.passed()).count();
    let assertions = match (all, wrong) {
        (0, _) => "no assertions".to_owned(),
        (1, 0) => "the assertion holds".to_owned(),
        (_, 0) => format!("all {all} assertions hold"),
        (_, 1) => format!("1 of {} does not hold", count(all as u64, "assertion")),
        _ => format!("{wrong} of {all} assertions do not hold"),
    };
    match report.failed.len() {
        0 => format!("{assertions}, {}", count(report.points, "point")),
        failed => format!("{assertions}, {failed} of {} failed", count(report.points, "point")),
    }
}
