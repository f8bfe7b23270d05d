//! Lines, the ways to ask for them, and the count of requests.

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

impl LineId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An agent's wish for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A copy.
    Read,
    /// The only copy: stores and atomics.
    Own,
}

/// The requests so far, by the scope that answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Served by the core's own copy: no transaction.
    pub hits: u64,
    /// Answered by the last-level cache that the core shares, or below it.
    pub cache: u64,
    /// Answered inside the snoop domain (board, or machine without node controllers).
    pub domain: u64,
    /// Went through a node controller.
    pub machine: u64,
}

impl Counts {
    /// Requests that needed somebody else.
    pub fn transactions(&self) -> u64 {
        self.cache + self.domain + self.machine
    }
}
