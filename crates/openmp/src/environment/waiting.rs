//! `OMP_WAIT_POLICY`, `KMP_BLOCKTIME` and `GOMP_SPINCOUNT`: how long waiting threads spin before they sleep.

use crate::places::{Cursor, TextError};
use numalab_base::Span;

/// Variables that set the spinning time; `None` if unset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// `OMP_WAIT_POLICY`.
    pub policy: Option<WaitPolicy>,
    /// `KMP_BLOCKTIME`.
    pub blocktime: Option<Limit>,
    /// `GOMP_SPINCOUNT`.
    pub spincount: Option<Limit>,
}

/// Value of `OMP_WAIT_POLICY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitPolicy {
    Active,
    Passive,
}

/// Limit of the spinning time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    For(Span),
    Unlimited,
}

const POLICIES: [&str; 2] = ["active", "passive"];
const NAMES: [&str; 2] = ["infinite", "infinity"];
/// Picoseconds of one turn of libgomp's loop, as its authors reckon: 100 000 turns a millisecond.
const TURN: u64 = 10_000;
/// Picoseconds of each unit of `KMP_BLOCKTIME`; without unit the second one holds.
const TIMES: [(&str, u64); 3] = [("us", 1_000_000), ("ms", 1_000_000_000), ("s", 1_000_000_000_000)];
/// Multiples of turns.
const MULTIPLES: [(&str, u64); 5] =
    [("", 1), ("k", 1000), ("m", 1_000_000), ("g", 1_000_000_000), ("t", 1_000_000_000_000)];

impl Waiting {
    /// Names of the variables.
    pub const NAMES: [&str; 3] = ["OMP_WAIT_POLICY", "KMP_BLOCKTIME", "GOMP_SPINCOUNT"];

    /// True if no variable is set.
    pub fn is_empty(&self) -> bool {
        *self == Waiting::default()
    }

    /// Takes the value of a variable of [`Waiting::NAMES`].
    pub fn take(&mut self, name: &str, text: &str) -> Result<(), TextError> {
        match name {
            "OMP_WAIT_POLICY" => self.policy = Some(policy(text)?),
            "KMP_BLOCKTIME" => self.blocktime = Some(limit(text, &TIMES, "ms", 1)?),
            _ => self.spincount = Some(limit(text, &MULTIPLES, "", TURN)?),
        }
        Ok(())
    }
}

fn policy(text: &str) -> Result<WaitPolicy, TextError> {
    let mut cursor = Cursor::new(text);
    let span = cursor.word();
    let word = text[span.clone()].to_ascii_lowercase();
    cursor.end("active or passive")?;
    match word.as_str() {
        "active" => Ok(WaitPolicy::Active),
        "passive" => Ok(WaitPolicy::Passive),
        _ => Err(TextError::unknown(text, span, &POLICIES)),
    }
}

/// Parses a number with a unit, each unit `scale` times its picoseconds, or `infinite`.
fn limit(text: &str, units: &[(&'static str, u64)], usual: &str, scale: u64) -> Result<Limit, TextError> {
    let mut cursor = Cursor::new(text);
    if cursor.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
        let span = cursor.word();
        let known = NAMES.iter().any(|name| name.eq_ignore_ascii_case(&text[span.clone()]));
        cursor.end("nothing more")?;
        return if known { Ok(Limit::Unlimited) } else { Err(TextError::unknown(text, span, &NAMES)) };
    }
    let number = cursor.long_number("a number, or infinite")?;
    let span = cursor.word();
    let typed = text[span.clone()].to_ascii_lowercase();
    cursor.end("a unit or the end")?;
    let unit = if typed.is_empty() { usual } else { &typed };
    let Some((_, each)) = units.iter().find(|(name, _)| *name == unit) else {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
        let problem = format!("\"{typed}\" is no unit; expected one of {}", names.join(", "));
        return Err(TextError::new(text, span, problem));
    };
    Ok(Limit::For(Span(number.saturating_mul(*each).saturating_mul(scale))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Waiting, TextError> {
        let mut waiting = Waiting::default();
        waiting.take(name, text)?;
        Ok(waiting)
    }

    #[test]
    fn values() {
        let policy = |text: &str| read("OMP_WAIT_POLICY", text).unwrap().policy;
        assert_eq!(policy(" ACTIVE "), Some(WaitPolicy::Active));
        assert_eq!(policy("passive"), Some(WaitPolicy::Passive));
        for (text, ms) in [("0", 0), ("200", 200), ("200ms", 200), (" 3 s", 3000)] {
            let limit = Some(Limit::For(Span(ms * 1_000_000_000)));
            assert_eq!(read("KMP_BLOCKTIME", text).unwrap().blocktime, limit, "{text}");
        }
        assert_eq!(read("KMP_BLOCKTIME", "50us").unwrap().blocktime, Some(Limit::For(Span(50_000_000))));
        assert_eq!(read("KMP_BLOCKTIME", "INFINITE").unwrap().blocktime, Some(Limit::Unlimited));
        // 300 000 turns are 3 ms.
        for text in ["300000", "300k"] {
            let limit = Some(Limit::For(Span(3_000_000_000)));
            assert_eq!(read("GOMP_SPINCOUNT", text).unwrap().spincount, limit, "{text}");
        }
        assert_eq!(read("GOMP_SPINCOUNT", "infinity").unwrap().spincount, Some(Limit::Unlimited));
    }

    #[test]
    fn wrong_values_are_shown() {
        for (name, text, column, part) in [
            ("OMP_WAIT_POLICY", "activ", 1, "\"activ\"; expected one of active, passive"),
            ("KMP_BLOCKTIME", "-1", 1, "a number, or infinite"),
            ("KMP_BLOCKTIME", "1 hour", 3, "\"hour\" is no unit; expected one of us, ms, s"),
            ("KMP_BLOCKTIME", "forever", 1, "\"forever\"; expected one of infinite"),
            ("GOMP_SPINCOUNT", "5x", 2, "\"x\" is no unit; expected one of k, m, g, t"),
        ] {
            let error = read(name, text).unwrap_err();
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
