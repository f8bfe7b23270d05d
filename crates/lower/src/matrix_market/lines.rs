//! Reads lines of a file that may be huge or not text.

use super::MatrixError;
use std::io::{self, BufRead, Read};

/// Largest length of a line in bytes; the format allows 1024 characters.
const MOST_LINE: u64 = 1 << 16;

/// Lines of a file, held one at a time.
pub(super) struct Lines<R> {
    source: R,
    line: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R) -> Lines<R> {
        Lines { source, line: 0, text: Vec::new() }
    }

    /// Reads the next line; false at the end of the file.
    pub fn advance(&mut self) -> Result<bool, MatrixError> {
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

    pub fn text(&self) -> Result<&str, MatrixError> {
        std::str::from_utf8(&self.text).map_err(|_| self.wrong("this is not text", "UTF-8"))
    }

    /// Next line that is neither empty nor a comment.
    pub fn with_text(&mut self) -> Result<Option<&str>, MatrixError> {
        while self.advance()? {
            let blank = self.text.iter().all(u8::is_ascii_whitespace);
            if !blank && self.text[0] != b'%' {
                return self.text().map(Some);
            }
        }
        Ok(None)
    }

    pub fn wrong(&self, message: &str, expected: &str) -> MatrixError {
        MatrixError { line: self.line.max(1), message: message.to_owned(), expected: expected.to_owned() }
    }
}

fn reason(error: &io::Error) -> String {
    format!("it cannot be read: {error}")
}
