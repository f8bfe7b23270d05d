//! A comparison of policies: tables with one row per policy, and a bar per thread.

mod bars;
mod efficiency;
mod measures;
mod pages;
mod policies;
mod tasks;
#[cfg(test)]
mod tests;
mod verdict;

use crate::page::{Page, Rows, Sheet, View, fit, wrap};
use crate::style::{Ink, Style};
use crate::views::replay::above;
use crate::views::summary::{team_size, unusual_runtime};
use crate::views::{influence, origins};
use numalab_results::{Cell, Comparison, Figures, Replicas};

impl View for Comparison {
    fn page(&self, style: &Style) -> Page {
        let mut facts = vec![self.machine.name.clone(), self.workload.name.clone()];
        facts.extend(unusual_runtime(self.runtime.as_ref()));
        facts.extend([team_size(self), format!("seed {}", self.seed)]);
        let page = above(Page::titled(facts), self.replay.as_ref());
        if self.runs.is_empty() {
            return page;
        }
        let page = page.table(policies::sheet(self));
        let page = page.with(efficiency::sheet(self), Page::table).with(tasks::sheet(self), Page::table);
        let page = page.with(pages::loops(self), Page::table).with(pages::nodes(self), Page::table);
        let page = page.drawn(findings(self, style));
        let page = page.with(measures::measures(self), Page::table);
        let page = page.with(measures::phases(self), Page::table);
        let page = bars::sections(self, style).into_iter().fold(page, Page::drawn);
        let page = match verdict::sentence(self) {
            Some(sentence) => page.drawn(wrap(&style.plain(&sentence), style.columns())),
            None => page,
        };
        let makespan =
            |policy: &String| self.runs.iter().find(|run| run.policy == *policy).map(|run| run.makespan_ps);
        let page = page.with(self.influences.as_ref(), |page, found| {
            influence::add(page, &found.policy, makespan(&found.policy).unwrap_or(0), &found.values)
        });
        page.text(origins::sentences(&self.machine, &self.workload))
    }
}

impl Rows for Comparison {
    fn csv(&self) -> String {
        let figures: Vec<Vec<Cell>> = self.runs.iter().map(|run| Figures::of(run).cells()).collect();
        let sheet = Sheet::of(self.runs.iter().zip(&figures))
            .inputs(&self.machine, &self.workload)
            .file("seed", |_| self.seed)
            .file("policy", |(run, _)| run.policy.clone())
            .file("threads", |(run, _)| run.threads);
        let varied = self.runs.iter().any(|run| run.replicas.is_some());
        let shown = |column: &(usize, &(&str, _))| varied || !Replicas::COLUMNS.contains(&column.1.0);
        let columns = Figures::COLUMNS.iter().enumerate().filter(shown);
        sheet.each(columns, |sheet, (at, column)| sheet.file(column.0, |(_, cells)| cells[at].text())).csv()
    }
}

/// Text of the findings, each with run, name and evidence. Continuation lines are indented.
fn findings(comparison: &Comparison, style: &Style) -> String {
    const INDENT: &str = "  ";
    let mut text = String::new();
    let findings =
        comparison.runs.iter().flat_map(|run| run.findings.iter().map(|finding| (&run.policy, finding)));
    for (policy, finding) in findings {
        let heading = style.plain(&format!("{policy}, {}:", finding.name));
        let entry = format!("{heading} {}", style.plain(&finding.evidence));
        for (at, line) in wrap(&entry, style.columns() - INDENT.len()).lines().enumerate() {
            let indent = if at > 0 { INDENT } else { "" };
            let line = fit(&format!("{indent}{line}"), style.columns(), style);
            text += &match line.strip_prefix(&heading) {
                Some(rest) if at == 0 => style.paint(Ink::Bold, &heading) + rest,
                _ => line,
            };
            text.push('\n');
        }
    }
    text
}
