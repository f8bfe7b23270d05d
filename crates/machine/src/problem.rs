use std::fmt;

/// Mistake in a machine, with its path in a machine file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path of the value, such as `level[1].count` or `memory.capacity`.
    pub path: String,
    /// Sentence that states the mistake.
    pub message: String,
    /// The correct text; empty if the message states it.
    pub expected: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.expected.is_empty() { "" } else { "; " };
        write!(f, "{}: {}{separator}{}", self.path, self.message, self.expected)
    }
}

impl std::error::Error for Problem {}

#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.add_expecting(path, message, "");
    }

    /// Adds a problem with the correct text.
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
