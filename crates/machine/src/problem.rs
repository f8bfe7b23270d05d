//! One thing that is wrong with a machine.

use std::fmt;

/// Mistake in a machine and its place, in the terms of a machine file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path of the value, such as `level[1].count` or `memory.capacity`.
    pub path: String,
    /// The mistake.
    pub message: String,
    /// Text that would be right; empty where the message says it.
    pub expected: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.expected.is_empty() { "" } else { "; " };
        write!(f, "{}: {}{separator}{}", self.path, self.message, self.expected)
    }
}

impl std::error::Error for Problem {}

/// Collects problems.
#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.add_expecting(path, message, "");
    }

    /// The same, with what would be right.
    pub(crate) fn add_expecting(
        &mut self,
        path: impl Into<String>,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let (path, message, expected) = (path.into(), message.into(), expected.into());
        self.0.push(Problem { path, message, expected });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_vec(self) -> Vec<Problem> {
        self.0
    }
}
