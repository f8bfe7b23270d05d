//! Reads Parquet files with flat columns and any number of row groups.
//!
//! The `parquet` library parses the metadata and splits columns into pages. The values in the pages are decoded here,
//! since the library's decoders panic on damaged data.

mod kind;
mod pages;
mod runs;

use super::columns::framed;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ColumnChunkMetaData;
use ::parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use bytes::Bytes;
use kind::Kind;
use numalab_results::{Cell, Frame};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::{files_read, streams, text_file};
use std::fs::{self, File};
use std::path::Path;

/// Largest number of cells of a file: more than any sweep has, but small enough that a damaged file cannot exhaust
/// memory.
const MOST_CELLS: i64 = 1 << 26;

/// Reads a file of at most `most_bytes` bytes.
pub fn read(path: &Path, most_bytes: u64) -> Result<Frame, Diagnostics> {
    let read = match streams::is_stream(path) {
        // Parquet has its metadata at the end, so a stream is read completely first.
        true => match streams::whole(path) {
            Ok(bytes) => frame(Bytes::copy_from_slice(&bytes)),
            Err(error) => Err(Problem::new(text_file::reason(&error), "")),
        },
        false => open(path, most_bytes).and_then(frame),
    };
    read.map_err(|problem| {
        Diagnostics::plain(format!("cannot read {}: {}", streams::name(path), problem.what), problem.expected)
    })
}

struct Problem {
    what: String,
    expected: &'static str,
}

impl Problem {
    fn new(what: impl Into<String>, expected: &'static str) -> Problem {
        Problem { what: what.into(), expected }
    }
}

/// Error of a truncated or damaged file.
fn broken(what: &str) -> Problem {
    Problem::new(format!("it is no whole Parquet file ({what})"), "expected results as Parquet")
}

impl From<ParquetError> for Problem {
    fn from(error: ParquetError) -> Problem {
        let what = error.to_string();
        // The `parquet` library reports this error for compression, which is not built in.
        match what.contains("Disabled feature") {
            true => Problem::new(
                "its columns are compressed",
                "write it without: compression=None in pandas, \"uncompressed\" in polars",
            ),
            false => {
                Problem::new(format!("it is no whole Parquet file ({what})"), "expected results as Parquet")
            }
        }
    }
}

fn open(path: &Path, most_bytes: u64) -> Result<File, Problem> {
    files_read::note(path);
    match fs::metadata(path).map(|found| (found.is_file(), found.len())) {
        Ok((false, _)) => return Err(Problem::new("it is not a regular file", "expected a file")),
        Ok((true, length)) if length > most_bytes => {
            let what = format!("it is larger than {} MiB", most_bytes >> 20);
            return Err(Problem::new(what, "is it the right file?"));
        }
        _ => {}
    }
    File::open(path).map_err(|error| Problem::new(text_file::reason(&error), ""))
}

/// True if a column chunk lies within a file of `length` bytes; the `parquet` library does not check.
fn lies_within(chunk: &ColumnChunkMetaData, length: u64) -> bool {
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let end = start.checked_add(chunk.compressed_size());
    start >= 0 && chunk.compressed_size() >= 0 && end.is_some_and(|end| end as u64 <= length)
}

fn frame(file: impl ChunkReader + 'static) -> Result<Frame, Problem> {
    let length = file.len();
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for group in 0..metadata.num_row_groups() {
        let chunks = metadata.row_group(group).columns();
        if !chunks.iter().all(|chunk| lies_within(chunk, length)) {
            return Err(broken("a column lies beyond its end"));
        }
        let (count, first) = (metadata.row_group(group).num_rows(), rows.len());
        let all =
            count.checked_add(first as i64).and_then(|rows| rows.checked_mul(names.len().max(1) as i64));
        if count < 0 || all.is_none_or(|cells| cells > MOST_CELLS) {
            let what = format!("{count} rows of {} columns are too many", names.len());
            return Err(Problem::new(what, "is it the right file?"));
        }
        rows.resize(first + count as usize, vec![Cell::Empty; names.len()]);
        let reader = reader.get_row_group(group)?;
        for (at, column) in schema.columns().iter().enumerate() {
            let kind = Kind::of(column)?;
            let pages = reader.get_column_page_reader(at)?;
            let values = pages::read(pages, kind, column.max_def_level() == 1, count as usize)?;
            for (row, value) in rows[first..].iter_mut().zip(values) {
                row[at] = value;
            }
        }
    }
    Ok(framed(names, rows))
}
