//! Thread-node tables as CSV.

use super::ThreadNodeTable;
use numalab_syntax::cells::unquoted;
use numalab_syntax::cells::{Line, comma_separated, counted};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::shorten;

pub fn read(text: &str) -> Result<ThreadNodeTable, Vec<Diagnostic>> {
    let lines = comma_separated(text);
    let (header, rows) = match &lines[..] {
        [header, rows @ ..] if !rows.is_empty() => (header, rows),
        _ => {
            let span = lines.last().map(|line| line.span).unwrap_or_default();
            return Err(vec![Diagnostic::new(
                span,
                "there are no counts",
                "expected a header and a line for each thread",
            )]);
        }
    };
    let mut errors = Vec::new();
    if let Err(error) = check_header(header) {
        errors.push(error);
    }
    let nodes = &header.cells[1..];
    let mut table = ThreadNodeTable {
        threads: Vec::with_capacity(rows.len()),
        nodes: nodes.iter().map(|cell| unquoted(cell.text)).collect(),
        counts: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        let (thread, counts) = (&row.cells[0], &row.cells[1..]);
        let name = unquoted(thread.text);
        if name.is_empty() {
            errors.push(Diagnostic::new(
                row.span,
                "the thread's name is missing",
                "expected it in the first column",
            ));
        }
        if counts.len() != nodes.len() {
            let found = counted(counts.len(), "count");
            let message =
                format!("{found} for thread {}, but {}", shorten(&name), counted(nodes.len(), "node"));
            errors.push(Diagnostic::new(row.span, message, format!("expected {}", nodes.len())));
        }
        let count = |cell: &numalab_syntax::cells::Cell<'_>| {
            cell.count().map_err(|error| errors.push(error)).unwrap_or_default()
        };
        table.counts.push(counts.iter().map(count).collect());
        table.threads.push(name);
    }
    if errors.is_empty() { Ok(table) } else { Err(errors) }
}

/// Checks that a header names at least one node and does not consist of numbers only, like the first thread's line in
/// a file without a header.
fn check_header(header: &Line<'_>) -> Result<(), Diagnostic> {
    let expected = "expected \"thread\" and the nodes' names, such as thread,node0,node1";
    if header.cells.len() < 2 {
        return Err(Diagnostic::new(header.span, "there are no nodes in the header", expected));
    }
    if header.cells.iter().all(|cell| cell.is_number()) {
        return Err(Diagnostic::new(header.span, "the header is missing", expected));
    }
    match header.cells[1..].iter().find(|cell| cell.text.is_empty()) {
        Some(cell) => Err(Diagnostic::new(cell.span, "a node's name is missing", expected)),
        None => Ok(()),
    }
}
