//! A position in a text, for the small parsers of environment variables.

use super::TextError;
use std::ops::Range;

/// Text with the position of the part that is still to be parsed.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// The next byte that is not white space; all tokens are ASCII.
    pub fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Start of the next token.
    pub fn begin(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// The bytes from `begin` to the current position.
    pub fn since(&self, begin: usize) -> Range<usize> {
        begin..self.at
    }

    /// Skips the byte `wanted` and returns true, if that is the next byte.
    pub fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Skips the byte `wanted`; an error if another byte is next.
    pub fn expect(&mut self, wanted: u8, expected: &str) -> Result<(), TextError> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Bytes of the next word: letters and underscores, and digits after the first character.
    pub fn word(&mut self) -> Range<usize> {
        let begin = self.begin();
        let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        self.at += self.text.as_bytes()[begin..].iter().take_while(|byte| letter(byte)).count();
        begin..self.at
    }

    /// Skips all bytes before the next `wanted`, or to the end if there is none.
    pub fn skip_to(&mut self, wanted: u8) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| *byte == wanted).unwrap_or(rest.len());
    }

    /// Parses a whole number of any length that fits 64 bits.
    pub fn long_number(&mut self, expected: &str) -> Result<u64, TextError> {
        let begin = self.begin();
        let digits = self.text.as_bytes()[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = self.text[begin..begin + digits].parse();
        self.at += digits;
        number.map_err(|_| TextError::new(self.text, begin..begin + digits, format!("expected {expected}")))
    }

    /// Parses a whole number.
    pub fn number(&mut self, expected: &str) -> Result<u32, TextError> {
        let begin = self.begin();
        let digits = self.text.as_bytes()[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Err(self.unexpected(expected));
        }
        self.at += digits;
        let span = self.since(begin);
        self.text[span.clone()]
            .parse()
            .map_err(|_| TextError::new(self.text, span, format!("a number above {}", u32::MAX)))
    }

    /// Parses a whole number of at least 1.
    pub fn positive(&mut self, expected: &str) -> Result<u32, TextError> {
        let begin = self.begin();
        match self.number(expected)? {
            0 => Err(TextError::new(self.text, self.since(begin), format!("{expected}, at least 1"))),
            number => Ok(number),
        }
    }

    /// Parses a whole number with an optional sign.
    pub fn signed(&mut self, expected: &str) -> Result<i64, TextError> {
        let minus = self.take(b'-');
        if !minus {
            self.take(b'+');
        }
        let number = i64::from(self.number(expected)?);
        Ok(if minus { -number } else { number })
    }

    /// Checks that the text ends at the current position.
    pub fn end(&mut self, expected: &str) -> Result<(), TextError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The error that `expected` was expected at the current position.
    pub fn unexpected(&mut self, expected: &str) -> TextError {
        let begin = self.begin();
        let (end, found) = match self.text[begin..].chars().next() {
            Some(found) => (begin + found.len_utf8(), format!("found \"{}\"", found.escape_default())),
            None => (begin, "the text ends".to_owned()),
        };
        TextError::new(self.text, begin..end, format!("expected {expected}, but {found}"))
    }
}
