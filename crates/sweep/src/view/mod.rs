//! Parts that every look at results needs: one frame of several files, columns by what people call
//! them, a choice of rows.

mod columns;
mod only;
mod together;

pub use only::Only;
pub use together::together;

pub(crate) use crate::group::coordinates;
pub(crate) use columns::{column, coordinate, distinct, measure, named};

use std::fmt;

/// Why there is nothing to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewError {
    /// The mistake.
    pub problem: String,
    /// Advice on what to do about it.
    pub advice: String,
}

impl ViewError {
    pub(crate) fn new(problem: impl Into<String>, advice: impl Into<String>) -> ViewError {
        ViewError { problem: problem.into(), advice: advice.into() }
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.problem, self.advice)
    }
}

impl std::error::Error for ViewError {}

/// The column that says which file a row is from, where there are several.
pub const FILE: &str = "file";

/// A few values, for a message.
pub(crate) fn some_of(values: &[String]) -> String {
    const MOST: usize = 8;
    let more = if values.len() > MOST { ", …" } else { "" };
    format!("{}{more}", values[..values.len().min(MOST)].join(", "))
}
