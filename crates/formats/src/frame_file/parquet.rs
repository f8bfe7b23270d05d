//! Results as Parquet: flat columns, one row group or several.

use super::columns::framed;
use crate::diagnostics::Diagnostics;
use crate::text_file;
use ::parquet::basic::{ConvertedType, LogicalType, Type};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::ColumnDescriptor;
use numalab_results::{Cell, Frame};
use std::fs::{self, File};
use std::path::Path;

/// More cells than any sweep has, and few enough for memory whatever a broken file claims.
const MOST_CELLS: i64 = 1 << 26;

/// Reads a file of at most so many bytes.
pub fn read(path: &Path, most_bytes: u64) -> Result<Frame, Diagnostics> {
    open(path, most_bytes).and_then(frame).map_err(|problem| {
        Diagnostics::plain(format!("cannot read {}: {}", path.display(), problem.what), problem.expected)
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

impl From<ParquetError> for Problem {
    fn from(error: ParquetError) -> Problem {
        let what = error.to_string();
        // The library names the feature that it was built without.
        match what.contains("Disabled feature") {
            true => Problem::new("its columns are compressed", "write it without: compression=None in pandas, \"uncompressed\" in polars"),
            false => Problem::new(format!("it is no whole Parquet file ({what})"), "expected results as Parquet"),
        }
    }
}

fn open(path: &Path, most_bytes: u64) -> Result<File, Problem> {
    // Looked at before it is opened: opening a pipe waits for a writer.
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

fn frame(file: File) -> Result<Frame, Problem> {
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for group in 0..metadata.num_row_groups() {
        let count = metadata.row_group(group).num_rows();
        let whole = count.checked_mul(names.len() as i64).filter(|cells| (0..=MOST_CELLS).contains(cells));
        let Some(_) = whole else {
            return Err(Problem::new(format!("{count} rows of {} columns are too many", names.len()), "is it the right file?"));
        };
        let first = rows.len();
        rows.resize(first + count as usize, vec![Cell::Empty; names.len()]);
        let reader = reader.get_row_group(group)?;
        for (at, column) in schema.columns().iter().enumerate() {
            let values = values(reader.get_column_reader(at)?, column, count as usize)?;
            for (row, value) in rows[first..].iter_mut().zip(values) {
                row[at] = value;
            }
        }
    }
    Ok(framed(names, rows))
}

fn values(reader: ColumnReader, column: &ColumnDescriptor, count: usize) -> Result<Vec<Cell>, Problem> {
    let flat = column.max_rep_level() == 0 && column.max_def_level() <= 1;
    if !flat {
        let what = format!("column {} is nested", column.path().string());
        return Err(Problem::new(what, "expected a number or a text in every column"));
    }
    let unsigned = matches!(
        column.converted_type(),
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
    ) || matches!(column.logical_type_ref(), Some(LogicalType::Integer(kind)) if !kind.is_signed);
    let optional = column.max_def_level() == 1;
    match reader {
        ColumnReader::BoolColumnReader(reader) => cells(reader, count, optional, |value| Ok(Cell::Text(value.to_string()))),
        ColumnReader::Int32ColumnReader(reader) if unsigned => {
            cells(reader, count, optional, |value| Ok(Cell::Count(u64::from(*value as u32))))
        }
        ColumnReader::Int32ColumnReader(reader) => cells(reader, count, optional, |value| Ok(Cell::Signed(i64::from(*value)))),
        ColumnReader::Int64ColumnReader(reader) if unsigned => {
            cells(reader, count, optional, |value| Ok(Cell::Count(*value as u64)))
        }
        ColumnReader::Int64ColumnReader(reader) => cells(reader, count, optional, |value| Ok(Cell::Signed(*value))),
        ColumnReader::FloatColumnReader(reader) => cells(reader, count, optional, |value| Ok(Cell::from(f64::from(*value)))),
        ColumnReader::DoubleColumnReader(reader) => cells(reader, count, optional, |value| Ok(Cell::from(*value))),
        ColumnReader::ByteArrayColumnReader(reader) => cells(reader, count, optional, |value| {
            let text = value.as_utf8()?;
            Ok(if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) })
        }),
        ColumnReader::Int96ColumnReader(_) | ColumnReader::FixedLenByteArrayColumnReader(_) => {
            let kind: Type = column.physical_type();
            let what = format!("column {} holds {kind}", column.path().string());
            Err(Problem::new(what, "expected a number or a text in every column"))
        }
    }
}

/// The values of a column, empty where its level says that there is none.
fn cells<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    count: usize,
    optional: bool,
    cell: impl Fn(&T::T) -> Result<Cell, ParquetError>,
) -> Result<Vec<Cell>, Problem> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < count {
        let (records, ..) = reader.read_records(count - read, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Err(Problem::new("a column is shorter than the others", "expected results as Parquet"));
        }
        read += records;
    }
    if !optional {
        levels = vec![1; values.len()];
    }
    let mut values = values.iter();
    let next = |level: &i16| match level {
        0 => Ok(Cell::Empty),
        _ => values.next().map_or(Ok(Cell::Empty), &cell),
    };
    Ok(levels.iter().map(next).collect::<Result<Vec<Cell>, ParquetError>>()?)
}
