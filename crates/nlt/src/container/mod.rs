//! The file container: blocks with kind, length, checksum and a compressed payload.
//!
//! A file begins with `NLT` and 0x1a, then its version: two little-endian `u16`, major and minor.
//! Older readers must refuse a larger major number. A block is its kind (a byte), the length of its
//! payload (`u32`), the CRC-32C of kind, length and payload (`u32`), and the payload: the length of
//! the plain bytes (`u32`), then a Zstandard frame. Blocks are independent and are only ever
//! appended, so a writer that dies leaves at most one incomplete block at the end.

mod read;
mod write;

pub use read::{Block, Reader, Step};
pub use write::Writer;

use std::fmt;
use std::io;

/// First bytes of a file.
pub const MAGIC: [u8; 4] = *b"NLT\x1a";
/// Version that is written; files with another major number are refused.
pub const VERSION: (u16, u16) = (1, 0);
/// Upper limit of the plain bytes of a block, which bounds the memory for a damaged or hostile
/// length.
pub const MOST_PLAIN: usize = 32 << 20;
/// Upper limit of a payload: incompressible data grows a little.
const MOST_PAYLOAD: usize = MOST_PLAIN + (MOST_PLAIN >> 7) + 1024;
/// Bytes of a block before its payload.
const HEAD: usize = 9;
/// Bit in a block's kind: set if readers that do not know the kind may skip the block.
pub const OPTIONAL: u8 = 0x80;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The program and how it was recorded, as JSON.
    Meta = 1,
    /// Names of places in the program, as JSON.
    Sites = 2,
    /// Events of one thread.
    Events = 3,
    /// One class of work.
    Class = 4,
    /// Order of the instances of classes, as JSON.
    Order = 5,
    /// Large allocations of the program, as JSON.
    Allocations = 6,
    /// A part of the exact program of a simulated run.
    Program = 8,
}

impl Kind {
    pub const ALL: [Kind; 7] =
        [Kind::Meta, Kind::Sites, Kind::Events, Kind::Class, Kind::Order, Kind::Allocations, Kind::Program];

    pub fn of(number: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Meta => "meta",
            Kind::Sites => "sites",
            Kind::Events => "events",
            Kind::Class => "class",
            Kind::Order => "order",
            Kind::Allocations => "allocations",
            Kind::Program => "program",
        }
    }
}

#[derive(Debug)]
pub enum NltError {
    Io(io::Error),
    /// The first bytes are not those of a recorded program.
    NotATrace,
    /// A later version wrote the file: major and minor number.
    Later(u16, u16),
    /// A mandatory block has an unknown kind.
    UnknownKind {
        kind: u8,
        /// Byte of the file at which the block begins.
        at: u64,
    },
    /// The program of a simulated run is incomplete or cannot run.
    Program(String),
    /// The contents of the block do not match the block's kind.
    Content {
        /// Byte of the file at which the block begins.
        at: u64,
        problem: String,
    },
}

impl fmt::Display for NltError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NltError::Io(error) => error.fmt(f),
            NltError::NotATrace => f.write_str("it is not a recorded program: it does not begin with NLT"),
            NltError::Later(major, minor) => {
                write!(f, "it has version {major}.{minor}, and this program reads up to {}.x", VERSION.0)
            }
            NltError::UnknownKind { kind, at } => {
                write!(f, "the block at byte {at} is of kind {kind}, which only later versions know")
            }
            NltError::Program(problem) => f.write_str(problem),
            NltError::Content { at, problem } => write!(f, "the block at byte {at}: {problem}"),
        }
    }
}

impl std::error::Error for NltError {}

impl From<io::Error> for NltError {
    fn from(error: io::Error) -> NltError {
        NltError::Io(error)
    }
}

fn checksum(kind: u8, payload: &[u8]) -> u32 {
    let mut head = [kind, 0, 0, 0, 0];
    head[1..].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c(&head), payload)
}
