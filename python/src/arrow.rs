//! Rows of results as an Arrow stream, which pandas, polars, pyarrow and DuckDB take without copies.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use numalab_results::{Cell, CellKind, Frame};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// Stream of one batch with the rows of a CSV text: a PyCapsule that other libraries take without copies.
#[pyfunction]
pub fn stream<'py>(py: Python<'py>, csv: &str) -> PyResult<Bound<'py, PyCapsule>> {
    let wrong = |error: ArrowError| PyValueError::new_err(error.to_string());
    let frame = numalab_result_files::csv_rows(csv).unwrap_or_default();
    let batch = batch(&frame).map_err(wrong)?;
    let schema = batch.schema();
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    // The name that the Arrow project's protocol gives such a capsule.
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// Columns of the types that a Parquet file of the same rows has; empty cells are nulls.
fn batch(frame: &Frame) -> Result<RecordBatch, ArrowError> {
    let fields = frame.columns.iter().map(|column| {
        let of_kind = match column.kind {
            CellKind::Count => DataType::UInt64,
            CellKind::Signed => DataType::Int64,
            CellKind::Real => DataType::Float64,
            CellKind::Text => DataType::Utf8,
        };
        Field::new(&column.name, of_kind, true)
    });
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let columns = frame.columns.iter().enumerate().map(|(at, column)| {
        let cells = frame.rows.iter().map(|row| row.get(at).unwrap_or(&Cell::Empty));
        array(column.kind, cells)
    });
    RecordBatch::try_new(Arc::new(schema), columns.collect())
}

fn array<'a>(kind: CellKind, cells: impl Iterator<Item = &'a Cell>) -> ArrayRef {
    match kind {
        CellKind::Count => Arc::new(UInt64Array::from_iter(cells.map(|cell| match cell {
            Cell::Count(value) => Some(*value),
            Cell::Empty | Cell::Signed(_) | Cell::Real(_) | Cell::Text(_) => None,
        }))),
        CellKind::Signed => Arc::new(Int64Array::from_iter(cells.map(|cell| match cell {
            Cell::Signed(value) => Some(*value),
            Cell::Empty | Cell::Count(_) | Cell::Real(_) | Cell::Text(_) => None,
        }))),
        CellKind::Real => Arc::new(Float64Array::from_iter(cells.map(Cell::number))),
        CellKind::Text => Arc::new(StringArray::from_iter(cells.map(|cell| match cell {
            Cell::Text(text) => Some(text.as_str()),
            Cell::Empty | Cell::Count(_) | Cell::Signed(_) | Cell::Real(_) => None,
        }))),
    }
}
