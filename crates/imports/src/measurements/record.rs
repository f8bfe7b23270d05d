//! One line: a JSON object whose `record` says what it is.

use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use serde_json::{Map, Value as Json};

/// A line as an object.
pub(super) struct Record<'a> {
    pub text: &'a str,
    /// All of the line.
    pub span: TextRange,
    /// Counted from 1.
    pub line: usize,
    map: Map<String, Json>,
}

/// Why a line is none.
pub(super) struct NoRecord {
    pub error: Diagnostic,
    /// The line ends too early: there may have been more of it.
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
                // Columns count bytes from 1; at the end of the text they may be one further.
                let at = (span.start + error.column().saturating_sub(1)).min(span.end);
                let place = TextRange { source: span.source, start: at, end: at };
                // Without what serde says of a line that is always the first.
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

    /// An error about a key, shown where the key first stands.
    pub fn wrong(&self, key: &str, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        let quoted = format!("\"{key}\"");
        let span = self.text.find(&quoted).map_or(self.span, |at| {
            let start = self.span.start + at;
            TextRange { source: self.span.source, start, end: start + quoted.len() }
        });
        Diagnostic::new(span, message, label)
    }

    /// A text that must be there.
    pub fn string(&self, key: &str) -> Result<&str, Diagnostic> {
        match self.get(key) {
            Some(Json::String(text)) => Ok(text),
            Some(other) => {
                Err(self.wrong(key, format!("`{key}` is {}", what(other)), "expected a text in quotes"))
            }
            None => Err(self.wrong("record", format!("`{key}` is missing"), "expected it in this record")),
        }
    }

    /// A text that must be there and say something.
    pub fn name(&self, key: &str) -> Result<String, Diagnostic> {
        match self.string(key)?.trim() {
            "" => Err(self.wrong(key, format!("`{key}` is empty"), "expected a name")),
            name => Ok(name.to_owned()),
        }
    }

    /// A list of numbers that must be there; `null` is an unknown one.
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

    /// Names and values; a number or a truth is taken as it is written.
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

/// A value, for a message.
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
