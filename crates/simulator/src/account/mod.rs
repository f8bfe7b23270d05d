//! Accounts of time and counts, observers of a run, and its outcome.

pub(crate) mod books;
pub(crate) mod cause;
pub(crate) mod observer;
pub(crate) mod outcome;
pub(crate) mod parts;
pub(crate) mod totals;
pub(crate) mod watch;
