//! Bounds of a parameter, options of its output, and its role in a fit.

use super::{Parameter, Value};
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
    /// True if the value must be above zero.
    pub above_zero: bool,
    /// True if a time may be longer than [`LONGEST`].
    pub unlimited: bool,
    /// True if records of a run leave the value out if it is the default, so that results from before the parameter
    /// existed keep their hashes.
    pub silent: bool,
    /// True if written files leave the value out if it is the default.
    pub brief: bool,
    /// True if a file gives the value as the key of the parameter's table instead of an entry in it.
    pub key: bool,
    /// Phrase that shows the value to users; the value replaces `{}`.
    pub phrase: Option<&'static str>,
    /// True if the parameter is a limit: values above the highest rate or number that measurements reach change
    /// nothing, so a fit finds a lower bound only.
    pub limit: bool,
    /// True if a fit may remove the parameter if the measurements do not show an effect of it.
    pub liftable: bool,
    /// True if the value is a fraction from 0 to 1. Errors of such a value are absolute; errors of all other values
    /// are relative.
    pub part: bool,
    /// True if the value is the hold time of a lock. A fit starts at the upper bound of the hold time, since
    /// measurements without contention do not show it.
    pub lock: bool,
    /// Upper bound for fits in base units, if that bound is lower than `most`, the bound for files.
    pub widest: Option<f64>,
    /// Value with the same effect as leaving the parameter out; `None` if there is no such value.
    pub stand_in: Option<StandIn>,
    /// Machine whose value a fit assumes if the parameter was not measured; `None` for the defaults of synthetic
    /// machines.
    pub assumed_of: Option<&'static str>,
}

/// Value with the same effect as an absent parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StandIn {
    /// A number in base units.
    Number(f64),
    /// Sum of other parameters: of the same table, or of the machine's core or memory.
    Sum(&'static [&'static Parameter]),
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
        limit: false,
        liftable: false,
        part: false,
        lock: false,
        widest: None,
        stand_in: None,
        assumed_of: None,
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

    /// Makes the parameter the key of its table in a file.
    pub const fn key(self) -> Rule {
        Rule { key: true, ..self }
    }

    /// Marks a limit: a value above the highest rate or number that measurements reach changes nothing.
    pub const fn limit(self) -> Rule {
        Rule { limit: true, ..self }
    }

    /// Lets a fit remove the parameter where the measurements do not show it.
    pub const fn liftable(self) -> Rule {
        Rule { liftable: true, ..self }
    }

    /// Allows fractions from 0 to 1 only.
    pub const fn part(self) -> Rule {
        Rule { part: true, ..self.at_least(0.0).at_most(1.0) }
    }

    /// Marks the hold time of a lock.
    pub const fn lock(self) -> Rule {
        Rule { lock: true, ..self }
    }

    /// Sets an upper bound for fits, but not for files.
    pub const fn widest(self, widest: f64) -> Rule {
        Rule { widest: Some(widest), ..self }
    }

    /// Makes an absent parameter equivalent to the sum of the parameters `others`.
    pub const fn stands_for(self, others: &'static [&'static Parameter]) -> Rule {
        Rule { stand_in: Some(StandIn::Sum(others)), ..self }
    }

    /// Makes an absent parameter equivalent to a number in base units.
    pub const fn stands_for_number(self, number: f64) -> Rule {
        Rule { stand_in: Some(StandIn::Number(number)), ..self }
    }

    /// Sets the machine whose value a fit assumes if the parameter was not measured.
    pub const fn assumed_of(self, machine: &'static str) -> Rule {
        Rule { assumed_of: Some(machine), ..self }
    }

    /// Largest value that a fit may find, in base units.
    pub fn most_fitted(self) -> f64 {
        self.widest.or(self.most).unwrap_or(f64::INFINITY)
    }

    /// Describes the allowed values if `value` is not allowed; `None` if `value` is allowed.
    pub(super) fn refuses(self, value: &Value) -> Option<String> {
        let number = value.number()?;
        // A transfer at a rate of zero would never finish.
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
