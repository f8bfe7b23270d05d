//! Rates of all processors together (`ALL Reads        :  190000.5`), and the idle latency of one.

use super::super::number::{measured, number};
use super::super::page::{Line, Page};
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;

/// Parses a line with a rate: true if the traffic is reads alone, and the cell of the rate.
pub fn rate<'a>(line: &Line<'a>) -> Option<(bool, Cell<'a>)> {
    let (label, value) = line.split_last(':')?;
    let lower = label.text.to_ascii_lowercase();
    let reads = lower == "all reads";
    let other = lower.ends_with("reads-writes")
        || lower.starts_with("stream-triad")
        || lower.starts_with("all nt writes")
        || lower.contains("read-nt write")
        || lower == "all writes";
    (reads || other).then_some((reads, value))
}

/// Value of a rate; `None` if the rate was not measured.
pub fn value(page: &Page<'_>, line: &Line<'_>, cell: Cell<'_>) -> Result<Option<f64>, Diagnostic> {
    // All versions print decimals.
    let like = Cell { text: "0.0", ..cell };
    match measured(cell, "MB/sec") {
        Ok(_) if page.cut(cell, like) => {
            Err(line
                .refused(format!("the file ends within `{}`", cell.text), "expected MB/sec with decimals"))
        }
        Ok(None) if cell.text.is_empty() => {
            Err(line.refused("the rate is missing", "expected MB/sec; is the file cut here?"))
        }
        other => other,
    }
}

/// Nanoseconds in `Each iteration took 215.3 base frequency clocks ( 86.1  ns)`.
pub fn iteration(line: &Line<'_>) -> Option<Result<f64, Diagnostic>> {
    if !line.text().to_ascii_lowercase().contains("each iteration took") {
        return None;
    }
    let behind = line.split_last('(').map(|(_, behind)| behind.text);
    let word = behind.and_then(|text| text.trim_end_matches(')').trim().strip_suffix("ns"));
    Some(match word {
        Some(word) => number(line.part(word), "nanoseconds"),
        None => Err(line.refused("the latency in nanoseconds is missing", "expected \"(… ns)\" at the end")),
    })
}
