//! Value types of columns, and the decoder of the encoding `PLAIN`.

use super::Problem;
use ::parquet::basic::{ConvertedType, LogicalType, Type};
use ::parquet::schema::types::ColumnDescriptor;
use numalab_results::Cell;

/// Type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Int32 { signed: bool },
    Int64 { signed: bool },
    Float,
    Double,
    Text,
}

impl Kind {
    pub fn of(column: &ColumnDescriptor) -> Result<Kind, Problem> {
        let refused = |what: String| {
            let what = format!("column {} {what}", column.path().string());
            Err(Problem::new(what, "expected a number or a text in every column"))
        };
        if column.max_rep_level() > 0 || column.max_def_level() > 1 {
            return refused("is nested".to_owned());
        }
        let unsigned = matches!(
            column.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        ) || matches!(column.logical_type_ref(), Some(LogicalType::Integer(kind)) if !kind.is_signed);
        match column.physical_type() {
            Type::BOOLEAN => Ok(Kind::Bool),
            Type::INT32 => Ok(Kind::Int32 { signed: !unsigned }),
            Type::INT64 => Ok(Kind::Int64 { signed: !unsigned }),
            Type::FLOAT => Ok(Kind::Float),
            Type::DOUBLE => Ok(Kind::Double),
            Type::BYTE_ARRAY => Ok(Kind::Text),
            other => refused(format!("holds {other}")),
        }
    }

    /// Decodes `count` values in the encoding `PLAIN`; `None` if the data is too short.
    pub fn plain(self, mut data: &[u8], count: usize) -> Option<Vec<Cell>> {
        match self {
            Kind::Bool => {
                let bit = |at: usize| Some(data.get(at / 8)? >> (at % 8) & 1 == 1);
                (0..count).map(|at| Some(Cell::Text(bit(at)?.to_string()))).collect()
            }
            Kind::Text => (0..count).map(|_| text(&mut data)).collect(),
            Kind::Int32 { signed } => numbers(data, count, |bytes| match signed {
                true => Cell::Signed(i32::from_le_bytes(bytes).into()),
                false => Cell::Count(u32::from_le_bytes(bytes).into()),
            }),
            Kind::Int64 { signed } => numbers(data, count, |bytes| match signed {
                true => Cell::Signed(i64::from_le_bytes(bytes)),
                false => Cell::Count(u64::from_le_bytes(bytes)),
            }),
            Kind::Float => numbers(data, count, |bytes| Cell::from(f64::from(f32::from_le_bytes(bytes)))),
            Kind::Double => numbers(data, count, |bytes| Cell::from(f64::from_le_bytes(bytes))),
        }
    }
}

fn numbers<const SIZE: usize>(
    data: &[u8],
    count: usize,
    cell: impl Fn([u8; SIZE]) -> Cell,
) -> Option<Vec<Cell>> {
    let data = data.get(..count.checked_mul(SIZE)?)?;
    Some(data.as_chunks::<SIZE>().0.iter().map(|bytes| cell(*bytes)).collect())
}

/// Decodes a text: its length in four bytes, then UTF-8.
fn text(data: &mut &[u8]) -> Option<Cell> {
    let (length, rest) = data.split_first_chunk::<4>()?;
    let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *data = rest;
    let text = str::from_utf8(bytes).ok()?;
    Some(if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) })
}
