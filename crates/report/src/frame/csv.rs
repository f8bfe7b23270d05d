//! CSV as in RFC 4180, with a header.

use numalab_results::{Cell, Column};
use std::io::{self, Write};

pub fn frame_csv(
    columns: &[Column],
    rows: impl IntoIterator<Item = io::Result<Vec<Cell>>>,
    out: impl Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(columns.iter().map(|column| &column.name)).map_err(plain)?;
    for row in rows {
        writer.write_record(row?.iter().map(Cell::text)).map_err(plain)?;
    }
    writer.flush()
}

/// The I/O error in a CSV error; other CSV errors become I/O errors.
fn plain(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}
