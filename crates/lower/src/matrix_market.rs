//! Reads sparse matrices in Matrix Market's coordinate format, and keeps only the number of entries and the outermost
//! columns of each row. This reader names the line of an error and never holds more than one line of the file.

mod lines;
#[cfg(test)]
mod tests;

use lines::Lines;
use numalab_syntax::expression::Rows;
use std::fmt;
use std::io::BufRead;

/// Largest number of rows, and of columns.
const MOST_ROWS: u64 = 100_000_000;
/// Largest number of listed entries.
const MOST_ENTRIES: u64 = 20_000_000_000;

/// Rows of a sparse matrix, for loops over rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub rows: u64,
    pub columns: u64,
    /// Number of stored entries, including both halves of a symmetric matrix.
    pub entries: u64,
    /// Properties of each row. Columns count from 0.
    pub by_row: Rows,
}

/// Error in a file with its line, counted from 1.
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Real,
    Integer,
    /// Complex field: two numbers per entry.
    Complex,
    Pattern,
}

pub(crate) fn read(source: impl BufRead) -> Result<Matrix, MatrixError> {
    let mut lines = Lines::new(source);
    let (field, symmetric) = header(&mut lines)?;
    let sizes = lines.with_text()?;
    let Some(sizes) = sizes else { return Err(lines.wrong("the file ends here", SIZES)) };
    let numbers: Option<Vec<u64>> = sizes.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let Some(&[rows, columns, listed]) = numbers.as_deref() else {
        let message = format!("\"{}\" is no line of sizes", numalab_syntax::tree::shorten(sizes.trim()));
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
        "complex" => Field::Complex,
        "pattern" => Field::Pattern,
        _ => {
            let message = format!("entries of the field `{field}` cannot be read");
            return Err(lines.wrong(&message, "`real`, `integer`, `complex` or `pattern`"));
        }
    };
    match symmetry {
        "general" => Ok((field, false)),
        // Files of these kinds list one half of the matrix. Values are not read, so their sign does not matter.
        "symmetric" | "hermitian" | "skew-symmetric" => Ok((field, true)),
        _ => {
            let message = format!("the symmetry `{symmetry}` is not known");
            Err(lines.wrong(&message, "`general`, `symmetric`, `skew-symmetric` or `hermitian`"))
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
    let by_row = Rows { entries: empty(), first_column: empty(), last_column: empty() };
    let mut matrix = Matrix { rows, columns, entries: 0, by_row };
    for read in 0..listed {
        let Some(text) = lines.with_text()? else {
            return Err(
                lines.wrong(&format!("the file ends after {read} of {listed} entries"), "all of them")
            );
        };
        let Some((row, column)) = entry(text, field) else {
            let message = format!("\"{}\" is no entry", numalab_syntax::tree::shorten(text.trim()));
            let expected = match field {
                Field::Pattern => "row and column, such as `3 1`",
                Field::Integer => "row, column and a whole number, such as `3 1 -2`",
                Field::Real => "row, column and a number, such as `3 1 0.5`",
                Field::Complex => "row, column and two numbers, such as `3 1 0.5 -2`",
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
        Some(_) => Err(lines.wrong(&format!("the file continues after {listed} entries"), "nothing more")),
    }
}

fn entry(text: &str, field: Field) -> Option<(u64, u64)> {
    let mut words = text.split_ascii_whitespace();
    let place = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    match field {
        Field::Pattern => {}
        Field::Integer => drop(words.next()?.parse::<i128>().ok()?),
        Field::Real => drop(words.next()?.parse::<f64>().ok()?),
        Field::Complex => {
            for _ in 0..2 {
                words.next()?.parse::<f64>().ok()?;
            }
        }
    }
    words.next().is_none().then_some(place)
}

impl Matrix {
    fn add(&mut self, row: u64, column: u64) {
        let (row, column) = (row as usize, column as u32);
        let Rows { entries, first_column, last_column } = &mut self.by_row;
        let (first, last) = (&mut first_column[row], &mut last_column[row]);
        if entries[row] == 0 {
            (*first, *last) = (column, column);
        }
        *first = (*first).min(column);
        *last = (*last).max(column);
        entries[row] = entries[row].saturating_add(1);
        self.entries += 1;
    }
}
