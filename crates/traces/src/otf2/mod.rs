//! OTF2 archives, from the text of `otf2-print -A`.
//!
//! `definitions` and `text` read the lines. `nest` leaves the regions of suspended tasks and enters them again, so
//! that the open regions of a thread always form a stack. `replay` makes a recording.

mod definitions;
mod nest;
mod replay;
mod text;

use nest::nest;
pub use nest::{Class, Nested};

use super::places::Places;
use definitions::Definitions;
use numalab_replay::Recording;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use std::io::{self, Write};

/// Python program that reads a nested archive from its standard input and writes it into a folder, its argument.
pub const WRITER: &str = include_str!("write.py");

#[derive(Clone, Debug)]
pub struct Otf2 {
    /// Recording made of the archive.
    pub recording: Recording,
    definitions: Definitions,
    events: Vec<Event>,
    source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    /// Byte offset of the event's line in the text.
    at: usize,
    /// Time in ticks of the archive's clock.
    time: u64,
    /// Number of the thread, from 0.
    thread: u32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Enter(u32),
    Leave(u32),
    Fork(u32),
    Join,
    TeamBegin(u64),
    TeamEnd,
    Create(u32),
    /// The thread goes on with another task; `None` for the thread's implicit task.
    Switch(Option<u32>),
    Complete(u32),
}

/// Reads the output of `otf2-print -A`.
pub fn otf2(source: Source) -> Result<Otf2, Diagnostics> {
    let (definitions, events) = match text::read(&source.text) {
        Ok(read) => read,
        Err(errors) => return Err(Diagnostics::new(vec![source], errors)),
    };
    // The replay relies on regions that nest.
    if let Err(error) = nest(&definitions, &events, &Places::default(), &source.text) {
        return Err(Diagnostics::new(vec![source], vec![error]));
    }
    let recording = replay::recording(&definitions, &events, &source.name);
    Ok(Otf2 { recording, definitions, events, source })
}

impl Otf2 {
    /// Ticks of the archive's clock per second.
    pub fn ticks_per_second(&self) -> u64 {
        self.definitions.ticks_per_second
    }

    /// Makes all regions nest, with tasks classed by the distance from their creators.
    pub fn nested(&self, places: &Places) -> Result<Nested, Diagnostics> {
        nest(&self.definitions, &self.events, places, &self.source.text)
            .map_err(|error| Diagnostics::new(vec![self.source.clone()], vec![error]))
    }

    /// Writes a nested archive as input of [`WRITER`].
    pub fn write(&self, nested: &Nested, places: &Places, to: &mut dyn Write) -> io::Result<()> {
        nest::write(&self.definitions, nested, places, to)
    }
}
