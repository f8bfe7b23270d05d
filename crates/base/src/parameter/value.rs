//! Values of parameters, and their types.

use super::Section;
use crate::{Bandwidth, Bytes, Frequency, Span, Words};
use std::fmt;

/// Type and unit of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Flag,
    /// A whole number of this many bits.
    Whole(u32),
    /// A number without a unit.
    Number,
    Time,
    Rate,
    Size,
    Clock,
    Text,
    Curve,
    /// One word of a fixed list.
    Word(&'static Words),
    /// A table of parameters.
    Table(&'static Section),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An optional parameter without a value.
    Absent,
    Flag(bool),
    Whole(u32),
    /// A number without a unit.
    Number(f64),
    Time(Span),
    Rate(Bandwidth),
    Size(Bytes),
    Clock(Frequency),
    Text(String),
    Curve(Vec<(f64, f64)>),
    /// One word of a fixed list.
    Word(&'static str),
    /// A table of parameters, in the order of their declaration.
    Table(Vec<Value>),
}

/// A type that a parameter may have.
pub trait Field: Sized {
    const KIND: Kind;
    /// True if a parameter of this type may be absent.
    const OPTIONAL: bool = false;
    fn value(&self) -> Value;
    /// The field from its value, the reverse of `value`; `None` if the value has another kind.
    fn from_value(value: Value) -> Option<Self>;
}

impl Kind {
    /// A number in base units as a value of this kind; `None` if the kind is not numeric.
    pub fn of_number(self, number: f64) -> Option<Value> {
        Some(match self {
            Kind::Whole(_) => Value::Whole(number.round() as u32),
            Kind::Number => Value::Number(number),
            Kind::Time => Value::Time(Span(number.round() as u64)),
            Kind::Rate => Value::Rate(Bandwidth(number)),
            Kind::Size => Value::Size(Bytes(number.round() as u64)),
            Kind::Clock => Value::Clock(Frequency(number)),
            Kind::Flag | Kind::Text | Kind::Curve | Kind::Word(_) | Kind::Table(_) => return None,
        })
    }
}

impl Value {
    /// The number in base units; `None` if the value is not numeric.
    pub fn number(&self) -> Option<f64> {
        Some(match self {
            Value::Whole(number) => f64::from(*number),
            Value::Number(number) => *number,
            Value::Time(span) => span.0 as f64,
            Value::Rate(rate) => rate.0,
            Value::Size(bytes) => bytes.0 as f64,
            Value::Clock(clock) => clock.0,
            Value::Absent
            | Value::Flag(_)
            | Value::Text(_)
            | Value::Curve(_)
            | Value::Word(_)
            | Value::Table(_) => return None,
        })
    }

    pub fn word(&self) -> Option<&str> {
        if let Value::Word(word) = self { Some(word) } else { None }
    }

    pub fn table(self) -> Option<Vec<Value>> {
        if let Value::Table(values) = self { Some(values) } else { None }
    }

    pub(super) fn is_fraction(&self) -> bool {
        matches!(self, Value::Number(_) | Value::Rate(_) | Value::Clock(_))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Absent => f.pad("absent"),
            Value::Flag(flag) => flag.fmt(f),
            Value::Whole(number) => number.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Time(span) => span.fmt(f),
            Value::Rate(rate) => rate.fmt(f),
            Value::Size(bytes) => bytes.fmt(f),
            Value::Clock(clock) => clock.fmt(f),
            Value::Text(text) => f.pad(text),
            Value::Word(word) => f.pad(word),
            Value::Curve(points) => write!(f, "{points:?}"),
            Value::Table(values) => f.debug_list().entries(values).finish(),
        }
    }
}

macro_rules! field {
    ($($type:ty => $kind:expr, $value:ident;)*) => {$(
        impl Field for $type {
            const KIND: Kind = $kind;
            fn value(&self) -> Value {
                Value::$value(self.clone())
            }
            fn from_value(value: Value) -> Option<$type> {
                if let Value::$value(value) = value { Some(value) } else { None }
            }
        }
    )*};
}

field! {
    bool => Kind::Flag, Flag;
    u32 => Kind::Whole(32), Whole;
    f64 => Kind::Number, Number;
    Span => Kind::Time, Time;
    Bandwidth => Kind::Rate, Rate;
    Bytes => Kind::Size, Size;
    Frequency => Kind::Clock, Clock;
    String => Kind::Text, Text;
}

impl Field for u8 {
    const KIND: Kind = Kind::Whole(8);
    fn value(&self) -> Value {
        Value::Whole((*self).into())
    }
    fn from_value(value: Value) -> Option<u8> {
        u8::try_from(u32::from_value(value)?).ok()
    }
}

impl<T: Field> Field for Option<T> {
    const KIND: Kind = T::KIND;
    const OPTIONAL: bool = true;
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, T::value)
    }
    fn from_value(value: Value) -> Option<Option<T>> {
        if value == Value::Absent { Some(None) } else { T::from_value(value).map(Some) }
    }
}
