//! Files of recorded programs.
//!
//! `container` holds blocks of bytes, `columns` numbers in few bytes, `events` the steps of a program's threads, `meta` the
//! program itself, and `program` the exact work of a simulated run.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod columns;
mod container;
mod events;
mod meta;
pub mod program;

pub use container::{Block, Kind, MAGIC, MOST_PLAIN, NltError, Reader, Step, VERSION, Writer};
pub use events::{Event, EventBlock, MOST_EVENTS, Slots, What, ompt};
pub use meta::{Free, Meta, Site, Token};
