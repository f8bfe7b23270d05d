//! Numbers with units, as text. Values of a range keep the unit of its first value.

use super::values::Part;
use numalab_syntax::expression::{ExpressionError, number_length};
use numalab_syntax::tree::{shorten, show};

/// A number and its unit, if any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount<'t> {
    pub number: f64,
    pub unit: &'t str,
}

impl<'t> Amount<'t> {
    pub fn read(text: &'t str) -> Option<Amount<'t>> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let end = text.len() - digits.len() + number_length(digits);
        let number: f64 = text[..end].replace('_', "").parse().ok()?;
        let unit = text[end..].trim();
        let begins = unit.is_empty() || unit.starts_with(|c: char| c.is_alphabetic() || c == '%' || c == 'µ');
        (number.is_finite() && begins).then_some(Amount { number, unit })
    }

    /// Parses a part of a range.
    pub fn of(part: &Part<'t>) -> Result<Amount<'t>, ExpressionError> {
        Amount::read(part.text).ok_or_else(|| {
            let message = format!("\"{}\" is no number", shorten(part.text));
            part.wrong(message, "expected a number, with or without a unit, such as 12 or 12 GB/s")
        })
    }

    /// Text of `number` with the unit of this amount.
    pub fn with(self, number: f64) -> String {
        let gap = if self.unit.is_empty() { "" } else { " " };
        format!("{}{gap}{}", show(number), self.unit)
    }
}

/// True if a text begins like a number.
pub(super) fn is_numeric(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = digits.strip_prefix('.').unwrap_or(digits);
    digits.starts_with(|c: char| c.is_ascii_digit())
}
