//! Distances as CSV: a square of numbers, optionally with names in the first line and column. Without commas, numbers
//! are separated by blanks, as in `/sys`.

use super::DistanceMatrix;
use numalab_syntax::cells::{Cell, Line, blank_separated, comma_separated, counted, unquoted};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};

/// Largest distance; 10 is that of a node to itself.
const MOST: f64 = 1e9;

pub fn read(text: &str) -> Result<DistanceMatrix, Vec<Diagnostic>> {
    let lines = if text.contains(',') { comma_separated(text) } else { blank_separated(text) };
    // A first line with a cell that is no number, or with an empty corner, is a header.
    let headed = |line: &&Line<'_>| line.cells.iter().any(|cell| !cell.is_number());
    let header = lines.first().filter(headed).filter(|_| lines.len() > 1);
    let rows = &lines[usize::from(header.is_some())..];
    let Some(first) = rows.first() else {
        let expected = "expected a square of numbers";
        return Err(vec![Diagnostic::new(TextRange::default(), "there are no distances", expected)]);
    };
    let skip = usize::from(header.is_some_and(|header| rows_have_names(header, first)));
    // The first line decides the number of nodes.
    let nodes = lines[0].cells.len() - skip;
    let mut errors = Vec::new();
    let mut matrix = DistanceMatrix {
        names: header
            .map_or_else(|| (0..nodes).map(|node| node.to_string()).collect(), |line| names(line, skip)),
        rows: Vec::with_capacity(rows.len()),
        memory_only: Vec::new(),
    };
    for row in rows {
        let cells = &row.cells[skip..];
        if cells.len() != nodes {
            let message =
                format!("{} in a line, but {}", counted(cells.len(), "distance"), counted(nodes, "node"));
            errors.push(Diagnostic::new(row.span, message, format!("expected {nodes}")));
        }
        matrix.rows.push(numbers(cells, &mut errors));
    }
    if rows.len() != nodes {
        let message = format!("{} of distances for {}", counted(rows.len(), "line"), counted(nodes, "node"));
        let label = if rows.len() < nodes { "expected more below" } else { "expected fewer" };
        errors.push(Diagnostic::new(rows[rows.len() - 1].span, message, label));
    }
    if errors.is_empty() { Ok(matrix) } else { Err(errors) }
}

/// True if each row begins with the name of its node: the corner is empty, or the first row begins with a word or
/// with the first name of the header.
fn rows_have_names(header: &Line<'_>, first: &Line<'_>) -> bool {
    let corner = header.cells[0].text;
    let begins = &first.cells[0];
    corner.is_empty()
        || !begins.is_number() && !begins.text.is_empty()
        || header.cells.get(1).is_some_and(|name| name.text == begins.text)
}

fn names(header: &Line<'_>, skip: usize) -> Vec<String> {
    header.cells[skip..].iter().map(|cell| unquoted(cell.text)).collect()
}

fn numbers(cells: &[Cell<'_>], errors: &mut Vec<Diagnostic>) -> Vec<f64> {
    let read = |cell: &Cell<'_>| match cell.distance()? {
        value if value > MOST => {
            let message = format!("`{}` is not a distance", shorten(cell.text));
            Err(Diagnostic::new(cell.span, message, format!("expected a number from 0 to {MOST:e}")))
        }
        value => Ok(value),
    };
    cells.iter().map(|cell| read(cell).map_err(|error| errors.push(error)).unwrap_or_default()).collect()
}
