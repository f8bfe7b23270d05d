//! Parses TOML into a tree. The parser recovers after an error, so that all syntax errors of a file
//! are reported at once.

use crate::diagnostics::Diagnostic;
use crate::tree::{Entry, Node, Parsed, TextRange, Value, shorten};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Parses `text`, which is source number `source`.
pub fn parse(text: &str, source: usize) -> Parsed {
    let (table, errors) = DeTable::parse_recoverable(text);
    let complete = errors.is_empty();
    let mut reader = Reader { source, base: 0, errors: Vec::new() };
    reader.syntax(errors);
    let entries = reader.entries(table.get_ref());
    let span = reader.span(0..text.len().min(1));
    Parsed { root: Node { span, value: Value::Table(entries) }, errors: reader.errors, complete }
}

/// Parses one value that starts at byte `base` of source number `source`.
pub fn parse_value(text: &str, source: usize, base: usize) -> Parsed {
    let (value, errors) = DeValue::parse_recoverable(text);
    let complete = errors.is_empty();
    let mut reader = Reader { source, base, errors: Vec::new() };
    reader.syntax(errors);
    Parsed { root: reader.node(&value), errors: reader.errors, complete }
}

struct Reader {
    source: usize,
    base: usize,
    errors: Vec<Diagnostic>,
}

impl Reader {
    fn span(&self, range: std::ops::Range<usize>) -> TextRange {
        TextRange { source: self.source, start: self.base + range.start, end: self.base + range.end }
    }

    fn syntax(&mut self, errors: Vec<toml::de::Error>) {
        for error in errors {
            let span = self.span(error.span().unwrap_or(0..0));
            // The library joins the mistake and the expected text in one message.
            let (message, label) = error.message().split_once(", expected ").unwrap_or((error.message(), ""));
            let label = if label.is_empty() { String::new() } else { format!("expected {label}") };
            self.errors.push(Diagnostic::new(span, message, label));
        }
    }

    fn entries(&mut self, table: &DeTable<'_>) -> Vec<Entry> {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry {
                key: key.get_ref().to_string(),
                key_span: self.span(key.span()),
                node: self.node(value),
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        entries
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>) -> Node {
        let span = self.span(value.span());
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Str(text.to_string()),
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(value) => Value::Int(value),
                Err(_) => Value::Float(number.as_str().parse().unwrap_or(f64::MAX)),
            },
            DeValue::Float(number) => self.float(number.as_str(), span),
            DeValue::Datetime(_) => {
                self.errors.push(Diagnostic::new(span, "dates are not supported", "remove it or quote it"));
                Value::Null
            }
            DeValue::Array(items) => Value::List(items.iter().map(|item| self.node(item)).collect()),
            DeValue::Table(table) => Value::Table(self.entries(table)),
        };
        Node { span, value }
    }

    fn float(&mut self, text: &str, span: TextRange) -> Value {
        match text.replace('_', "").parse::<f64>() {
            Ok(value) if numalab_base::is_sensible(value) => Value::Float(value),
            _ => {
                self.errors.push(not_finite(text, span));
                Value::Refused
            }
        }
    }
}

/// Label of a number that is too large or too small for calculations.
pub const OUT_OF_RANGE: &str = "expected 0, or a number from 1e-100 to 1e100";

/// The error for NaN, infinity, and numbers out of range, the same in every format.
pub fn not_finite(text: &str, span: TextRange) -> Diagnostic {
    if text.replace('_', "").parse::<f64>().is_ok_and(f64::is_finite) {
        return Diagnostic::new(span, format!("{} is out of range", shorten(text)), OUT_OF_RANGE);
    }
    Diagnostic::new(span, format!("{text} is not a finite number"), "expected a finite number")
}
