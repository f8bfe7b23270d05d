//! Texts other than quantities: expressions, words, placements, schedules.

use super::inline_schema;
use numalab_base::{NumberList, NumberSequence};
use numalab_workload::{Placement, Schedule};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Text of an expression or of a plain number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Expression(pub String);

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Ok(Expression(text)),
            serde_json::Value::Number(number) => Ok(Expression(number.to_string())),
            _ => Err(serde::de::Error::custom("expected a number or a text")),
        }
    }
}

inline_schema!(Expression, "expression", {"type": ["number", "string"], "format": "expression", "examples": ["i + 1"]});

/// Word or number, as text. The meaning of the text is decided when names are resolved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Text(pub String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Expression::deserialize(deserializer).map(|text| Text(text.0))
    }
}

inline_schema!(Text, "text", {"type": ["number", "string"]});

/// Schema's format of [`NumberListText`] and [`NumberSequenceText`].
pub const NUMBERS: &str = "list of numbers";

/// Numbers and ranges, such as `0-3,8`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberListText(pub NumberList);

impl NumberListText {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Numbers and ranges in an order that counts, such as `0-3,8,4-7`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberSequenceText(pub NumberSequence);

impl NumberSequenceText {
    pub fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }
}

macro_rules! numbers {
    ($text:ident) => {
        impl<'de> Deserialize<'de> for $text {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map($text).map_err(serde::de::Error::custom)
            }
        }

        impl Serialize for $text {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0.to_string())
            }
        }

        inline_schema!($text, "list of numbers", {"type": "string", "format": "list of numbers", "examples": ["0-3,8"]});
    };
}

numbers!(NumberListText);
numbers!(NumberSequenceText);

/// Placement in the command line's notation.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementText(pub Placement);

impl<'de> Deserialize<'de> for PlacementText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(PlacementText).map_err(serde::de::Error::custom)
    }
}

impl Serialize for PlacementText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_string())
    }
}

inline_schema!(PlacementText, "placement", {"type": "string", "format": "placement", "examples": ["first-touch", "interleave:0-3"]});

/// Policy by name; `compared` stands for the policy under comparison.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ScheduleText(pub Option<Schedule>);

/// Word of [`ScheduleText`] for the policy under comparison.
pub(super) const COMPARED: &str = "compared";

impl<'de> Deserialize<'de> for ScheduleText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == COMPARED {
            return Ok(ScheduleText(None));
        }
        let policy = crate::policy::schedule(&text);
        policy
            .map(|policy| ScheduleText(Some(policy)))
            .map_err(|error| serde::de::Error::custom(error.brief().0))
    }
}

impl Serialize for ScheduleText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            None => serializer.serialize_str(COMPARED),
            Some(Schedule::File(file)) => serializer.serialize_str(&file.typed()),
            Some(policy) => serializer.serialize_str(&policy.to_string()),
        }
    }
}

inline_schema!(ScheduleText, "schedule", {"type": "string", "format": "schedule", "examples": ["static", "dynamic,4"]});
