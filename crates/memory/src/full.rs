//! Error: the memory is full.

use std::fmt;

/// No permitted node has room for further pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFull {
    /// Number of pages that could not be placed.
    pub pages: u64,
}

impl fmt::Display for MemoryFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the memory that may hold its data is full with {} pages still to be placed", self.pages)
    }
}

impl std::error::Error for MemoryFull {}
