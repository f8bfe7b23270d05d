//! Reads JSON Lines: one object per line, with column names as keys. A missing key is an empty cell.

use super::figures;
use super::names::Names;
use numalab_results::{Cell, Frame};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Largest number of reported errors.
const TOLD: usize = 100;

const EXPECTED: &str = "expected a flat JSON object on each line";
const SCALAR: &str = "expected a number, a text or null";

pub fn read(text: &str) -> Result<Frame, Vec<Diagnostic>> {
    let (mut names, mut rows, mut errors) = (Names::default(), Vec::new(), Vec::new());
    let mut spans = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = TextRange { source: 0, start, end: start + line.trim_end().len() };
        start += line.len();
        if line.trim().is_empty() {
            continue;
        }
        if !line.trim_start().starts_with('{') {
            errors.push(Diagnostic::new(span, "this line is no JSON object", EXPECTED));
        } else {
            match serde_json::from_str::<Object>(line) {
                Ok(object) => match cells(&mut names, object, line, span) {
                    Ok(row) => {
                        rows.push(row);
                        spans.push(span);
                    }
                    Err(error) => errors.push(error),
                },
                Err(error) => errors.push(told(span, &error)),
            }
        }
        if errors.len() >= TOLD {
            break;
        }
    }
    if errors.is_empty() && names.len() == 0 {
        errors.push(Diagnostic::new(
            TextRange::default(),
            "there are no rows",
            "expected a JSON object on each line",
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let frame = names.frame(rows);
    for (span, row) in spans.into_iter().zip(&frame.rows) {
        let wrong = figures::wrong_row(|name| row.get(frame.position(name)?));
        errors.extend(wrong.map(|(message, expected)| Diagnostic::new(span, message, expected)));
    }
    errors.truncate(TOLD);
    if errors.is_empty() { Ok(frame) } else { Err(errors) }
}

/// Converts a parsed line to a row of cells; fails at the first wrong key or value.
fn cells(names: &mut Names, object: Object, line: &str, span: TextRange) -> Result<Vec<Cell>, Diagnostic> {
    let (mut row, mut last, mut known) = (Vec::new(), None, BTreeSet::new());
    for (name, value) in object.0 {
        if known.contains(&name) {
            let message = format!("the key `{}` is there twice", shorten(&name));
            return Err(Diagnostic::new(key(line, span, &name, 1), message, "expected every key once"));
        }
        let wrong = |message| Err(Diagnostic::new(key(line, span, &name, 0), message, SCALAR));
        let cell = match value {
            Value::Cell(cell) => cell,
            Value::List => return wrong("a list is no value of a column"),
            Value::Object => return wrong("an object is no value of a column"),
        };
        if let Some((message, expected)) = figures::wrong(&name, &cell) {
            return Err(Diagnostic::new(key(line, span, &name, 0), message, expected));
        }
        let number = names.number(&name, last);
        last = Some(number);
        if row.len() <= number {
            row.resize(number + 1, Cell::Empty);
        }
        row[number] = cell;
        known.insert(name);
    }
    Ok(row)
}

/// Position of the `occurrence`-th (from 0) `name` among the keys of a line; `span`, the whole line, if the key
/// contains escapes.
fn key(line: &str, span: TextRange, name: &str, occurrence: usize) -> TextRange {
    let quoted = format!("\"{name}\"");
    let is_key = |at: usize| line[at + quoted.len()..].trim_start().starts_with(':');
    let mut keys = line.match_indices(&quoted).filter(|(at, _)| is_key(*at));
    keys.nth(occurrence).map_or(span, |(at, text)| {
        let start = span.start + at;
        TextRange { start, end: start + text.len(), ..span }
    })
}

/// Converts a parser error to a diagnostic at `line`. The parser's own line number, always 1, is dropped.
fn told(line: TextRange, error: &serde_json::Error) -> Diagnostic {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    let at = line.start + error.column().saturating_sub(1);
    let span = TextRange { start: at.min(line.end), ..line };
    Diagnostic::new(span, message, EXPECTED)
}

/// Keys and values of one line, in the order of the text.
struct Object(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Object;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

enum Value {
    Cell(Cell),
    List,
    Object,
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct Scalar;
        impl<'de> Visitor<'de> for Scalar {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_unit<E: Error>(self) -> Result<Value, E> {
                Ok(Value::Cell(Cell::Empty))
            }
            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Cell(Cell::Text(value.to_string())))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
                Ok(Value::Cell(Cell::Count(value)))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Cell(u64::try_from(value).map_or(Cell::Signed(value), Cell::Count)))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Cell(Cell::from(value)))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
                let cell = if value.is_empty() { Cell::Empty } else { Cell::Text(value.to_owned()) };
                Ok(Value::Cell(cell))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Value::List)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Value::Object)
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}
