//! A table with blanks between the cells.
//!
//! ```text
//!  CPU    0    1    2
//!    0    0   24   60
//!    1   24    0   61
//!    2   60   61    0
//! ```
//!
//! Or, in `core-to-core-latency`'s output for people, the triangle below the diagonal, each value with `±` and an
//! error.

use super::super::number::{index, measured, whole};
use super::super::page::{Line, Page};
use super::{MOST_CELLS, Square};
use numalab_syntax::cells::{Cell, counted};
use numalab_syntax::diagnostics::Diagnostic;

/// Header line of a table.
pub struct Header {
    at: usize,
    /// True if the header begins with the word `CPU`.
    pub named: bool,
}

/// Finds the header: the first line of processor numbers whose next line begins with the first of these numbers.
pub fn header(page: &Page<'_>) -> Option<Header> {
    let lines: Vec<(usize, &Line<'_>)> =
        page.lines.iter().enumerate().filter(|(_, line)| !line.is_empty()).collect();
    lines.windows(2).find_map(|pair| {
        let (at, line) = pair[0];
        if line.text().contains([',', ';', '.']) {
            return None;
        }
        let mut words = line.words();
        let named = words.first().is_some_and(|word| word.text.eq_ignore_ascii_case("cpu"));
        words.drain(..usize::from(named));
        let rising = words.windows(2).all(|pair| before(pair[0].text, pair[1].text));
        let below = pair[1].1.words();
        let first = words.first()?.text;
        let same = below.first().is_some_and(|word| word.text == first);
        // Without the word `CPU` it must be a triangle: the line of the first processor has no cells.
        let fits = named || below.len() == 1 && has_errors(page);
        (words.len() >= 2 && words.iter().all(|word| whole(word.text)) && rising && same && fits)
            .then_some(Header { at, named })
    })
}

/// True if the text contains `±`, which precedes the error of a value.
fn has_errors(page: &Page<'_>) -> bool {
    page.lines.iter().any(|line| line.text().contains('±'))
}

fn before(a: &str, b: &str) -> bool {
    matches!((a.parse::<u32>(), b.parse::<u32>()), (Ok(a), Ok(b)) if a < b)
}

pub fn read(page: &Page<'_>, header: &Header) -> Result<Square, Vec<Diagnostic>> {
    let columns: Vec<Cell<'_>> = page.lines[header.at].words().split_off(usize::from(header.named));
    let mut errors = Vec::new();
    let number = |cell: &Cell<'_>| index(*cell, "a processor's number");
    let processors: Result<Vec<u32>, Diagnostic> = columns.iter().map(number).collect();
    let mut square = Square { processors: processors.map_err(|error| vec![error])?, rows: Vec::new() };
    let count = columns.len();
    if count * count > MOST_CELLS {
        return Err(vec![
            page.lines[header.at].refused(format!("{count} processors"), "expected at most 1448"),
        ]);
    }
    let mut last = &page.lines[header.at];
    for line in page.lines[header.at + 1..].iter().filter(|line| !line.is_empty()) {
        let words = line.words();
        let row = square.rows.len();
        let Some((label, cells)) = words.split_first().filter(|(label, _)| whole(label.text)) else { break };
        last = line;
        if label.text.parse() != Ok(square.processors.get(row).copied().unwrap_or(u32::MAX)) {
            let expected = columns
                .get(row)
                .map_or("nothing more".to_owned(), |column| format!("processor {}", column.text));
            errors.push(Diagnostic::new(
                label.span,
                format!("this is the line of processor {}", label.text),
                format!("expected {expected}"),
            ));
            break;
        }
        // Full lines; or, with errors, the triangle below the diagonal, or all cells but the diagonal.
        let skips = !header.named && cells.len() + 1 == count;
        let place = |cell: usize| if skips && cell >= row { cell + 1 } else { cell };
        if cells.len() != count && (header.named || !skips && cells.len() != row) {
            let cells = counted(cells.len(), "cell");
            let message = format!("{cells} in the line of processor {}", label.text);
            errors.push(line.refused(message, format!("expected {count}")));
        }
        let mut values = vec![None; count];
        for (at, cell) in cells.iter().enumerate() {
            let value = cell.text.split('±').next().unwrap_or_default();
            match (measured(line.part(value), "nanoseconds"), values.get_mut(place(at))) {
                (Ok(value), Some(slot)) => *slot = value,
                (Err(error), _) => errors.push(error),
                _ => {}
            }
        }
        square.rows.push((line.number, values));
    }
    if errors.is_empty() && square.rows.len() != count {
        let message = format!("{} for {}", counted(square.rows.len(), "line"), counted(count, "processor"));
        errors.push(last.refused(message, "expected more below; is the file cut here?"));
    }
    if errors.is_empty() { Ok(square) } else { Err(errors) }
}
