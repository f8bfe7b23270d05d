//! Event queue, random streams, and the fluid (max-min) solver. Knows nothing of NUMA.

// Glossary: resource: Anything with a capacity that flows share: a memory controller, one direction of a
//   link, the requests of a node controller.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod event_queue;
pub mod fluid;
mod streams;

pub use event_queue::EventQueue;
pub use streams::{Domain, Stream, Streams};
