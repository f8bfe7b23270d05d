//! Splits lines of a text into cells with their positions.

use crate::diagnostics::Diagnostic;
use crate::tree::{TextRange, shorten};

/// Text between two separators, without surrounding blanks.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    pub text: &'a str,
    pub span: TextRange,
}

/// A line that is neither empty nor a comment.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Cells from left to right.
    pub cells: Vec<Cell<'a>>,
    /// The whole line, without surrounding blanks.
    pub span: TextRange,
}

/// Splits each line at commas. Empty lines and lines that start with `#` are left out.
pub fn comma_separated(text: &str) -> Vec<Line<'_>> {
    trimmed_lines(text)
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
        .map(|Cell { text: line, span }| Line {
            cells: line.split(',').map(|cell| within(text, cell)).collect(),
            span,
        })
        .collect()
}

/// Splits each line at blanks. Empty lines and lines that start with `#` are left out.
pub fn blank_separated(text: &str) -> Vec<Line<'_>> {
    trimmed_lines(text)
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
        .map(|Cell { text: line, span }| Line { cells: words(text, line).collect(), span })
        .collect()
}

/// All lines of a text, including empty lines, each without surrounding blanks.
pub fn trimmed_lines(text: &str) -> impl Iterator<Item = Cell<'_>> {
    text.lines().map(|line| within(text, line))
}

/// Words of `part`, which must be a slice of `text`.
pub fn words<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = Cell<'a>> {
    part.split_whitespace().map(|word| within(text, word))
}

/// Trims `part`, which must be a slice of `text`.
fn within<'a>(text: &'a str, part: &'a str) -> Cell<'a> {
    let trimmed = part.trim();
    let start = trimmed.as_ptr() as usize - text.as_ptr() as usize;
    Cell { text: trimmed, span: TextRange { source: 0, start, end: start + trimmed.len() } }
}

impl Cell<'_> {
    /// True if the cell is a finite number.
    pub fn is_number(&self) -> bool {
        self.text.parse::<f64>().is_ok_and(f64::is_finite)
    }

    /// Parses a distance: a number that is not negative.
    pub fn distance(&self) -> Result<f64, Diagnostic> {
        match self.text.parse::<f64>() {
            Ok(value) if numalab_base::is_sensible(value) && value >= 0.0 => Ok(value),
            _ => Err(self.refused("is not a distance", "expected a number that is not negative")),
        }
    }

    /// Parses a count of accesses.
    pub fn count(&self) -> Result<u64, Diagnostic> {
        self.text.parse().map_err(|_| self.refused("is not a count", "expected a whole number of accesses"))
    }

    fn refused(&self, what: &str, expected: &str) -> Diagnostic {
        let message = match self.text {
            "" => "a number is missing".to_owned(),
            text => format!("`{}` {what}", shorten(text)),
        };
        Diagnostic::new(self.span, message, expected)
    }
}

/// A count with its noun: "1 number", "3 numbers".
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Removes the quotes that spreadsheets put around words.
pub fn unquoted(text: &str) -> String {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text).to_owned()
}
