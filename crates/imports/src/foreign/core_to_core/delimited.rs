//! Matrices with commas, semicolons or tabs between the cells.

use super::super::Foreign;
use super::super::number::{index, measured, measured_local, whole};
use super::super::page::{Line, Page};
use super::{MOST_CELLS, MOST_PROCESSORS, Square};
use numalab_syntax::cells::{Cell, counted};
use numalab_syntax::diagnostics::Diagnostic;

/// True if the text has a matrix of at least two lines of numbers with a separator between the cells.
pub fn looks_like(page: &Page<'_>) -> bool {
    let lines = lines(page);
    let Some(separator) = separator(&lines) else { return false };
    let body = &lines[usize::from(is_header(&lines, separator)).min(lines.len())..];
    body.len() >= 2 && body.iter().any(|line| cells(line, separator).len() >= 2)
}

/// Lines of the matrix (at least half of the cells of a line are values), and the header above the first line.
fn lines<'p, 'a>(page: &'p Page<'a>) -> Vec<&'p Line<'a>> {
    let separated = |line: &&Line<'_>| line.raw().contains([',', ';', '\t']) && !line.text().starts_with('#');
    let candidates: Vec<&Line<'a>> = page.lines.iter().filter(separated).collect();
    let Some(separator) = candidates.windows(2).find_map(separator) else { return Vec::new() };
    let is_row = |line: &Line<'_>| {
        let cells = cells(line, separator);
        let values = cells.iter().skip(1).filter(|cell| value(**cell, separator).is_ok()).count();
        cells.len() > 1 && 2 * values >= cells.len() - 1
    };
    let Some(first) = candidates.iter().position(|line| is_row(line)) else { return Vec::new() };
    let above = first.checked_sub(1).filter(|&above| {
        let (above, first) = (candidates[above], candidates[first]);
        let (names, values) = (cells(above, separator).len(), cells(first, separator).len());
        above.number + 1 == first.number && (names == values || names + 1 == values)
    });
    let rows = candidates[first..].iter().filter(|line| is_row(line)).copied();
    above.map(|above| candidates[above]).into_iter().chain(rows).collect()
}

fn separator(lines: &[&Line<'_>]) -> Option<char> {
    let first = lines.first()?.raw();
    let second = lines.get(1).map_or("", |line| line.raw());
    [';', '\t', ','].into_iter().find(|c| first.contains(*c) || second.contains(*c))
}

/// Cells of a line, unquoted. Blanks at the end of a line do not count, tabs do.
fn cells<'a>(line: &Line<'a>, separator: char) -> Vec<Cell<'a>> {
    let unquoted = |cell: Cell<'a>| line.part(cell.text.trim_matches('"'));
    line.cells(separator).into_iter().map(unquoted).collect()
}

fn value(cell: Cell<'_>, separator: char) -> Result<Option<f64>, Diagnostic> {
    let what = "nanoseconds, or nothing";
    if separator == ',' { measured(cell, what) } else { measured_local(cell, what) }
}

