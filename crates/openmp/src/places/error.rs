//! Errors in a text that a user typed, with their position.

use std::fmt;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The wrong bytes; empty at the end of the text if something is missing.
    pub span: Range<usize>,
    /// Position of the first wrong character, counted from 1.
    pub column: usize,
    /// Sentence that states the mistake or the expected text.
    pub message: String,
    /// The valid names, if the mistake is an unknown name.
    pub names: &'static [&'static str],
}

impl TextError {
    pub fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> TextError {
        let before = text.get(..span.start).unwrap_or(text);
        TextError { column: before.chars().count() + 1, span, message: message.into(), names: &[] }
    }

    /// The error for a word at `span` that is not in `names`.
    pub fn unknown(text: &str, span: Range<usize>, names: &'static [&'static str]) -> TextError {
        let found = text.get(span.clone()).unwrap_or_default();
        let message = format!("unknown name \"{found}\"; expected one of {}", names.join(", "));
        TextError { names, ..TextError::new(text, span, message) }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for TextError {}
