//! Results as CSV: a header, then a line for each point.

use super::columns::{framed, typed};
use super::figures;
use ::csv::{ReaderBuilder, StringRecord};
use numalab_results::guard::unguarded;
use numalab_results::{Cell, Column, Figures, Frame};
use numalab_syntax::cells::counted;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use std::collections::BTreeMap;

/// Largest number of reported errors: one mistake in the header makes all lines wrong.
const TOLD: usize = 100;

pub fn read(text: &str) -> Result<Frame, Vec<Diagnostic>> {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let (mut record, mut names) = (StringRecord::new(), Vec::new());
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    let mut header = true;
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            // A text in memory causes no I/O errors, so the text is no valid CSV.
            Err(error) => {
                let span = line(text, reader.position().byte());
                errors.push(Diagnostic::new(span, error.to_string(), "expected CSV"));
                break;
            }
        }
        let span = line(text, record.position().map_or(0, |position| position.byte()));
        if std::mem::take(&mut header) {
            names = record.iter().map(|name| unguarded(name.trim()).to_owned()).collect();
            errors.extend(check(&names, span));
            continue;
        }
        if record.len() != names.len() {
            let message =
                format!("{} under {}", counted(record.len(), "cell"), counted(names.len(), "column"));
            errors.push(Diagnostic::new(span, message, format!("expected {}", names.len())));
        }
        if errors.len() >= TOLD {
            break;
        }
        let cells = record.iter().map(|cell| unguarded(cell.trim()));
        let row: Vec<Cell> = cells.zip(&names).map(|(cell, name)| typed(name, cell)).collect();
        let wrong = row.iter().zip(&names).filter_map(|(cell, name)| figures::wrong(name, cell));
        errors.extend(wrong.map(|(message, expected)| Diagnostic::new(span, message, expected)));
        let cell = |wanted: &str| row.get(names.iter().position(|name| name == wanted)?);
        let wrong = figures::wrong_row(cell).filter(|_| row.len() == names.len());
        errors.extend(wrong.map(|(message, expected)| Diagnostic::new(span, message, expected)));
        rows.push(row);
    }
    if header {
        errors.push(Diagnostic::new(
            TextRange::default(),
            "the file is empty",
            "expected a header and a line for each point",
        ));
    }
    if !errors.is_empty() {
        // If no column is known, the file is probably not a file of results, and one error is enough.
        if errors.len() > 8 && !names.iter().any(|name| is_ours(name)) {
            errors.truncate(1);
        }
        return Err(errors);
    }
    texts_stay_texts(text, &names, &mut rows);
    Ok(framed(names, rows))
}

/// True if this program writes columns of this name to files of results.
fn is_ours(name: &str) -> bool {
    Column::COORDINATES.contains(&name)
        || Figures::COLUMNS.iter().any(|(known, _)| *known == name)
        || name.starts_with("measure.")
}

/// Errors of a header: columns without a name, and repeated names.
fn check(names: &[String], span: TextRange) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut known = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            let expected = "expected the name of a coordinate or a figure; pandas writes its index so without index=False";
            errors.push(Diagnostic::new(span, format!("column {} has no name", at + 1), expected));
        } else if let Some(first) = known.insert(name, at) {
            let message = format!("two columns are called `{}`", shorten(name));
            errors.push(Diagnostic::new(span, message, format!("columns {} and {}", first + 1, at + 1)));
        }
    }
    errors
}

/// Restores the original spelling of numbers in columns with at least one text: `8.0` beside `all` stays `8.0`.
fn texts_stay_texts(text: &str, names: &[String], rows: &mut [Vec<Cell>]) {
    let is_text = |at: usize| rows.iter().any(|row| matches!(row[at], Cell::Text(_)));
    let is_number = |at: usize| rows.iter().any(|row| row[at].number().is_some());
    let mixed: Vec<usize> = (0..names.len()).filter(|&at| is_text(at) && is_number(at)).collect();
    if mixed.is_empty() {
        return;
    }
    let mut reader = ReaderBuilder::new().has_headers(true).flexible(true).from_reader(text.as_bytes());
    for (row, record) in rows.iter_mut().zip(reader.records().map_while(Result::ok)) {
        for &at in &mixed {
            if let Some(cell) = record.get(at).map(str::trim).filter(|cell| !cell.is_empty()) {
                row[at] = Cell::Text(unguarded(cell).to_owned());
            }
        }
    }
}

/// The line that begins at `byte`, after any line breaks at `byte`.
fn line(text: &str, byte: u64) -> TextRange {
    let mut start = usize::try_from(byte).unwrap_or(0).min(text.len());
    while text.as_bytes().get(start).is_some_and(|b| matches!(b, b'\n' | b'\r')) {
        start += 1;
    }
    let end = text.as_bytes()[start..].iter().position(|b| matches!(b, b'\n' | b'\r'));
    TextRange { source: 0, start, end: end.map_or(text.len(), |length| start + length) }
}
