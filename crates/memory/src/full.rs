//! Error of memory that is used up.

use std::fmt;

/// No node that may hold them has room for further pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFull {
    /// Pages that found no room.
    pub pages: u64,
}

impl fmt::Display for MemoryFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the memory that may hold its data is full with {} pages still to be placed", self.pages)
    }
}

impl std::error::Error for MemoryFull {}
