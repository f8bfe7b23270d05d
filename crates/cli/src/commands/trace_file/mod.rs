//! `numalab trace`: what is in a recording.

mod check;
mod dump;
mod import;
mod otf2_tools;
mod program;
mod show;

use crate::failure::Failure;
use crate::flags::{TraceFile, TraceStep};
use numalab_formats::Diagnostics;
use numalab_nlt::{NltError, Reader};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Shows, checks, dumps or imports one.
pub fn run(flags: &TraceFile) -> Result<(), Failure> {
    match &flags.step {
        TraceStep::Show(flags) => show::run(flags),
        TraceStep::Check(flags) => check::run(flags),
        TraceStep::Dump(flags) => dump::run(flags),
        TraceStep::Import(flags) => import::run(flags),
    }
}

/// The blocks of a file.
fn open(path: &Path) -> Result<Reader<BufReader<File>>, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, NltError::Io(error)))?;
    Reader::new(BufReader::new(file)).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: NltError) -> Failure {
    Diagnostics::plain(format!("{}: {error}", path.display()), "expected a file that `numalab record` wrote")
        .into()
}
