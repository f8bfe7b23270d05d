//! Why a word of the model's vocabulary cannot be read.

use std::fmt;

/// Why a text is not a policy or a placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordError {
    /// What is wrong.
    pub problem: String,
    /// The name that is unknown; empty where something else is wrong.
    pub name: String,
    /// Where a name is unknown: those that are known.
    pub names: &'static [&'static str],
}

impl WordError {
    /// A text with a known name that is wrong otherwise.
    pub(crate) fn new(problem: String) -> WordError {
        WordError { problem, name: String::new(), names: &[] }
    }

    /// A name that is none of these; `what` is what they name.
    pub(crate) fn unknown(what: &str, name: &str, names: &'static [&'static str]) -> WordError {
        WordError { problem: format!("unknown {what} \"{name}\""), name: name.to_owned(), names }
    }
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        match self.names {
            [] => Ok(()),
            names => write!(f, "; expected one of {}", names.join(", ")),
        }
    }
}

impl std::error::Error for WordError {}
