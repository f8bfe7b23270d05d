//! Lines, kinds of access, and counts of requests.

/// Cache line, numbered from 0 in the order of [`Lines::add_line`](super::Lines::add_line).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

impl LineId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Shared copy, for loads.
    Read,
    /// Exclusive copy, for stores and atomics.
    Own,
}

/// Counts of requests, by the scope that answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests that the core's own copy answered, which are no transactions.
    pub hits: u64,
    /// Requests answered by the core's last-level cache or inside the core's group.
    pub cache: u64,
    /// Requests answered inside the snoop domain (board, or machine without node controllers).
    pub domain: u64,
    /// Requests that passed a node controller.
    pub machine: u64,
}

impl Counts {
    /// Requests that the core's own copy could not answer.
    pub fn transactions(&self) -> u64 {
        self.cache + self.domain + self.machine
    }
}
