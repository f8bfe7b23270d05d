//! Bounds of a parameter, and options of its output.

use super::Value;
use crate::Span;

/// Upper limit of a time without bounds of its own, so that sums of times cannot overflow: 1 s.
pub const LONGEST: Span = Span(1_000_000_000_000);
/// Magnitudes accepted for a number without a unit.
const MEASURABLE: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// Rules of one parameter, in the order in which a declaration lists them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Smallest value allowed, in base units.
    pub least: Option<f64>,
    /// Largest value allowed, in base units.
    pub most: Option<f64>,
    /// True if zero is refused.
    pub above_zero: bool,
    /// True if a time may be longer than [`LONGEST`].
    pub unlimited: bool,
    /// True if records of a run leave the default out, so that results from before the parameter
    /// existed keep their hashes.
    pub silent: bool,
    /// True if written files leave the default out.
    pub brief: bool,
    /// True if it is the key of its table instead of an entry.
    pub key: bool,
    /// User-visible phrase with a value, which replaces `{}`.
    pub phrase: Option<&'static str>,
}

impl Rule {
    /// No rule except those of the unit.
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

    pub const fn at_least(self, least: f64) -> Rule {
        Rule { least: Some(least), ..self }
    }

    pub const fn at_most(self, most: f64) -> Rule {
        Rule { most: Some(most), ..self }
    }

    pub const fn above_zero(self) -> Rule {
        Rule { above_zero: true, ..self }
    }

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

    /// Shows values other than the default to users in this phrase; the value replaces `{}`.
    pub const fn shown(self, phrase: &'static str) -> Rule {
        Rule { phrase: Some(phrase), ..self }
    }

    /// Makes it the key of its table.
    pub const fn key(self) -> Rule {
        Rule { key: true, ..self }
    }

    /// Describes the allowed values if `value` is not one of them; `None` if it is allowed.
    pub(super) fn refuses(self, value: &Value) -> Option<String> {
        let number = value.number()?;
        // A rate of zero would never finish.
        let above_zero = self.above_zero || matches!(value, Value::Rate(_) | Value::Clock(_));
        let limited = matches!(value, Value::Time(_)) && !self.unlimited;
        let most = self.most.or(limited.then_some(LONGEST.0 as f64));
        // A ratio or count far outside this range is a mistake and would make results meaningless.
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
