//! A line of a file: a JSON object whose `record` names its kind.

use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use serde_json::{Map, Value as Json};

/// A line as a JSON object.
pub(super) struct Record<'a> {
    pub text: &'a str,
    /// Position of the line.
    pub span: TextRange,
    /// Line number from 1.
    pub line: usize,
    map: Map<String, Json>,
}

/// Error in a line that is no record.
pub(super) struct NoRecord {
    pub error: Diagnostic,
    /// True if the line ends too early: the file may have been cut in this line.
    pub cut: bool,
}

impl<'a> Record<'a> {
    pub fn parse(text: &'a str, span: TextRange, line: usize) -> Result<Record<'a>, NoRecord> {
        match serde_json::from_str(text) {
            Ok(Json::Object(map)) => Ok(Record { text, span, line, map }),
            Ok(_) => Err(NoRecord {
                error: Diagnostic::new(span, "this line is no JSON object", "expected {\"record\": …}"),
                cut: false,
            }),
            Err(error) => {
                // Columns count bytes from 1; at the end of the text they may be one more.
                let at = (span.start + error.column().saturating_sub(1)).min(span.end);
                let place = TextRange { source: span.source, start: at, end: at };
                // The JSON library appends a line number, which is always 1.
                let message = error.to_string();
                let reason = message.split(" at line ").next().unwrap_or_default();
                let error_here =
                    Diagnostic::new(place, format!("no JSON: {reason}"), "expected one record a line");
                Err(NoRecord { error: error_here, cut: error.is_eof() })
            }
        }
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        self.map.get(key)
    }

    /// Makes an error about a key, shown where the key first stands in the line.
    pub fn wrong(&self, key: &str, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        let quoted = format!("\"{key}\"");
        let span = self.text.find(&quoted).map_or(self.span, |at| {
            let start = self.span.start + at;
            TextRange { source: self.span.source, start, end: start + quoted.len() }
        });
        Diagnostic::new(span, message, label)
    }

    /// Text of a required key.
    pub fn string(&self, key: &str) -> Result<&str, Diagnostic> {
        match self.get(key) {
            Some(Json::String(text)) => Ok(text),
            Some(other) => {
                Err(self.wrong(key, format!("`{key}` is {}", what(other)), "expected a text in quotes"))
            }
            None => Err(self.wrong("record", format!("`{key}` is missing"), "expected it in this record")),
        }
    }

    /// Text of a required key; must not be empty.
    pub fn name(&self, key: &str) -> Result<String, Diagnostic> {
        match self.string(key)?.trim() {
            "" => Err(self.wrong(key, format!("`{key}` is empty"), "expected a name")),
            name => Ok(name.to_owned()),
        }
    }

    /// List of numbers of a required key; `null` is an unknown number.
    pub fn numbers(&self, key: &str) -> Result<Vec<Option<f64>>, Diagnostic> {
        let Some(list) = self.get(key) else {
            return Err(self.wrong("record", format!("`{key}` is missing"), "expected a list of numbers"));
        };
        let Json::Array(items) = list else {
            return Err(self.wrong(key, format!("`{key}` is {}", what(list)), "expected a list of numbers"));
        };
        let number = |(at, item): (usize, &Json)| match item {
            Json::Null => Ok(None),
            Json::Number(number) => Ok(number.as_f64()),
            other => Err(self.wrong(key, format!("`{key}[{at}]` is {}", what(other)), "expected a number")),
        };
        items.iter().enumerate().map(number).collect()
    }

    /// Names and values of a key; numbers and truth values stay as written.
    pub fn pairs(&self, key: &str) -> Result<Vec<(String, String)>, Diagnostic> {
        let map = match self.get(key) {
            None => return Ok(Vec::new()),
            Some(Json::Object(map)) => map,
            Some(other) => {
                return Err(self.wrong(
                    key,
                    format!("`{key}` is {}", what(other)),
                    "expected names and values",
                ));
            }
        };
        let pair = |(name, value): (&String, &Json)| match value {
            Json::String(text) => Ok((name.clone(), text.clone())),
            Json::Number(_) | Json::Bool(_) => Ok((name.clone(), value.to_string())),
            other => {
                Err(self.wrong(name, format!("`{name}` is {}", what(other)), "expected a value in quotes"))
            }
        };
        let mut pairs: Vec<(String, String)> = map.iter().map(pair).collect::<Result<_, _>>()?;
        pairs.sort();
        Ok(pairs)
    }
}

/// Describes a value for a message.
pub(super) fn what(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(text) => format!("the text \"{}\"", shorten(text)),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}
