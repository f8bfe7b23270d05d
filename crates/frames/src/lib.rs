//! Files of results, as a sweep writes them and as data frames write them back: CSV, JSON Lines, Parquet.

mod columns;
mod csv;
mod error;
mod json_lines;
mod names;
mod parquet;

pub use error::FrameError;

use numalab_results::{Frame, renamed_column};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::text_file;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Largest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Csv,
    JsonLines,
    Parquet,
}

/// Reads a file of results. Its form is what its ending says, else what it begins with.
pub fn frame(path: &Path) -> Result<Frame, FrameError> {
    if path.is_dir() {
        return Err(FrameError::Folder(path.to_owned()));
    }
    let frame = rows(path)?;
    match renamed_column(frame.columns.iter().map(|column| &*column.name)) {
        None => Ok(frame),
        Some((old, new, version)) => Err(FrameError::Renamed { path: path.to_owned(), old, new, version }),
    }
}

/// Rows of a text of comma-separated values; `None` if it is none.
pub fn csv_rows(text: &str) -> Option<Frame> {
    csv::read(text).ok()
}

/// Reads the rows, of whichever version.
fn rows(path: &Path) -> Result<Frame, Diagnostics> {
    let form = by_ending(path).unwrap_or_else(|| by_content(path));
    let text = |expected| text_file::read(path, MOST_BYTES, expected);
    let (source, read) = match form {
        Form::Parquet => return parquet::read(path, MOST_BYTES),
        Form::Csv => {
            let source = text("results as CSV")?;
            let read = csv::read(&source.text);
            (source, read)
        }
        Form::JsonLines => {
            let source = text("results as JSON Lines")?;
            let read = json_lines::read(&source.text);
            (source, read)
        }
    };
    read.map_err(|errors| Diagnostics::new(vec![source], errors))
}

fn by_ending(path: &Path) -> Option<Form> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match &*ending {
        "csv" => Some(Form::Csv),
        "jsonl" | "ndjson" => Some(Form::JsonLines),
        "parquet" => Some(Form::Parquet),
        _ => None,
    }
}

/// Finds the format by the first bytes. A file that cannot be opened is left to its reader to report.
fn by_content(path: &Path) -> Form {
    let mut start = Vec::new();
    // Opening a pipe would wait for its writer.
    if fs::metadata(path).is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(path)
    {
        let _ = file.take(1024).read_to_end(&mut start);
    }
    match start.trim_ascii_start() {
        [b'P', b'A', b'R', b'1', ..] => Form::Parquet,
        [b'{', ..] => Form::JsonLines,
        _ => Form::Csv,
    }
}

#[cfg(test)]
mod tests;
