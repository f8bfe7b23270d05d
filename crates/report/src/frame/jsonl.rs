//! JSON Lines: one flat object per line. Every line has every column, since data frame libraries infer the columns
//! from the first lines.

use crate::json::escaped_json;
use numalab_results::{Cell, Column};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{self, Write};

pub fn frame_jsonl(
    columns: &[Column],
    rows: impl IntoIterator<Item = io::Result<Vec<Cell>>>,
    mut out: impl Write,
) -> io::Result<()> {
    for row in rows {
        let line = serde_json::to_string(&Row { columns, cells: &row? })?;
        out.write_all(escaped_json(line).as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

struct Row<'a> {
    columns: &'a [Column],
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (column, cell) in self.columns.iter().zip(self.cells) {
            match cell {
                Cell::Empty => map.serialize_entry(&column.name, &())?,
                Cell::Count(value) => map.serialize_entry(&column.name, value)?,
                Cell::Signed(value) => map.serialize_entry(&column.name, value)?,
                Cell::Real(value) => map.serialize_entry(&column.name, value)?,
                Cell::Text(text) => map.serialize_entry(&column.name, text)?,
            }
        }
        map.end()
    }
}
