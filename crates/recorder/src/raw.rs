//! Output of the recorder: blocks of events of one thread, and texts.

use numalab_nlt::{Event, Slots, What};
use std::io::{self, BufReader, Read};

const MAGIC: u32 = 0x3152_4c4e;
const TEXT: u32 = u32::MAX;
/// Bit of an event's context-switch count that is set if the system was queried for the count at this event.
const ASKED: u32 = 1 << 31;
/// Size of an event in bytes.
const EVENT: usize = 40;
/// Largest size of a block in bytes; a longer block is invalid.
const MOST_BYTES: u64 = 64 << 20;

#[derive(Debug)]
pub enum RawBlock {
    /// Number of a thread, and events of this thread.
    Events(u32, Vec<Event>),
    /// A text; its first line is its name.
    Text(String),
}

/// Reads the blocks of a file.
#[derive(Debug)]
pub struct RawReader<R> {
    from: BufReader<R>,
}

impl<R: Read> RawReader<R> {
    pub fn new(from: R) -> RawReader<R> {
        RawReader { from: BufReader::with_capacity(1 << 18, from) }
    }

    /// The next block; `None` at the end, and at an incomplete block.
    pub fn block(&mut self) -> Result<Option<RawBlock>, String> {
        let mut head = [0; 16];
        if !self.fill(&mut head)? {
            return Ok(None);
        }
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let length = u64::from(word(8)) | u64::from(word(12)) << 32;
        if word(0) != MAGIC || length > MOST_BYTES {
            return Err("it is not a file of the recorder".to_owned());
        }
        let mut bytes = vec![0; length as usize];
        if !self.fill(&mut bytes)? {
            return Ok(None);
        }
        if word(4) == TEXT {
            return Ok(Some(RawBlock::Text(String::from_utf8_lossy(&bytes).into_owned())));
        }
        let events = bytes.chunks_exact(EVENT).map(event).collect::<Option<Vec<Event>>>();
        match events {
            Some(events) => Ok(Some(RawBlock::Events(word(4), events))),
            None => Err("it has an event of a kind that this program does not know".to_owned()),
        }
    }

    /// Fills `bytes` from the input; false if the input ends before.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, String> {
        match self.from.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn event(bytes: &[u8]) -> Option<Event> {
    let long = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    let switches = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?);
    let slots = Slots { detail: *bytes.get(9)?, a: long(16)?, b: long(24)?, c: long(32)? };
    Some(Event {
        time: long(0)?,
        switches: switches & !ASKED,
        asked: switches & ASKED != 0,
        what: What::of(*bytes.get(8)?, slots)?,
    })
}
