//! Display unit of a measure.

use numalab_base::{Bandwidth, Bytes, PS_PER_S, Span};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq)]
pub struct DisplayUnit {
    /// Name of the unit, such as `GB/s`.
    pub label: String,
    /// Size of the unit in base units (second, byte, operation).
    pub factor: f64,
}

/// Error: a text is no unit of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayUnitError(String);

impl fmt::Display for DisplayUnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown unit \"{}\"; expected one of {}", self.0, DisplayUnit::EXAMPLES.join(", "))
    }
}

impl std::error::Error for DisplayUnitError {}

impl DisplayUnit {
    /// Examples of units, for messages.
    pub(crate) const EXAMPLES: [&'static str; 14] =
        ["1", "%", "s", "ms", "us", "ns", "B", "MB", "GB", "MiB", "MB/s", "GB/s", "MFLOP/s", "GFLOP/s"];

    /// Converts a value from base units to this unit.
    pub fn show(&self, value: f64) -> f64 {
        value / self.factor
    }

    /// True for times and bytes, which double if the work doubles; false for ratios and rates.
    pub fn is_amount(&self) -> bool {
        self.label != "1" && self.label != "%" && !self.label.contains('/')
    }
}

/// Units for rates of floating-point operations, with their sizes.
const OPERATIONS: [(&str, f64); 5] =
    [("FLOP/s", 1.0), ("kFLOP/s", 1e3), ("MFLOP/s", 1e6), ("GFLOP/s", 1e9), ("TFLOP/s", 1e12)];

impl FromStr for DisplayUnit {
    type Err = DisplayUnitError;

    fn from_str(text: &str) -> Result<DisplayUnit, DisplayUnitError> {
        let label = text.trim();
        let wrong = || DisplayUnitError(numalab_syntax::tree::shorten(label));
        let plain = match label {
            "1" => Some(1.0),
            "%" => Some(0.01),
            _ => OPERATIONS.iter().find(|(known, _)| *known == label).map(|(_, factor)| *factor),
        };
        // A unit that begins with a letter is parsed with a 1 in front, as a quantity.
        let one = label.starts_with(char::is_alphabetic).then(|| format!("1 {label}"));
        let measured = || {
            let one = one.as_deref()?;
            let span = one.parse::<Span>().ok().map(|span| span.0 as f64 / PS_PER_S);
            let bytes = one.parse::<Bytes>().ok().map(|bytes| bytes.0 as f64);
            span.or(bytes).or_else(|| one.parse::<Bandwidth>().ok().map(|rate| rate.0))
        };
        let factor = plain.or_else(measured).ok_or_else(wrong)?;
        Ok(DisplayUnit { label: label.to_owned(), factor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_measurements() {
        let factor = |text: &str| text.parse::<DisplayUnit>().map(|unit| unit.factor);
        for (text, expected) in [
            ("1", 1.0),
            ("%", 0.01),
            ("s", 1.0),
            ("us", 1e-6),
            ("ns", 1e-9),
            ("KiB", 1024.0),
            ("GB/s", 1e9),
            ("GFLOP/s", 1e9),
        ] {
            assert_eq!(factor(text), Ok(expected), "{text}");
        }
        for text in ["", "2", "GHz", "e3 s", "1 s", "B/s/s", "é"] {
            assert!(factor(text).is_err(), "{text}");
        }
        for (text, amount) in [("s", true), ("GB", true), ("1", false), ("%", false), ("GB/s", false)] {
            assert_eq!(text.parse::<DisplayUnit>().unwrap().is_amount(), amount, "{text}");
        }
        let shown = "us".parse::<DisplayUnit>().unwrap().show(0.25);
        assert!((shown - 250e3).abs() < 1e-6);
    }
}
