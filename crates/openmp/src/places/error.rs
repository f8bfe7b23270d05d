//! Errors in a text, with their place.

use std::fmt;
use std::ops::Range;

/// An error in a text that a user typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The bytes that are wrong; empty at the end where something is missing.
    pub span: Range<usize>,
    /// The character where they begin, counted from 1.
    pub column: usize,
    /// The mistake, or what was expected.
    pub message: String,
    /// Known names, if the mistake is an unknown one.
    pub names: &'static [&'static str],
}

impl TextError {
    /// An error at these bytes of the text.
    pub fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> TextError {
        let before = text.get(..span.start).unwrap_or(text);
        TextError { column: before.chars().count() + 1, span, message: message.into(), names: &[] }
    }

    /// A name that is none of these.
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
