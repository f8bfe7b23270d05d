//! Results as JSON Lines: an object on each line, column names as keys. What is not there is empty.

use super::union::Names;
use numalab_results::{Cell, Frame};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Errors that are told.
const TOLD: usize = 100;

pub fn read(text: &str) -> Result<Frame, Vec<Diagnostic>> {
    let (mut names, mut rows, mut errors) = (Names::default(), Vec::new(), Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = TextRange { source: 0, start, end: start + line.trim_end().len() };
        start += line.len();
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Object>(line) {
            Ok(object) => rows.push(cells(&mut names, object)),
            Err(error) => errors.push(told(span, &error)),
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
    if errors.is_empty() { Ok(names.frame(rows)) } else { Err(errors) }
}

fn cells(names: &mut Names, object: Object) -> Vec<Cell> {
    let (mut row, mut last) = (Vec::new(), None);
    for (name, cell) in object.0 {
        let number = names.number(&name, last);
        last = Some(number);
        if row.len() <= number {
            row.resize(number + 1, Cell::Empty);
        }
        row[number] = cell;
    }
    row
}

/// The parser's words without its own line number, which is 1 in every line.
fn told(line: TextRange, error: &serde_json::Error) -> Diagnostic {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    // `invalid type: sequence, expected ...` says both.
    let (message, expected) =
        message.split_once(", expected ").unwrap_or((message, "a flat JSON object on each line"));
    let at = line.start + error.column().saturating_sub(1);
    let span = TextRange { start: at.min(line.end), ..line };
    Diagnostic::new(span, message, format!("expected {expected}"))
}

/// Keys and values in the order of the text.
struct Object(Vec<(String, Cell)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Object;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a flat JSON object on each line")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let (mut cells, mut known) = (Vec::new(), BTreeSet::new());
                while let Some(key) = map.next_key::<String>()? {
                    if !known.insert(key.clone()) {
                        return Err(A::Error::custom(format!("the key `{}` is there twice", shorten(&key))));
                    }
                    cells.push((key, map.next_value::<Value>()?.0));
                }
                Ok(Object(cells))
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

struct Value(Cell);

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct Scalar;
        impl<'de> Visitor<'de> for Scalar {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a text or null")
            }
            fn visit_unit<E: Error>(self) -> Result<Value, E> {
                Ok(Value(Cell::Empty))
            }
            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(Value(Cell::Text(value.to_string())))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
                Ok(Value(Cell::Count(value)))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(Value(u64::try_from(value).map_or(Cell::Signed(value), Cell::Count)))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                Ok(Value(Cell::from(value)))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
                let cell = if value.is_empty() { Cell::Empty } else { Cell::Text(value.to_owned()) };
                Ok(Value(cell))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Err(A::Error::custom("a list is no value of a column, expected a number, a text or null"))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Err(A::Error::custom("an object is no value of a column, expected a number, a text or null"))
            }
        }
        deserializer.deserialize_any(Scalar)
    }
}
