//! Quantities as people write them: `"16 GiB"`, `"128 ns"`, `"3.4 GB/s"`, `"2.0 GHz"`.

use crate::{Bandwidth, Bytes, Frequency, PS_PER_S, Span};
use std::fmt;
use std::str::FromStr;

/// Error in a short text such as a quantity, a schedule or a page policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Sentence that states the mistake.
    pub message: String,
    /// The correct form of the text; empty if the message states it.
    pub expected: String,
    /// The unknown name, if the mistake is an unknown name; otherwise empty.
    pub name: String,
}

impl ParseError {
    /// An error with the correct form of the text; `expected` is empty if the message states the form.
    pub fn new(message: impl Into<String>, expected: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), expected: expected.into(), name: String::new() }
    }

    /// Error of a `name` that is not in `names`. `kind` is the noun for the names in the message, such as `policy`.
    pub fn unknown(kind: &str, name: &str, names: &[&str]) -> ParseError {
        let expected = format!("expected one of {}", names.join(", "));
        ParseError {
            name: name.to_owned(),
            ..ParseError::new(format!("unknown {kind} \"{name}\""), expected)
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.expected.is_empty() { "" } else { "; " };
        write!(f, "{}{separator}{}", self.message, self.expected)
    }
}

impl std::error::Error for ParseError {}

type Units = &'static [(&'static str, f64)];

const TIME: Units = &[("ps", 1e-12), ("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)];
const SIZE: Units = &[
    ("B", 1.0),
    ("kB", 1e3),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("PB", 1e15),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("PiB", 1_125_899_906_842_624.0),
];
const CLOCK: Units = &[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)];

/// Splits a text into number and unit, and converts to base units. Refuses numbers that are negative or not finite.
/// `what` and `example` describe the quantity in errors. With `per_second` the unit must end in `/s`.
fn quantity(
    text: &str,
    what: &str,
    example: &str,
    units: Units,
    per_second: bool,
) -> Result<f64, ParseError> {
    let expected = || {
        let names: Vec<String> = units
            .iter()
            .filter(|(name, _)| *name != "µs" && *name != "KB")
            .map(|(name, _)| if per_second { format!("{name}/s") } else { (*name).to_owned() })
            .collect();
        format!("expected {what} such as \"{example}\" (units: {})", names.join(", "))
    };
    let text = text.trim();
    let unit_at = text
        .char_indices()
        .find(|&(at, c)| {
            // An `e` belongs to the number only if an exponent follows it.
            let exponent = matches!(c, 'e' | 'E')
                && text[at + 1..].starts_with(|n: char| n.is_ascii_digit() || n == '-' || n == '+');
            !(c.is_ascii_digit() || matches!(c, '.' | '_' | '+' | '-') || exponent)
        })
        .map_or(text.len(), |(at, _)| at);
    let (number, unit) = text.split_at(unit_at);
    let unit = unit.trim();
    let value: f64 = number
        .replace('_', "")
        .parse()
        .map_err(|_| ParseError::new(format!("\"{text}\" has no number that can be read"), expected()))?;
    let name = if per_second { unit.strip_suffix("/s").unwrap_or("") } else { unit };
    let factor = units.iter().find(|(known, _)| *known == name).map(|(_, factor)| *factor).ok_or_else(
        || match unit {
            "" => ParseError::new(format!("\"{text}\" has no unit"), expected()),
            _ => ParseError::new(format!("unknown unit \"{unit}\" in \"{text}\""), expected()),
        },
    )?;
    let result = value * factor;
    if !result.is_finite() {
        return Err(ParseError::new(format!("\"{text}\" is not a finite number"), expected()));
    }
    if !crate::is_sensible(value) {
        return Err(ParseError::new(format!("\"{text}\" is out of range"), expected()));
    }
    if result < 0.0 {
        return Err(ParseError::new(format!("\"{text}\" is negative"), expected()));
    }
    Ok(result)
}

impl FromStr for Span {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Span, ParseError> {
        let ps = quantity(text, "a time", "128 ns", TIME, false)? * PS_PER_S;
        if ps >= u64::MAX as f64 / 4.0 {
            return Err(ParseError::new(format!("\"{text}\" is too long"), "at most about 50 days"));
        }
        Ok(Span(ps.round() as u64))
    }
}

impl FromStr for Bytes {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Bytes, ParseError> {
        let bytes = quantity(text, "a size", "16 GiB", SIZE, false)?;
        // 2^60 leaves room for sums without overflow.
        if bytes > (1u64 << 60) as f64 {
            return Err(ParseError::new(format!("\"{text}\" is too large"), "at most 1 EiB"));
        }
        Ok(Bytes(bytes.round() as u64))
    }
}

impl FromStr for Bandwidth {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Bandwidth, ParseError> {
        let rate = quantity(text, "a bandwidth", "3.4 GB/s", SIZE, true)?;
        if !(1.0..=1e18).contains(&rate) {
            return Err(ParseError::new(
                format!("\"{text}\" is out of range"),
                "expected 1 B/s to 1000 PB/s",
            ));
        }
        Ok(Bandwidth(rate))
    }
}

impl FromStr for Frequency {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Frequency, ParseError> {
        let hertz = quantity(text, "a frequency", "2.0 GHz", CLOCK, false)?;
        if !(1e3..=1e13).contains(&hertz) {
            return Err(ParseError::new(format!("\"{text}\" is out of range"), "expected 1 kHz to 10 THz"));
        }
        Ok(Frequency(hertz))
    }
}

/// Parses a count such as `62400` or `62_400`.
pub fn parse_count(text: &str) -> Result<u64, ParseError> {
    text.trim()
        .replace('_', "")
        .parse()
        .map_err(|_| ParseError::new(format!("\"{text}\" is not a whole number"), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_usual_notations() {
        assert_eq!("16 GiB".parse(), Ok(Bytes(17_179_869_184)));
        assert_eq!("40GB".parse(), Ok(Bytes(40_000_000_000)));
        assert_eq!("128 ns".parse(), Ok(Span(128_000)));
        assert_eq!("1e3 ps".parse(), Ok(Span(1000)));
        assert_eq!("3.4 GB/s".parse(), Ok(Bandwidth(3.4e9)));
        assert_eq!("1_053 MHz".parse(), Ok(Frequency(1.053e9)));
    }

    #[test]
    fn refuses_with_a_reason() {
        let message = |text: &str| text.parse::<Bandwidth>().unwrap_err().to_string();
        assert!(message("18").contains("has no unit"), "{}", message("18"));
        assert!(message("18 GHz").contains("unknown unit \"GHz\""));
        assert!(message("NaN GB/s").contains("no number"));
        assert!(message("-1 GB/s").contains("negative"));
        assert!(message("0 GB/s").contains("out of range"));
        assert!(message("1e400 GB/s").contains("finite"));
        assert!("99 PB".parse::<Bytes>().is_ok());
        assert!("9999999 PB".parse::<Bytes>().is_err());
        assert!("".parse::<Span>().is_err());
    }
}
