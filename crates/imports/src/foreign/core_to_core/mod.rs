//! Matrices of core-to-core latencies, in nanoseconds one way.
//!
//! `core-to-core-latency --csv` prints a line for each processor with the cells above the diagonal empty; others print
//! the whole square, with `x` or 0 on the diagonal, with or without processor numbers above and before
//! (`delimited`). `c2clat` prints a table with blanks between the cells (`table`).

mod delimited;
mod table;

use super::Foreign;
use super::page::Page;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::show;
use std::collections::BTreeMap;

/// Largest number of processors; a file of the largest size holds no more.
const MOST_PROCESSORS: usize = 16384;
/// Largest number of cells: those of 1448 processors. Each pair of processors becomes a row.
const MOST_CELLS: usize = 1 << 21;

/// Plausible latencies between two processors of a machine, in nanoseconds.
const LATENCIES: std::ops::RangeInclusive<f64> = 0.1..=1e5;

/// Square matrix of latencies between processors.
struct Square {
    /// Processor numbers in the order of the columns.
    processors: Vec<u32>,
    /// For each processor: number of its line in the file (from 1), and the cells of the line; `None` for an empty
    /// cell.
    rows: Vec<(usize, Vec<Option<f64>>)>,
}

pub fn printed(page: &Page<'_>) -> bool {
    table::header(page).is_some() || delimited::looks_like(page)
}

/// True if the text has a line `Num cores:` or a table headed `CPU`.
pub fn names_itself(page: &Page<'_>) -> bool {
    page.lines.iter().any(|line| line.text().starts_with("Num cores:"))
        || table::header(page).is_some_and(|header| header.named)
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let square = match table::header(page) {
        // A table and a CSV in one file are one measurement; the CSV has more digits.
        Some(header) if !delimited::looks_like(page) => table::read(page, &header)?,
        _ => delimited::read(page, found)?,
    };
    check_plausible(page, &square)?;
    // Both directions are samples of the same latency: until one core has the line that the other core wrote.
    let mut pairs: BTreeMap<(u32, u32), (usize, Vec<f64>)> = BTreeMap::new();
    for (&a, (line, cells)) in square.processors.iter().zip(&square.rows) {
        for (&b, cell) in square.processors.iter().zip(cells) {
            if let Some(value) = cell.filter(|_| a != b) {
                pairs.entry((a.min(b), a.max(b))).or_insert_with(|| (*line, Vec::new())).1.push(value);
            }
        }
    }
    if pairs.is_empty() {
        let expected = "expected nanoseconds between different processors";
        return Err(vec![Diagnostic::new(page.end(), "the matrix holds no latency", expected)]);
    }
    for ((a, b), (line, values)) in pairs {
        let params = [("procs", format!("{a},{b}"))];
        found.rows.push(page.row(line, ("core_to_core", "one_way"), &params, "ns", &values));
    }
    Ok(())
}

/// Refuses values that are no latencies between cores, which are tens of nanoseconds and far below a message between
/// computers. A matrix with the largest values on its diagonal holds counts.
fn check_plausible(page: &Page<'_>, square: &Square) -> Result<(), Vec<Diagnostic>> {
    let refused = |number: usize, message: String, expected: &str| {
        let line = page.lines.iter().find(|line| line.number == number);
        let span = line.map_or(page.end(), |line| line.span());
        Err(vec![Diagnostic::new(span, message, expected)])
    };
    for (line, cells) in &square.rows {
        if let Some(value) = cells.iter().flatten().find(|value| !LATENCIES.contains(*value)) {
            let message = format!("{} ns between two processors", show(*value));
            return refused(*line, message, "expected 0.1 to 100000, as latencies between cores are");
        }
    }
    let own = square.rows.iter().enumerate().map(|(at, (line, cells))| {
        let own = cells.get(at).copied().flatten()?;
        let others = cells.iter().enumerate().filter(|(other, _)| *other != at).filter_map(|(_, cell)| *cell);
        (own > others.fold(0.0, f64::max)).then_some(*line)
    });
    match own.collect::<Option<Vec<usize>>>().and_then(|lines| lines.first().copied()) {
        Some(line) => {
            let message = "the largest number of every line is on the diagonal, as in counts of accesses";
            refused(line, message.to_owned(), "expected latencies, of which a processor has none to itself")
        }
        None => Ok(()),
    }
}
