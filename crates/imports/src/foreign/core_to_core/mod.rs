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
use std::collections::BTreeMap;

/// Most processors that fit into a file of the largest size.
const MOST_PROCESSORS: usize = 16384;
/// Most cells that are kept, each pair of which becomes a row: of 1448 processors.
const MOST_CELLS: usize = 1 << 21;

/// Latencies between processors: the index of the line of each, its number, and its cells.
struct Square {
    /// In the order of the columns.
    processors: Vec<u32>,
    /// For each processor the number of its line and a cell for each column.
    rows: Vec<(usize, Vec<Option<f64>>)>,
}

/// Whether a text holds a matrix.
pub fn printed(page: &Page<'_>) -> bool {
    table::header(page).is_some() || delimited::looks_like(page)
}

/// Whether the matrix says itself what it is.
pub fn names_itself(page: &Page<'_>) -> bool {
    page.lines.iter().any(|line| line.text().starts_with("Num cores:"))
        || table::header(page).is_some_and(|header| header.named)
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let square = match table::header(page) {
        // Both in one file are one measurement; the CSV has more digits.
        Some(header) if !delimited::looks_like(page) => table::read(page, &header)?,
        _ => delimited::read(page, found)?,
    };
    // Both directions are samples of one way: until a core has what the other one has written.
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
