//! Reads Parquet files with flat columns and any number of row groups.
//!
//! The `parquet` library parses the metadata and splits columns into pages. The pages are decompressed and decoded here,
//! since the library's decoders panic on damaged data and do not bound what they allocate. All sizes in the metadata
//! are checked before the first page is read.

mod codec;
mod kind;
mod pages;
mod runs;

use super::columns::framed;
use ::parquet::basic::CompressionCodec;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use ::parquet::file::reader::{ChunkReader, SerializedPageReader};
use bytes::Bytes;
use kind::Kind;
use numalab_results::{Cell, Frame};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::{files_read, streams, text_file};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

/// Largest number of rows of a file: more than any sweep has.
const MOST_ROWS: i64 = 1 << 22;
/// Largest number of cells of a file: more than any sweep has, but few enough for the memory of a computer.
const MOST_CELLS: i64 = 1 << 26;
/// Number of cells that a file of any length may have.
const FEW_CELLS: i64 = 1 << 22;
/// Largest number of cells per byte of a file that has more than [`FEW_CELLS`]: rows that differ take more bytes.
const CELLS_PER_BYTE: i64 = 32;
/// Largest uncompressed size of all columns, in bytes, and of all texts in cells.
const MOST_PLAIN: i64 = 1 << 30;

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
        broken(&error.to_string())
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

/// Checks what the metadata says about rows, columns and sizes against the bounds, for a file of `length` bytes.
fn check(metadata: &ParquetMetaData, length: u64) -> Result<(), Problem> {
    let columns = metadata.file_metadata().schema_descr().columns();
    columns.iter().try_for_each(|column| Kind::of(column).map(drop))?;
    let (mut rows, mut plain) = (0_i64, 0_i64);
    for group in metadata.row_groups() {
        for chunk in group.columns() {
            codec::check(chunk.compression_codec())?;
            if !lies_within(chunk, length) {
                return Err(broken("a column lies beyond its end"));
            }
            if chunk.uncompressed_size() < 0 {
                return Err(broken("a column has no size"));
            }
            plain = plain.saturating_add(chunk.uncompressed_size());
        }
        if group.num_rows() < 0 {
            return Err(broken("a group of rows has no size"));
        }
        rows = rows.saturating_add(group.num_rows());
    }
    let few = "keep fewer rows or columns in it; is it the right file?";
    let width = columns.len().max(1);
    let cells = rows.saturating_mul(width as i64);
    let per_byte = CELLS_PER_BYTE.saturating_mul(i64::try_from(length).unwrap_or(i64::MAX));
    let most = MOST_CELLS.min(FEW_CELLS.max(per_byte));
    if rows > MOST_ROWS {
        return Err(Problem::new(format!("{rows} rows are more than {MOST_ROWS}"), few));
    }
    if cells > most {
        let file = if most < MOST_CELLS { format!(" in a file of {length} bytes") } else { String::new() };
        let what = format!("{rows} rows of {width} columns are more than {most} cells{file}");
        return Err(Problem::new(what, few));
    }
    if plain > MOST_PLAIN {
        let what =
            format!("its columns take {} MiB uncompressed, more than {}", plain >> 20, MOST_PLAIN >> 20);
        return Err(Problem::new(what, few));
    }
    Ok(())
}

fn frame(file: impl ChunkReader + 'static) -> Result<Frame, Problem> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&file)?;
    check(&metadata, file.len())?;
    let file = Arc::new(file);
    let columns = metadata.file_metadata().schema_descr().columns();
    let names: Vec<String> = columns.iter().map(|column| column.path().string()).collect();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut texts = MOST_PLAIN as usize;
    for group in metadata.row_groups() {
        let (count, first) = (group.num_rows() as usize, rows.len());
        rows.resize(first + count, vec![Cell::Empty; names.len()]);
        for (at, (column, chunk)) in columns.iter().zip(group.columns()).enumerate() {
            // The library is to hand out compressed pages as they are.
            let raw = chunk.clone().into_builder().set_compression_codec(CompressionCodec::UNCOMPRESSED);
            let pages = SerializedPageReader::new(Arc::clone(&file), &raw.build()?, count, None)?;
            let column = pages::Column::new(Kind::of(column)?, column.max_def_level() == 1, chunk);
            for (row, value) in rows[first..].iter_mut().zip(column.read(pages, count, &mut texts)?) {
                row[at] = value;
            }
        }
    }
    Ok(framed(names, rows))
}
