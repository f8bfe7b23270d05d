//! Blocks in a file: kind, length, checksum, and a compressed payload.
//!
//! A file begins with `NLT` and 0x1a, then its version: two little-endian `u16`, the first one larger where older readers
//! would misunderstand it. A block is its kind (a byte), the length of its payload (`u32`), the CRC-32C of kind, length and
//! payload (`u32`), and the payload: the length of the plain bytes (`u32`), then these as a Zstandard frame. Blocks are
//! independent and are only ever appended, so that a writer that dies leaves at most one torn block at the end.

mod read;
mod write;

pub use read::{Block, Reader, Step};
pub use write::Writer;

use std::fmt;
use std::io;

/// First bytes of a file.
pub const MAGIC: [u8; 4] = *b"NLT\x1a";
/// Version that is written; of files with a larger first number nothing is read.
pub const VERSION: (u16, u16) = (1, 0);
/// Most plain bytes of a block. A damaged or hostile length costs no more memory than that.
pub const MOST_PLAIN: usize = 32 << 20;
/// Most bytes of a payload: what does not shrink grows a little.
const MOST_PAYLOAD: usize = MOST_PLAIN + (MOST_PLAIN >> 7) + 1024;
/// Bytes before a payload.
const HEAD: usize = 9;
/// Set in kinds that a reader may skip when it does not know them.
pub const OPTIONAL: u8 = 0x80;

/// Kinds of block.
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
    /// Order of the classes' instances, as JSON.
    Order = 5,
    /// A part of the exact program of a simulated run.
    Program = 8,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] =
        [Kind::Meta, Kind::Sites, Kind::Events, Kind::Class, Kind::Order, Kind::Program];

    /// The kind with this number.
    pub fn of(number: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Meta => "meta",
            Kind::Sites => "sites",
            Kind::Events => "events",
            Kind::Class => "class",
            Kind::Order => "order",
            Kind::Program => "program",
        }
    }
}

/// Why a file cannot be read.
#[derive(Debug)]
pub enum NltError {
    /// The system said no.
    Io(io::Error),
    /// The first bytes are not those of a recorded program.
    NotATrace,
    /// A later version wrote it.
    Later(u16, u16),
    /// A block that has to be understood is of a kind that is not known.
    UnknownKind {
        /// Its number.
        kind: u8,
        /// Byte at which the block begins.
        at: u64,
    },
    /// The program of a simulated run is not there as a whole, or cannot run.
    Program(String),
    /// The content of a block is not what its kind has.
    Content {
        /// Byte at which the block begins.
        at: u64,
        /// The mistake in it.
        problem: String,
    },
}

impl fmt::Display for NltError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NltError::Io(error) => error.fmt(f),
            NltError::NotATrace => f.write_str("it is no recorded program: it does not begin with NLT"),
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

/// Checksum of a block.
fn checksum(kind: u8, payload: &[u8]) -> u32 {
    let mut head = [kind, 0, 0, 0, 0];
    head[1..].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c(&head), payload)
}
