//! Sparse matrices in Matrix Market's coordinate form: read line by line, kept as what each row needs to
//! know. The form is a header, comments, one line of sizes and one line per entry; a reader of our own
//! names the line that is wrong and never holds more than a row's numbers.

use std::fmt;
use std::io::{self, BufRead, Read};

/// Rows and columns at most.
const MOST_ROWS: u64 = 100_000_000;
/// Entries listed at most.
const MOST_ENTRIES: u64 = 20_000_000_000;
/// Longest line; the format allows 1024 characters.
const MOST_LINE: u64 = 1 << 16;

/// What loops over rows ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub rows: u64,
    pub columns: u64,
    /// Entries stored, both halves of a symmetric matrix.
    pub entries: u64,
    /// By row, and so are the others.
    pub row_entries: Vec<u32>,
    /// Columns count from 0; rows without entries have 0 in both.
    pub first_column: Vec<u32>,
    pub last_column: Vec<u32>,
}

/// What is wrong with a file, and on which line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatrixError {
    pub line: u64,
    pub message: String,
    pub expected: String,
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}; expected {}", self.line, self.message, self.expected)
    }
}

/// What follows the two indices of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Real,
    Integer,
    Pattern,
}

/// Reads a matrix.
pub(crate) fn read(source: impl BufRead) -> Result<Matrix, MatrixError> {
    let mut lines = Lines { source, line: 0, text: Vec::new() };
    let (field, symmetric) = header(&mut lines)?;
    let sizes = lines.with_text()?;
    let Some(sizes) = sizes else { return Err(lines.wrong("the file ends here", SIZES)) };
    let numbers: Option<Vec<u64>> = sizes.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let Some(&[rows, columns, listed]) = numbers.as_deref() else {
        let message = format!("\"{}\" is no line of sizes", crate::tree::shorten(sizes.trim()));
        return Err(lines.wrong(&message, SIZES));
    };
    if !(1..=MOST_ROWS).contains(&rows) || !(1..=MOST_ROWS).contains(&columns) || listed > MOST_ENTRIES {
        let message = format!("a matrix of {rows} rows, {columns} columns and {listed} entries");
        let expected = format!("1 to {MOST_ROWS} rows and columns, and at most {MOST_ENTRIES} entries");
        return Err(lines.wrong(&message, &expected));
    }
    if symmetric && rows != columns {
        let message = format!("a symmetric matrix has {rows} rows and {columns} columns");
        return Err(lines.wrong(&message, "as many rows as columns"));
    }
    entries(&mut lines, field, symmetric, [rows, columns, listed])
}

const SIZES: &str = "rows, columns and entries, such as `4 4 9`";

fn header<R: BufRead>(lines: &mut Lines<R>) -> Result<(Field, bool), MatrixError> {
    const EXAMPLE: &str = "`%%MatrixMarket matrix coordinate real general`";
    lines.advance()?;
    let first = lines.text()?.to_ascii_lowercase();
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    let ["%%matrixmarket", "matrix", form, field, symmetry] = words[..] else {
        return Err(lines.wrong("this is no header of Matrix Market", EXAMPLE));
    };
    if form != "coordinate" {
        return Err(lines.wrong(&format!("the form `{form}` is not sparse"), "`coordinate`"));
    }
    let field = match field {
        "real" => Field::Real,
        "integer" => Field::Integer,
        "pattern" => Field::Pattern,
        _ => {
            let message = format!("entries of the field `{field}` cannot be read");
            return Err(lines.wrong(&message, "`real`, `integer` or `pattern`"));
        }
    };
    match symmetry {
        "general" => Ok((field, false)),
        "symmetric" => Ok((field, true)),
        _ => {
            let message = format!("the symmetry `{symmetry}` is not known");
            Err(lines.wrong(&message, "`general` or `symmetric`"))
        }
    }
}

fn entries<R: BufRead>(
    lines: &mut Lines<R>,
    field: Field,
    symmetric: bool,
    [rows, columns, listed]: [u64; 3],
) -> Result<Matrix, MatrixError> {
    let empty = || vec![0; rows as usize];
    let mut matrix = Matrix {
        rows,
        columns,
        entries: 0,
        row_entries: empty(),
        first_column: empty(),
        last_column: empty(),
    };
    for read in 0..listed {
        let Some(text) = lines.with_text()? else {
            return Err(
                lines.wrong(&format!("the file ends after {read} of {listed} entries"), "all of them")
            );
        };
        let Some((row, column)) = entry(text, field) else {
            let message = format!("\"{}\" is no entry", crate::tree::shorten(text.trim()));
            let expected = match field {
                Field::Pattern => "row and column, such as `3 1`",
                Field::Integer => "row, column and a whole number, such as `3 1 -2`",
                Field::Real => "row, column and a number, such as `3 1 0.5`",
            };
            return Err(lines.wrong(&message, expected));
        };
        if !(1..=rows).contains(&row) || !(1..=columns).contains(&column) {
            let message = format!("there is no row {row}, column {column}");
            return Err(lines.wrong(&message, &format!("rows 1 to {rows} and columns 1 to {columns}")));
        }
        matrix.add(row - 1, column - 1);
        if symmetric && row != column {
            matrix.add(column - 1, row - 1);
        }
    }
    match lines.with_text()? {
        None => Ok(matrix),
        Some(_) => Err(lines.wrong(&format!("the file goes on after {listed} entries"), "nothing more")),
    }
}

