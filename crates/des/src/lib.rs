//! Event queue, random streams, and the fluid (max-min) solver. Knows nothing of NUMA.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod fluid;
mod queue;
mod streams;

pub use queue::IndexedQueue;
pub use streams::{Domain, Stream, Streams};
