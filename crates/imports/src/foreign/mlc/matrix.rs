//! Matrices between nodes.
//!
//! ```text
//!                 Numa node
//! Numa node            0       1       2
//!        0          90.1   140.3   310.0
//!        1         141.0    89.7       -
//! ```
//!
//! A node without processors has a column and no line. `-` is a node without free memory.

use super::super::node_matrix::NodeMatrix;
use super::super::number::{index, measured, whole};
use super::super::page::{Line, Page};
use numalab_syntax::cells::{Cell, counted};
use numalab_syntax::diagnostics::Diagnostic;
use std::collections::BTreeSet;

/// Largest number of nodes of a machine; Linux has room for 1024.
const MOST_NODES: usize = 4096;
/// Largest number of cells: those of 1024 nodes. Each cell becomes a row of the measurements.
const MOST_CELLS: usize = 1 << 20;

/// Meaning of the lines of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    Nodes,
    Sockets,
    Processors,
    /// Writers of the lines, in a matrix from cache to cache.
    Writers,
}

/// Parses a header such as `Numa node  0  1`; also returns the cells that name the columns.
pub fn header<'a>(line: &Line<'a>) -> Option<(Header, Vec<Cell<'a>>)> {
    let words = line.words();
    let is = |at: usize, text: &str| words.get(at).is_some_and(|word| word.text.eq_ignore_ascii_case(text));
    let (header, label) = if is(0, "numa") && is(1, "node") {
        (Header::Nodes, 2)
    } else if is(0, "socket") {
        (Header::Sockets, 1)
    } else if is(0, "cpu") {
        (Header::Processors, 1)
    } else if is(0, "writer") {
        (Header::Writers, if is(1, "numa") { 3 } else { 2 })
    } else {
        return None;
    };
    let columns = words.get(label..)?.to_vec();
    // "Socket 0 (core 2) measuring …" is a sentence, no header.
    columns.iter().all(|cell| whole(cell.text) || cell.text.starts_with('/')).then_some((header, columns))
}

/// Reads the matrix below the header in line `at`, whose cells `columns` name the nodes; also returns the index of
/// its last line. `what`: unit of the values, for errors.
pub fn read(
    page: &Page<'_>,
    at: usize,
    columns: &[Cell<'_>],
    what: &str,
) -> Result<(NodeMatrix, usize), Vec<Diagnostic>> {
    let line = &page.lines[at];
    if columns.len() > MOST_NODES {
        return Err(vec![
            line.refused(format!("{} nodes", columns.len()), format!("expected at most {MOST_NODES}")),
        ]);
    }
    let mut errors = Vec::new();
    let mut matrix = NodeMatrix { to: nodes(columns, &mut errors), ..NodeMatrix::default() };
    let mut last = at;
    let mut like = None;
    for (row_at, row) in page.lines.iter().enumerate().skip(at + 1).filter(|(_, line)| !line.is_empty()) {
        let words = row.words();
        let Some((label, cells)) = words.split_first().filter(|(label, _)| whole(label.text)) else { break };
        last = row_at;
        match index(*label, "a node's number") {
            Ok(node) if matrix.from.contains(&node) => {
                errors.push(Diagnostic::new(label.span, format!("node {node} has two lines"), ""));
            }
            Ok(node) => matrix.from.push(node),
            Err(error) => errors.push(error),
        }
        if cells.len() != columns.len() {
            let found = counted(cells.len(), "number");
            let message =
                format!("{found} in the line of node {}, but {}", label.text, counted(columns.len(), "node"));
            let cut = if page.ends_after(row_at) { "; is the file cut here?" } else { "" };
            let expected = format!("expected {}, with - where nothing was measured{cut}", columns.len());
            errors.push(row.refused(message, expected));
        }
        like = like.or(cells.first().copied());
        if let (Some(&word), Some(like)) = (cells.last(), like)
            && page.cut(word, like)
        {
            let message = format!("the file ends within `{}`", word.text);
            errors.push(Diagnostic::new(word.span, message, format!("expected {what}, as {}", like.text)));
        }
        let value =
            |cell: &Cell<'_>| measured(*cell, what).map_err(|error| errors.push(error)).unwrap_or_default();
        matrix.cells.push(cells.iter().map(value).collect());
        if matrix.from.len() * columns.len() > MOST_CELLS {
            errors.push(row.refused("the matrix is too large", "expected at most 1024 nodes"));
            break;
        }
    }
    if matrix.cells.is_empty() {
        errors.push(line.refused("the matrix has no lines", "expected a line for each node below"));
    }
    if errors.is_empty() { Ok((matrix, last)) } else { Err(errors) }
}

fn nodes(columns: &[Cell<'_>], errors: &mut Vec<Diagnostic>) -> Vec<u32> {
    let mut seen = BTreeSet::new();
    for cell in columns {
        match index(*cell, "a node's number") {
            Ok(node) if !seen.insert(node) => {
                errors.push(Diagnostic::new(cell.span, format!("node {node} has two columns"), ""));
            }
            Ok(_) => {}
            Err(error) => errors.push(error),
        }
    }
    columns.iter().filter_map(|cell| index(*cell, "").ok()).collect()
}