fn entry(text: &str, field: Field) -> Option<(u64, u64)> {
    let mut words = text.split_ascii_whitespace();
    let place = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    match field {
        Field::Pattern => {}
        Field::Integer => drop(words.next()?.parse::<i128>().ok()?),
        Field::Real => drop(words.next()?.parse::<f64>().ok()?),
    }
    words.next().is_none().then_some(place)
}

impl Matrix {
    fn add(&mut self, row: u64, column: u64) {
        let (row, column) = (row as usize, column as u32);
        let (first, last) = (&mut self.first_column[row], &mut self.last_column[row]);
        if self.row_entries[row] == 0 {
            (*first, *last) = (column, column);
        }
        *first = (*first).min(column);
        *last = (*last).max(column);
        self.row_entries[row] = self.row_entries[row].saturating_add(1);
        self.entries += 1;
    }
}

/// The lines of a file, one at a time.
struct Lines<R> {
    source: R,
    line: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Goes to the next line; false at the end.
    fn advance(&mut self) -> Result<bool, MatrixError> {
        self.text.clear();
        self.line += 1;
        let read = self.source.by_ref().take(MOST_LINE).read_until(b'\n', &mut self.text);
        match read {
            Ok(length) if length as u64 == MOST_LINE => {
                Err(self.wrong("the line does not end", "at most 1024 characters"))
            }
            Ok(length) => Ok(length > 0),
            Err(error) => Err(self.wrong(&reason(&error), "a text file")),
        }
    }

    fn text(&self) -> Result<&str, MatrixError> {
        std::str::from_utf8(&self.text).map_err(|_| self.wrong("this is not text", "UTF-8"))
    }

    /// The next line that is neither empty nor a comment.
    fn with_text(&mut self) -> Result<Option<&str>, MatrixError> {
        while self.advance()? {
            let blank = self.text.iter().all(u8::is_ascii_whitespace);
            if !blank && self.text[0] != b'%' {
                return self.text().map(Some);
            }
        }
        Ok(None)
    }

    fn wrong(&self, message: &str, expected: &str) -> MatrixError {
        MatrixError { line: self.line.max(1), message: message.to_owned(), expected: expected.to_owned() }
    }
}

fn reason(error: &io::Error) -> String {
    format!("it cannot be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_text(text: &str) -> Result<Matrix, MatrixError> {
        read(text.as_bytes())
    }

    #[test]
    fn rows_know_their_entries() {
        let text = "%%MatrixMarket Matrix Coordinate pattern general\n%\n\n  2 4 3\n1 4\n\n1 2\n2 1\n";
        let matrix = read_text(text).unwrap();
        assert_eq!((matrix.rows, matrix.columns, matrix.entries), (2, 4, 3));
        assert_eq!(matrix.row_entries, [2, 1]);
        assert_eq!((matrix.first_column, matrix.last_column), (vec![1, 0], vec![3, 0]));
    }

    #[test]
    fn errors_name_the_line() {
        let header = "%%MatrixMarket matrix coordinate integer general\n";
        let error = |text: &str| read_text(text).unwrap_err();
        let after = |text: &str| error(&format!("{header}{text}")).to_string();
        assert_eq!(error("").line, 1);
        assert!(error("1 1 1\n").to_string().contains("line 1: this is no header"));
        assert!(
            error("%%MatrixMarket matrix array real general\n").message.contains("`array` is not sparse")
        );
        assert!(error("%%MatrixMarket matrix coordinate complex general\n").message.contains("`complex`"));
        assert!(error("%%MatrixMarket matrix coordinate real hermitian\n").message.contains("`hermitian`"));
        assert!(after("% only comments\n").starts_with("line 3: the file ends here"));
        assert!(after("3 3\n").starts_with("line 2: \"3 3\" is no line of sizes"));
        assert!(after("0 3 1\n").contains("0 rows"));
        assert!(
            after("3 3 1\n1 1 0.5\n")
                .starts_with("line 3: \"1 1 0.5\" is no entry; expected row, column and a whole")
        );
        assert!(after("3 3 1\n0 1 5\n").contains("there is no row 0, column 1; expected rows 1 to 3"));
        assert!(after("3 3 2\n1 1 5\n").starts_with("line 4: the file ends after 1 of 2 entries"));
        assert!(after("3 3 1\n1 1 5\n\n2 2 5\n").starts_with("line 5: the file goes on after 1 entries"));
        assert!(after("999999999999 3 1\n").contains("a matrix of 999999999999 rows"));
        assert!(after("3 3 1\n1 1 \u{e9}\n").starts_with("line 3"));
        let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n";
        assert!(error(symmetric).message.contains("3 rows and 4 columns"));
        assert!(after(&"9".repeat(1 << 17)).contains("the line does not end"));
    }

    proptest! {
        #[test]
        fn whatever_the_file_holds_reading_ends(body in "[-0-9 .e%\n]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = read(&bytes[..]);
            let _ = read_text(&format!("%%MatrixMarket matrix coordinate real general\n{body}"));
            let _ = read_text(&format!("%%MatrixMarket matrix coordinate pattern symmetric\n9 9 {body}"));
        }
    }
}