/// True if the first line names the columns: it holds a word, or numbers that count up from 0, or an empty corner and
/// numbers that also begin the lines below.
fn is_header(lines: &[&Line<'_>], separator: char) -> bool {
    let (Some(first), Some(second)) = (lines.first(), lines.get(1)) else { return false };
    let (first, second) = (cells(first, separator), cells(second, separator));
    if first.iter().any(|cell| value(*cell, separator).is_err()) {
        return true;
    }
    let counting = (0..).zip(&first).all(|(at, cell)| cell.text.parse() == Ok(at));
    if counting && (lines.len() == first.len() + 1 || second.len() == first.len() + 1) {
        return true;
    }
    // Without numbers from 0 on, a short line may be the first one of a symmetric matrix.
    let (corner, numbers) = first.split_at(1);
    let rising = numbers.windows(2).all(
        |pair| matches!((pair[0].text.parse::<u32>(), pair[1].text.parse::<u32>()), (Ok(a), Ok(b)) if a < b),
    );
    let begins = numbers.first().is_some_and(|cell| whole(cell.text) && cell.text == second[0].text);
    let from_zero = numbers.first().is_some_and(|cell| cell.text == "0");
    corner[0].text.is_empty() && begins && rising && (from_zero || numbers.len() > 4)
}

/// Layout of a file, from its first lines.
struct Layout {
    width: usize,
    /// Processor numbers, if the header states them.
    names: Option<Vec<u32>>,
    /// Number of cells before the latencies of a line.
    skip: usize,
    /// Number of header lines.
    above: usize,
}

fn layout(lines: &[&Line<'_>], separator: char) -> Result<Layout, Vec<Diagnostic>> {
    if !is_header(lines, separator) {
        let width = lines.iter().map(|line| cells(line, separator).len()).max().unwrap_or_default();
        return Ok(Layout { width, names: None, skip: 0, above: 0 });
    }
    let header = cells(lines[0], separator);
    let first = lines.get(1).map(|line| cells(line, separator).len()).unwrap_or_default();
    // Lines begin with a name if the header has a corner, or if they have one cell more than the header.
    let corner = index_in(header[0].text).is_none();
    let names = names(&header[usize::from(corner)..])?;
    let skip = usize::from(corner || first == header.len() + 1);
    Ok(Layout { width: names.len(), names: Some(names), skip, above: 1 })
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<Square, Vec<Diagnostic>> {
    let lines = lines(page);
    let Some(separator) = separator(&lines) else {
        let expected = "expected numbers with a comma between them, or a line \"CPU 0 1 …\" above";
        return Err(vec![Diagnostic::new(page.end(), "there is no matrix of latencies", expected)]);
    };
    let Layout { width, names, skip, above } = layout(&lines, separator)?;
    let Some((first, rows)) = lines.get(above).map(|first| (*first, &lines[above..])) else {
        return Err(vec![
            lines[0].refused("there are no latencies", "expected a line for each processor below"),
        ]);
    };
    if width < 2 {
        return Err(vec![first.refused("one column", "expected a column for each processor")]);
    }
    if width > MOST_PROCESSORS || width * width > MOST_CELLS {
        return Err(vec![first.refused(format!("{width} processors"), "expected at most 1448")]);
    }
    let named = names.is_some();
    let processors = names.unwrap_or_else(|| (0..).take(width).collect());
    if !named {
        found.note(first.number, "processors have no numbers here: they are counted from 0");
    }
    let rows = first_of_several(rows, width, found)?;
    let mut errors = Vec::new();
    let triangle = rows.iter().enumerate().all(|(row, line)| cells(line, separator).len() == row + 1 + skip);
    let mut square = Square { processors, rows: Vec::new() };
    for (line, processor) in rows.iter().zip(square.processors.clone()) {
        let cells = cells(line, separator);
        if skip == 1 && named && index_in(cells[0].text).and_then(|text| text.parse().ok()) != Some(processor)
        {
            let message =
                format!("`{}` is not processor {processor}", numalab_syntax::tree::shorten(cells[0].text));
            errors.push(Diagnostic::new(
                cells[0].span,
                message,
                "expected lines in the order of the columns",
            ));
        }
        let cells = cells.get(skip..).unwrap_or_default();
        if cells.len() != width && !triangle {
            let found = counted(cells.len(), "cell");
            let message = format!("{found} in this line, but {}", counted(width, "processor"));
            errors.push(line.refused(message, format!("expected {width}, empty where nothing was measured")));
        }
        let latency =
            |cell: &Cell<'_>| value(*cell, separator).map_err(|error| errors.push(error)).unwrap_or_default();
        let mut values: Vec<Option<f64>> = cells.iter().map(latency).collect();
        values.resize(width, None);
        square.rows.push((line.number, values));
    }
    if errors.is_empty() && firmware(&square) {
        let message = "this looks like the firmware's distances: 10 on the diagonal";
        errors.push(first.refused(message, "expected latencies in nanoseconds"));
    }
    if errors.is_empty() { Ok(square) } else { Err(errors) }
}

/// The number in `3`, `cpu3`, `Core 3`.
fn index_in(text: &str) -> Option<&str> {
    let digits = text.len() - text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (word, number) = text.split_at(digits);
    (!number.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '_' || c == '#'))
        .then_some(number)
}

fn names(header: &[Cell<'_>]) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let mut processors = Vec::with_capacity(header.len());
    let mut seen = std::collections::BTreeSet::new();
    for cell in header {
        let part = index_in(cell.text).unwrap_or(cell.text);
        let processor = index(Cell { text: part, span: cell.span }, "a processor's number")
            .map_err(|error| vec![error])?;
        if !seen.insert(processor) {
            return Err(vec![Diagnostic::new(
                cell.span,
                format!("processor {processor} has two columns"),
                "",
            )]);
        }
        processors.push(processor);
    }
    Ok(processors)
}

/// Lines of the first matrix: as many as there are columns (`width`). A further matrix below is left out, with a
/// note.
fn first_of_several<'p, 'a, 'r>(
    rows: &'r [&'p Line<'a>],
    width: usize,
    found: &mut Foreign,
) -> Result<&'r [&'p Line<'a>], Vec<Diagnostic>> {
    match rows.get(width) {
        None if rows.len() == width => Ok(rows),
        Some(next) if rows.len().is_multiple_of(width) => {
            found.note(next.number, "left out: a second benchmark below the first");
            Ok(&rows[..width])
        }
        _ => {
            let message = format!("{} for {}", counted(rows.len(), "line"), counted(width, "processor"));
            let expected = if rows.len() < width {
                "expected more below; is the file cut here?"
            } else {
                "expected fewer"
            };
            Err(rows.last().map(|line| line.refused(message, expected)).into_iter().collect())
        }
    }
}

/// True if the values are the firmware's relative distances: 10 from a node to itself, whole numbers from 10 to 255
/// elsewhere.
fn firmware(square: &Square) -> bool {
    let cells = || {
        square.rows.iter().enumerate().flat_map(|(row, (_, cells))| {
            cells.iter().enumerate().map(move |(column, cell)| (row == column, *cell))
        })
    };
    cells().all(|(same, cell)| {
        if same {
            cell == Some(10.0)
        } else {
            cell.is_some_and(|value| (10.0..=255.0).contains(&value) && value.fract() == 0.0)
        }
    })
}
