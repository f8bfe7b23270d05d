//! Recorded programs.
//!
//! `container` holds blocks of bytes, `events` what the threads of a program did, and `work` what follows from it: the
//! classes of work that a replay is made of. `program` is the exact work of a simulated run. [`Recording::read`] goes through a file once.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod columns;
mod container;
mod events;
mod meta;
mod program;
mod recording;
pub mod work;

pub use container::{Block, Kind, MAGIC, MOST_PLAIN, NltError, Reader, Step, VERSION, Writer};
pub use events::{Event, EventBlock, MOST_EVENTS, Slots, What, ompt};
pub use meta::{Free, Meta, Site, Token};
pub use recording::{Gap, Recording};
