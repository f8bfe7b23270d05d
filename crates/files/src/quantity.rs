//! Texts with a format of their own: quantities, expressions, policies, placements, names. Each format has one
//! checker and one type for the parsed value.

mod words;

pub use words::{Expression, NumberListText, NumberSequenceText, PlacementText, ScheduleText, Text};

use numalab_base::{Bandwidth, Bytes, Frequency, NumberList, ParseError, Span};
use numalab_syntax::expression::{self, ExpressionError};
use numalab_syntax::nearest::{hint_or, nearest};
use numalab_workload::{Placement, Schedule};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::str::FromStr;

/// Quantity that is written as text with a unit.
pub trait Unit: FromStr<Err = ParseError> + Copy {
    /// The schema's `format`, also used in messages.
    const FORMAT: &'static str;
    const EXAMPLE: &'static str;
    /// Text that reads back to exactly this value.
    fn canonical(self) -> String;
}

impl Unit for Bandwidth {
    const FORMAT: &'static str = "bandwidth";
    const EXAMPLE: &'static str = "3.4 GB/s";
    fn canonical(self) -> String {
        format!("{} B/s", self.0)
    }
}

impl Unit for Bytes {
    const FORMAT: &'static str = "size";
    const EXAMPLE: &'static str = "16 GiB";
    fn canonical(self) -> String {
        format!("{} B", self.0)
    }
}

impl Unit for Span {
    // Not `time`, which is the time of day in JSON Schema.
    const FORMAT: &'static str = "time span";
    const EXAMPLE: &'static str = "128 ns";
    fn canonical(self) -> String {
        format!("{} ps", self.0)
    }
}

impl Unit for Frequency {
    const FORMAT: &'static str = "frequency";
    const EXAMPLE: &'static str = "2.0 GHz";
    fn canonical(self) -> String {
        format!("{} Hz", self.0)
    }
}

/// Schema of a type, named and inlined where the type is used.
macro_rules! inline_schema {
    ($type:ty, $name:literal, $schema:tt) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}
pub(crate) use inline_schema;

/// Field of a file type for a quantity that is written as text with a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity<T>(pub T);

impl<'de, T: Unit> Deserialize<'de> for Quantity<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Quantity).map_err(serde::de::Error::custom)
    }
}

impl<T: Unit> Serialize for Quantity<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.canonical())
    }
}

impl<T: Unit> JsonSchema for Quantity<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        T::FORMAT.into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": T::FORMAT, "examples": [T::EXAMPLE]})
    }
}

/// Checks a text against the schema's `format`. Unknown formats are accepted.
pub fn check(format: &str, text: &str) -> Result<(), ExpressionError> {
    fn unit<T: Unit>(text: &str) -> Result<(), ExpressionError> {
        text.parse::<T>().map(|_| ()).map_err(|error| wrong(text, error))
    }
    match format {
        Bandwidth::FORMAT => unit::<Bandwidth>(text),
        Bytes::FORMAT => unit::<Bytes>(text),
        Span::FORMAT => unit::<Span>(text),
        Frequency::FORMAT => unit::<Frequency>(text),
        "expression" => expression::parse(text).map(|_| ()),
        "schedule" if text != words::COMPARED => policy(text).map(|_| ()).map_err(|mut error| {
            if nearest(text, [words::COMPARED]).is_some() {
                error.label = format!("did you mean `{}`?", words::COMPARED);
            }
            error
        }),
        "placement" => placement(text).map(|_| ()),
        words::NUMBERS => text.parse::<NumberList>().map(|_| ()).map_err(|error| wrong(text, error)),
        _ => Ok(()),
    }
}

/// Parses a policy; the error suggests the nearest valid name.
pub fn policy(text: &str) -> Result<Schedule, ExpressionError> {
    crate::policy::schedule(text).map_err(|error| {
        let (message, label) = error.brief();
        ExpressionError { range: 0..text.len(), message, label }
    })
}

/// Parses a placement in the command line's notation; the error suggests the nearest valid name.
pub fn placement(text: &str) -> Result<Placement, ExpressionError> {
    text.parse().map_err(|error| named(text, error, Placement::NAMES))
}

/// Error whose range is the whole text.
fn wrong(text: &str, error: ParseError) -> ExpressionError {
    ExpressionError { range: 0..text.len(), message: error.message, label: error.expected }
}

/// Error with the nearest valid name, if there is one, in place of the general list of expected values.
fn named(
    text: &str,
    mut error: ParseError,
    names: impl IntoIterator<Item = &'static str>,
) -> ExpressionError {
    if !error.expected.is_empty() {
        error.expected = hint_or(text, names, &error.expected);
    }
    wrong(text, error)
}
