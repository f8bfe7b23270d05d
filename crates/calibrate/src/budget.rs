//! Time budget of a calibration: `2m`, `90s`, `1h`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Units of a time budget, in seconds; `m` is minutes.
const UNITS: [(&str, f64); 4] = [("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];
const LEAST: f64 = 1.0;
const MOST: f64 = 24.0 * 3600.0;

/// Time to spend on measuring, from a second to a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub Duration);

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Budget, BudgetError> {
        let text = text.trim();
        let unit_at = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, unit) = text.split_at(unit_at);
        let wrong =
            |what: String| BudgetError(format!("{what}; expected a time such as \"2m\" (units: s, m, h)"));
        let value: f64 =
            number.parse().map_err(|_| wrong(format!("\"{text}\" has no number that can be read")))?;
        let (_, factor) =
            UNITS.into_iter().find(|(name, _)| *name == unit.trim()).ok_or_else(|| match unit.trim() {
                "" => wrong(format!("\"{text}\" has no unit")),
                unit => wrong(format!("unknown unit \"{unit}\" in \"{text}\"")),
            })?;
        let seconds = value * factor;
        if !(LEAST..=MOST).contains(&seconds) {
            return Err(BudgetError(format!("\"{text}\" is out of range; budgets lie between 1 s and 24 h")));
        }
        Ok(Budget(Duration::from_secs_f64(seconds)))
    }
}

/// Error: a text is no time budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetError(String);

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BudgetError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_usual_notations() {
        for (text, seconds) in [("2m", 120), ("90s", 90), ("1h", 3600), (" 1.5 min ", 90), ("24h", 86400)] {
            assert_eq!(text.parse(), Ok(Budget(Duration::from_secs(seconds))), "{text}");
        }
    }

    #[test]
    fn refuses_with_a_reason() {
        let message = |text: &str| text.parse::<Budget>().unwrap_err().to_string();
        assert!(message("2").contains("\"2\" has no unit; expected a time such as \"2m\""));
        assert!(message("2 d").contains("unknown unit \"d\""));
        assert!(message("-2m").contains("no number"));
        assert!(message("").contains("no number"));
        for text in ["0s", "0.5s", "25h", "99999999999999999999999999999h"] {
            assert!(message(text).contains("out of range"), "{text}");
        }
    }
}
