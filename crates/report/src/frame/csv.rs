//! CSV as in RFC 4180, with a header.

use numalab_base::printable;
use numalab_results::guard::guarded;
use numalab_results::{Cell, Column};
use std::io::{self, Write};

/// Writes rows as CSV. Texts are printable, and guarded where a spreadsheet would calculate them.
pub fn frame_csv(
    columns: &[Column],
    rows: impl IntoIterator<Item = io::Result<Vec<Cell>>>,
    out: impl Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(columns.iter().map(|column| csv_text(&column.name))).map_err(plain)?;
    for row in rows {
        let cells = row?;
        writer
            .write_record(cells.iter().map(|cell| match cell {
                Cell::Text(text) => csv_text(text),
                Cell::Empty | Cell::Count(_) | Cell::Signed(_) | Cell::Real(_) => cell.text(),
            }))
            .map_err(plain)?;
    }
    writer.flush()
}

/// The text as a field of CSV that people and spreadsheets can open.
pub fn csv_text(text: &str) -> String {
    guarded(&printable(text))
}

/// The I/O error in a CSV error; other CSV errors become I/O errors.
fn plain(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}
