//! Intel's Memory Latency Checker, `mlc`: output of one of its options, or of all sections without options.
//!
//! The output is a sequence of sections, each with a title (`section`): matrices between nodes (`matrix`), a curve of
//! latency under load (`curve`), rates of all processors together (`rates`). `walk` goes through the lines, `take`
//! makes rows of their values.

mod curve;
mod matrix;
mod options;
mod rates;
mod repeated;
mod section;
mod take;
mod walk;

use super::Foreign;
use super::page::{Line, Page};
use numalab_syntax::diagnostics::Diagnostic;

pub fn printed(page: &Page<'_>) -> bool {
    let header = |line: &Line<'_>| matches!(matrix::header(line), Some((matrix::Header::Nodes, columns)) if !columns.is_empty());
    page.lines.iter().any(|line| {
        line.text().contains("Memory Latency Checker")
            || section::title(line.text()).is_some()
            || header(line)
    })
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    walk::Walk::new(page).through(found)
}
