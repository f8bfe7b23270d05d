//! Readers of other tools' traces, which become recordings.
//!
//! `grains` reads tables of chunks and tasks (`grain_data` the bytes that they touch), `otf2` the text of
//! `otf2-print`, `paraver` the traces of Paraver. `course` turns the steps of threads into events of a recording,
//! `places` gives the nodes of threads.

mod course;
mod grain_data;
mod grains;
mod otf2;
mod paraver;
mod places;

pub use grains::grains;
pub use otf2::{Class, Nested, Otf2, WRITER, otf2};
pub use paraver::paraver;
pub use places::{Places, places};

use numalab_replay::Recording;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use std::path::Path;

/// Largest input file in bytes.
const MOST_BYTES: u64 = 2 << 30;

/// Recording made of a trace, by the format of the trace.
#[derive(Clone, Debug)]
pub enum Imported {
    Grains(Recording),
    /// Output of `otf2-print`.
    Otf2(Box<Otf2>),
    Paraver(Recording),
}

impl Imported {
    /// Recording made of the trace.
    pub fn recording(&self) -> &Recording {
        match self {
            Imported::Grains(recording) | Imported::Paraver(recording) => recording,
            Imported::Otf2(otf2) => &otf2.recording,
        }
    }
}

/// Reads a trace of any supported tool. `event` is the type of Paraver's events that name regions.
pub fn trace(path: &Path, event: Option<u64>) -> Result<Imported, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "a trace of another tool")?;
    if source.text.starts_with("#Paraver") {
        return paraver(path, source, event).map(Imported::Paraver);
    }
    if source.text.trim_start().starts_with("=== OTF2-PRINT") {
        return otf2(source).map(|otf2| Imported::Otf2(Box::new(otf2)));
    }
    grains(source).map(Imported::Grains)
}

/// Wraps the output of `otf2-print -A` with a name for errors.
pub fn printed(archive: &Path, text: String) -> Source {
    Source { name: format!("otf2-print -A {}", archive.display()), text }
}
