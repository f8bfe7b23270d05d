//! Reads blocks from a file that may be damaged, cut or of another kind.

use super::{HEAD, Kind, MAGIC, MOST_PAYLOAD, MOST_PLAIN, NltError, OPTIONAL, VERSION, checksum};
use ruzstd::decoding::StreamingDecoder;
use std::io::{self, Read};

/// A block with a correct checksum.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    pub kind: Kind,
    /// Uncompressed bytes.
    pub plain: Vec<u8>,
    /// Byte of the file at which the block begins.
    pub at: u64,
    /// Bytes of the file that the block takes.
    pub length: u64,
}

impl Block {
    /// Makes an error about the block's contents.
    pub fn wrong(&self, problem: impl Into<String>) -> NltError {
        NltError::Content { at: self.at, problem: problem.into() }
    }
}

/// Result of reading the next block of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    Block(Block),
    /// An optional block of this unknown kind, which is skipped.
    Skipped(u8),
    /// A block with a wrong checksum; reading goes on after this block.
    Damaged {
        /// Byte of the file at which the damaged block begins.
        at: u64,
    },
    /// The file ends within a block, since its writer died.
    Torn {
        /// Byte of the file at which the incomplete block begins.
        at: u64,
        /// Number of bytes of the incomplete block that are present.
        bytes: u64,
    },
}

#[derive(Debug)]
pub struct Reader<R: Read> {
    from: R,
    at: u64,
    over: bool,
}

impl<R: Read> Reader<R> {
    /// Checks the first bytes of the file.
    pub fn new(mut from: R) -> Result<Reader<R>, NltError> {
        let mut start = [0; 8];
        if fill(&mut from, &mut start)? < start.len() || start[..4] != MAGIC {
            return Err(NltError::NotATrace);
        }
        let number = |at: usize| u16::from_le_bytes([start[at], start[at + 1]]);
        if number(4) != VERSION.0 {
            return Err(NltError::Later(number(4), number(6)));
        }
        Ok(Reader { from, at: 8, over: false })
    }

    /// Reads the next block; `None` at the end of the file.
    pub fn step(&mut self) -> Result<Option<Step>, NltError> {
        self.next_step(None)
    }

    /// Reads the next block like `step`. A block of the kind `kind` is only checked: its plain bytes are empty.
    pub fn step_past(&mut self, kind: Kind) -> Result<Option<Step>, NltError> {
        self.next_step(Some(kind))
    }

    fn next_step(&mut self, past: Option<Kind>) -> Result<Option<Step>, NltError> {
        if self.over {
            return Ok(None);
        }
        let mut head = [0; HEAD];
        let at = self.at;
        let got = fill(&mut self.from, &mut head)?;
        if got < HEAD {
            self.over = true;
            return Ok((got > 0).then_some(Step::Torn { at, bytes: got as u64 }));
        }
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (kind, length, sum) = (head[0], word(1) as usize, word(5));
        if length > MOST_PAYLOAD {
            // The start of the next block is unknown.
            self.over = true;
            return Ok(Some(Step::Damaged { at }));
        }
        let mut payload = Vec::new();
        let got = (&mut self.from).take(length as u64).read_to_end(&mut payload)?;
        if got < length {
            self.over = true;
            return Ok(Some(Step::Torn { at, bytes: (HEAD + got) as u64 }));
        }
        self.at += (HEAD + length) as u64;
        if checksum(kind, &payload) != sum {
            return Ok(Some(Step::Damaged { at }));
        }
        let Some(known) = Kind::of(kind) else {
            return if kind & OPTIONAL != 0 {
                Ok(Some(Step::Skipped(kind)))
            } else {
                Err(NltError::UnknownKind { kind, at })
            };
        };
        let plain = if past == Some(known) { Some(Vec::new()) } else { plain_of(&payload) };
        let step = match plain {
            Some(plain) => Step::Block(Block { kind: known, plain, at, length: (HEAD + length) as u64 }),
            None => Step::Damaged { at },
        };
        Ok(Some(step))
    }
}

/// Reads until `bytes` is full or the input ends. Returns the number of bytes read.
fn fill(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut used = 0;
    while used < bytes.len() {
        match from.read(&mut bytes[used..]) {
            Ok(0) => break,
            Ok(got) => used += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(used)
}

/// The plain bytes of a payload; `None` if the frame is broken, or if the number of bytes differs from the stored
/// one.
fn plain_of(payload: &[u8]) -> Option<Vec<u8>> {
    let (length, frame) = payload.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MOST_PLAIN {
        return None;
    }
    let mut plain = Vec::new();
    let decoder = StreamingDecoder::new(frame).ok()?;
    // One byte beyond the stored length detects a longer frame.
    decoder.take(length as u64 + 1).read_to_end(&mut plain).ok()?;
    (plain.len() == length).then_some(plain)
}
