//! Parquet for pandas, polars and DuckDB: one Parquet column per column of the frame; empty cells are nulls.

use numalab_results::{Cell, CellKind, Column};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use std::io::{self, Write};
use std::sync::Arc;

/// Number of rows of a row group; all rows of a group are in memory at once.
const GROUP: usize = 1 << 16;

pub fn frame_parquet(
    columns: &[Column],
    rows: impl IntoIterator<Item = io::Result<Vec<Cell>>>,
    out: impl Write + Send,
) -> io::Result<()> {
    // The default `created_by` is the library's version, with which files would change at each update.
    let properties = WriterProperties::builder().set_created_by("numalab".to_owned()).build();
    let mut writer = SerializedFileWriter::new(out, schema(columns).map_err(plain)?, Arc::new(properties))
        .map_err(plain)?;
    let mut rows = rows.into_iter();
    loop {
        let group = rows.by_ref().take(GROUP).collect::<io::Result<Vec<_>>>()?;
        if group.is_empty() {
            break;
        }
        let mut written = writer.next_row_group().map_err(plain)?;
        for (at, column) in columns.iter().enumerate() {
            one_column(&mut written, column.kind, &group, at).map_err(plain)?;
        }
        written.close().map_err(plain)?;
    }
    writer.close().map(|_| ()).map_err(plain)
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            CellKind::Count => (Physical::INT64, Some(LogicalType::integer(64, false))),
            CellKind::Signed => (Physical::INT64, None),
            CellKind::Real => (Physical::DOUBLE, None),
            CellKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(&column.name, physical).with_logical_type(logical);
        field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
}

fn one_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    kind: CellKind,
    rows: &[Vec<Cell>],
    at: usize,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let cells = rows.iter().map(|row| row.get(at).unwrap_or(&Cell::Empty));
    match kind {
        CellKind::Count => fill::<Int64Type>(&mut column, cells, |cell| match cell {
            // Parquet stores the same 64 bits as signed; the schema declares them unsigned.
            Cell::Count(value) => Some(value.cast_signed()),
            _ => None,
        }),
        CellKind::Signed => fill::<Int64Type>(&mut column, cells, |cell| match cell {
            Cell::Signed(value) => Some(*value),
            _ => None,
        }),
        CellKind::Real => fill::<DoubleType>(&mut column, cells, Cell::number),
        CellKind::Text => fill::<ByteArrayType>(&mut column, cells, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.as_str())),
            _ => None,
        }),
    }?;
    column.close()
}

/// Writes one column of a row group: the values, with a definition level per row (0 for null).
fn fill<'c, T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = &'c Cell>,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let values: Vec<Option<T::T>> = cells.map(value).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    column.typed::<T>().write_batch(&values, Some(&levels), None).map(|_| ())
}

/// The I/O error in a Parquet error; other Parquet errors become I/O errors.
fn plain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
