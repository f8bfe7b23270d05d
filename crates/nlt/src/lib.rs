//! Recorded programs (`.nlt` files).
//!
//! `container` holds blocks of bytes, `events` the actions of the program's threads, `meta` facts about the program
//! and how it was recorded. `program` is the exact work of a simulated run, and `columns` encodes lists of numbers.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod columns;
mod container;
mod events;
mod meta;
pub mod program;

pub use container::{Block, Kind, MAGIC, MOST_PLAIN, NltError, Reader, Step, VERSION, Writer};
pub use events::{Event, EventBlock, MOST_EVENTS, Slots, What, ompt};
pub use meta::{Free, Meta, RecorderCosts, Site, Token};
