//! Texts as numbered lines, and rows with their source.

use super::number;
use crate::measurements::{Row, Sample};
use numalab_syntax::cells::{Cell, trimmed_lines, words};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;

/// Text of a file, with its trimmed lines.
pub struct Page<'a> {
    /// Name of the file, which each row states as its source.
    name: &'a str,
    pub text: &'a str,
    pub lines: Vec<Line<'a>>,
}

/// A line, trimmed of blanks.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Line number from 1.
    pub number: usize,
    pub cell: Cell<'a>,
    raw: &'a str,
    all: &'a str,
}

impl<'a> Page<'a> {
    pub fn new(name: &'a str, text: &'a str) -> Page<'a> {
        let line = |(at, (cell, raw))| Line { number: at + 1, cell, raw, all: text };
        Page { name, text, lines: trimmed_lines(text).zip(text.lines()).enumerate().map(line).collect() }
    }

    /// Position of the end of the text, without trailing blanks.
    pub fn end(&self) -> TextRange {
        let end = self.text.trim_end().len();
        TextRange { source: 0, start: end, end }
    }

    /// True if only blank lines follow the line with this index.
    pub fn ends_after(&self, index: usize) -> bool {
        self.lines.iter().skip(index + 1).all(Line::is_empty)
    }

    /// True if the file was cut within `word`: the word ends the text, and has fewer decimals than `like`.
    pub fn cut(&self, word: Cell<'_>, like: Cell<'_>) -> bool {
        word.span.end == self.text.len() && number::decimals(word.text) < number::decimals(like.text)
    }

    /// Makes a row of values measured in a line.
    pub fn row(
        &self,
        line: usize,
        (experiment, quantity): (&str, &str),
        params: &[(&str, String)],
        unit: &str,
        values: &[f64],
    ) -> Row {
        let mut params: Vec<(String, String)> =
            params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        params.sort();
        Row {
            experiment: experiment.to_owned(),
            quantity: quantity.to_owned(),
            params,
            unit: unit.to_owned(),
            samples: (0..).zip(values).map(|(run, &value)| Sample { run, ..Sample::of(value) }).collect(),
            source: format!("{}:{line}", self.name),
        }
    }
}

impl<'a> Line<'a> {
    pub fn text(&self) -> &'a str {
        self.cell.text
    }

    pub fn raw(&self) -> &'a str {
        self.raw
    }

    pub fn span(&self) -> TextRange {
        self.cell.span
    }

    pub fn is_empty(&self) -> bool {
        self.cell.text.is_empty()
    }

    pub fn words(&self) -> Vec<Cell<'a>> {
        words(self.all, self.cell.text).collect()
    }

    /// Parts of the line before and after the first `at`; `None` if the line has none.
    pub fn split(&self, at: char) -> Option<(Cell<'a>, Cell<'a>)> {
        let (before, behind) = self.cell.text.split_once(at)?;
        Some((self.part(before), self.part(behind)))
    }

    /// Parts of the line before and after the last `at`; `None` if the line has none.
    pub fn split_last(&self, at: char) -> Option<(Cell<'a>, Cell<'a>)> {
        let (before, behind) = self.cell.text.rsplit_once(at)?;
        Some((self.part(before), self.part(behind)))
    }

    /// Cells between separators. Empty cells at both ends of the line count; for tabs, the untrimmed line is split.
    pub fn cells(&self, separator: char) -> Vec<Cell<'a>> {
        let text = if separator == '\t' { self.raw } else { self.cell.text };
        text.split(separator).map(|part| self.part(part)).collect()
    }

    /// Cell of a part of this line, without blanks around it.
    pub fn part(&self, part: &'a str) -> Cell<'a> {
        let trimmed = part.trim();
        let start = trimmed.as_ptr() as usize - self.all.as_ptr() as usize;
        Cell { text: trimmed, span: TextRange { source: 0, start, end: start + trimmed.len() } }
    }

    pub fn refused(&self, message: impl Into<String>, expected: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span(), message, expected)
    }
}
