//! Reads files of results, as a sweep or a data frame writes them: CSV, JSON Lines, Parquet.
//!
//! The crate is separate from `results` because cargo unites features: as a part of `results` it would make all
//! crates build Parquet.

mod columns;
mod csv;
mod error;
mod figures;
mod json_lines;
mod names;
mod parquet;

pub use error::FrameError;

use numalab_results::{Frame, renamed_column};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::{streams, text_file};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Size of the largest readable file, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Format of a file of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Csv,
    JsonLines,
    Parquet,
}

/// Reads a file of results. The format is recognised by the first bytes, or by the extension if the file is empty.
pub fn frame(path: &Path) -> Result<Frame, FrameError> {
    if path.is_dir() {
        return Err(FrameError::Folder(path.to_owned()));
    }
    let frame = rows(path)?;
    check_rows(path, &frame)?;
    match renamed_column(frame.columns.iter().map(|column| &*column.name)) {
        None => Ok(frame),
        Some((old, new, version)) => Err(FrameError::Renamed { path: path.to_owned(), old, new, version }),
    }
}

/// Checks the cells and rows of a Parquet file. Errors have row numbers, since Parquet has no lines.
fn check_rows(path: &Path, frame: &Frame) -> Result<(), FrameError> {
    for (row, cells) in (1..).zip(&frame.rows) {
        let refused = |problem: String, expected: &'static str| FrameError::Senseless {
            path: path.to_owned(),
            row,
            problem,
            expected,
        };
        for (cell, column) in cells.iter().zip(&frame.columns) {
            if let Some((problem, expected)) = figures::wrong(&column.name, cell) {
                return Err(refused(problem, expected));
            }
        }
        if let Some((problem, expected)) = figures::wrong_row(|name| cells.get(frame.position(name)?)) {
            return Err(refused(problem.to_owned(), expected));
        }
    }
    Ok(())
}

/// Rows of a CSV text; `None` if the text is not a valid CSV of results.
pub fn csv_rows(text: &str) -> Option<Frame> {
    csv::read(text).ok()
}

/// Reads the rows of a file of any schema version.
fn rows(path: &Path) -> Result<Frame, Diagnostics> {
    let form = by_start(path).or_else(|| by_ending(path));
    let expected = match form {
        Some(Form::Parquet) => return parquet::read(path, MOST_BYTES),
        Some(Form::JsonLines) => "results as JSON Lines",
        Some(Form::Csv) | None => "results as CSV, JSON Lines or Parquet",
    };
    let source = text_file::read(path, MOST_BYTES, expected)?;
    if source.text.trim_start().starts_with('<') {
        let message = format!("cannot read {}: it is XML", source.name);
        return Err(Diagnostics::of_file(source, message, format!("expected {expected}")));
    }
    let read = match form.unwrap_or_else(|| by_content(source.text.as_bytes())) {
        Form::JsonLines => json_lines::read(&source.text),
        Form::Csv | Form::Parquet => csv::read(&source.text),
    };
    read.map_err(|errors| Diagnostics::new(vec![source], errors))
}

/// Format recognised from the first bytes of a file; `None` if the file is empty or cannot be opened.
fn by_start(path: &Path) -> Option<Form> {
    if let Some(start) = streams::start(path) {
        return known(&start);
    }
    fs::metadata(path).ok().filter(|found| found.is_file())?;
    let mut start = Vec::new();
    File::open(path).ok()?.take(1024).read_to_end(&mut start).ok()?;
    known(&start)
}

/// Format of a file that begins with `start`; `None` if `start` is empty. A prefix of the Parquet signature counts as
/// truncated Parquet.
fn known(start: &[u8]) -> Option<Form> {
    match start {
        [] => None,
        start if start.len() < 4 && b"PAR1".starts_with(start) => Some(Form::Parquet),
        start => Some(by_content(start)),
    }
}

/// Format by the extension, for empty files.
fn by_ending(path: &Path) -> Option<Form> {
    match &*path.extension()?.to_str()?.to_ascii_lowercase() {
        "csv" => Some(Form::Csv),
        "jsonl" | "ndjson" => Some(Form::JsonLines),
        "parquet" => Some(Form::Parquet),
        _ => None,
    }
}

fn by_content(start: &[u8]) -> Form {
    match start.trim_ascii_start() {
        [b'P', b'A', b'R', b'1', ..] => Form::Parquet,
        [b'{', ..] => Form::JsonLines,
        _ => Form::Csv,
    }
}

#[cfg(test)]
mod tests;
