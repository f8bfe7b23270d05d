//! OTF2 archives by what `otf2-print -A` prints of them.
//!
//! `definitions` and `text` read the lines, `nest` has suspended tasks left and entered again, so that what is open on a thread
//! is a stack at all times, and `replay` makes a recording of it.

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

/// Program for Python that writes a nested archive from its standard input into the folder that it is given.
pub const WRITER: &str = include_str!("write.py");

/// An archive.
#[derive(Clone, Debug)]
pub struct Otf2 {
    /// The same as a recording.
    pub recording: Recording,
    definitions: Definitions,
    events: Vec<Event>,
    source: String,
}

/// An event of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    /// Byte of the text at which its line begins.
    at: usize,
    /// Ticks of the archive's clock.
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
    /// To a task, or to the thread's own.
    Switch(Option<u32>),
    Complete(u32),
}

/// Reads what `otf2-print -A` printed.
pub fn otf2(source: Source) -> Result<Otf2, Diagnostics> {
    let (definitions, events) = match text::read(&source.text) {
        Ok(read) => read,
        Err(errors) => return Err(Diagnostics::new(vec![source], errors)),
    };
    // Whatever follows goes through stacks that are known to be in order.
    if let Err(error) = nest(&definitions, &events, &Places::default(), &source.text) {
        return Err(Diagnostics::new(vec![source], vec![error]));
    }
    let recording = replay::recording(&definitions, &events, &source.name);
    Ok(Otf2 { recording, definitions, events, source: source.text })
}

impl Otf2 {
    /// Ticks of its clock in a second.
    pub fn ticks_per_second(&self) -> u64 {
        self.definitions.ticks_per_second
    }

    /// The archive with tasks left where they are suspended, and classed by how far from its creator each runs.
    pub fn nested(&self, places: &Places) -> Result<Nested, Diagnostics> {
        nest(&self.definitions, &self.events, places, &self.source).map_err(|error| {
            let source = Source { name: "the archive".to_owned(), text: self.source.clone() };
            Diagnostics::new(vec![source], vec![error])
        })
    }

    /// Writes a nested archive as [`WRITER`] reads it.
    pub fn write(&self, nested: &Nested, places: &Places, to: &mut dyn Write) -> io::Result<()> {
        nest::write(&self.definitions, nested, places, to)
    }
}
