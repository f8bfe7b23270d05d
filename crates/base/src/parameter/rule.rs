//! Bounds of a parameter, and where it is written.

use super::Value;
use crate::Span;

/// Most of a time that has no bounds of its own, so that sums of times cannot overflow: 1 s.
pub const LONGEST: Span = Span(1_000_000_000_000);
/// Magnitudes of a number without a unit.
const MEASURABLE: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// Rules of one parameter, in the order in which a declaration lists them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Least value that is allowed.
    pub least: Option<f64>,
    /// Most that is allowed.
    pub most: Option<f64>,
    /// Whether zero is refused.
    pub above_zero: bool,
    /// Whether a time may be longer than [`LONGEST`].
    pub unlimited: bool,
    /// Whether records leave the default out, since results from before it existed have to keep their hashes.
    pub silent: bool,
    /// Whether written files leave the default out.
    pub brief: bool,
    /// Whether it is the key of its table, and not in it.
    pub key: bool,
    /// Phrase that shows a value to people, with `{}` in its place.
    pub phrase: Option<&'static str>,
}

impl Rule {
    /// No rule but those of the unit.
    pub const NONE: Rule = Rule {
        least: None,
        most: None,
        above_zero: false,
        unlimited: false,
        silent: false,
        brief: false,
        key: false,
        phrase: None,
    };

    /// Allows this value and larger ones.
    pub const fn at_least(self, least: f64) -> Rule {
        Rule { least: Some(least), ..self }
    }

    /// Allows this value and smaller ones.
    pub const fn at_most(self, most: f64) -> Rule {
        Rule { most: Some(most), ..self }
    }

    /// Refuses zero.
    pub const fn above_zero(self) -> Rule {
        Rule { above_zero: true, ..self }
    }

    /// Allows times of any length.
    pub const fn unlimited(self) -> Rule {
        Rule { unlimited: true, ..self }
    }

    /// Leaves the default out of records and written files.
    pub const fn silent(self) -> Rule {
        Rule { silent: true, brief: true, ..self }
    }

    /// Leaves the default out of written files.
    pub const fn brief(self) -> Rule {
        Rule { brief: true, ..self }
    }

    /// Shows values other than the default to people in this phrase, with the value in place of `{}`.
    pub const fn shown(self, phrase: &'static str) -> Rule {
        Rule { phrase: Some(phrase), ..self }
    }

    /// Makes it the key of its table.
    pub const fn key(self) -> Rule {
        Rule { key: true, ..self }
    }

    /// Values that are allowed instead of this one; `None` if it is allowed.
    pub(super) fn refuses(self, value: &Value) -> Option<String> {
        let number = value.number()?;
        // Nothing moves at a rate of zero.
        let above_zero = self.above_zero || matches!(value, Value::Rate(_) | Value::Clock(_));
        let limited = matches!(value, Value::Time(_)) && !self.unlimited;
        let most = self.most.or(limited.then_some(LONGEST.0 as f64));
        // A ratio or a count of something: far more or less than any is a slip, and would make nonsense of results.
        let measurable =
            !matches!(value, Value::Number(_)) || number == 0.0 || MEASURABLE.contains(&number.abs());
        let fits = number.is_finite()
            && measurable
            && !(above_zero && number <= 0.0)
            && self.least.is_none_or(|least| number >= least)
            && most.is_none_or(|most| number <= most);
        let is_time = matches!(value, Value::Time(_));
        let show = |bound: f64| if is_time { Span(bound as u64).to_string() } else { bound.to_string() };
        (!fits).then(|| match (self.least, most) {
            _ if !measurable => "a number from 1e-9 to 1e9".to_owned(),
            (Some(least), Some(most)) => format!("between {least} and {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) if above_zero => format!("above 0 and at most {}", show(most)),
            (None, Some(most)) => format!("at most {}", show(most)),
            (None, None) if matches!(value, Value::Number(_)) => "a number from 1e-9 to 1e9".to_owned(),
            (None, None) if value.is_fraction() => "a finite number above 0".to_owned(),
            (None, None) => "above 0".to_owned(),
        })
    }
}
