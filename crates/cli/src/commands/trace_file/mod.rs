//! `numalab trace`: inspects recordings.

mod check;
mod dump;
mod import;
mod otf2_tools;
mod program;
mod show;

use crate::failure::Failure;
use crate::flags::{TraceFile, TraceStep};
use numalab_nlt::{NltError, Reader};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::files_read;
use numalab_syntax::streams::{self, Seekable};
use numalab_syntax::text_file::STANDARD_INPUT;
use std::path::Path;

pub fn run(flags: &TraceFile) -> Result<(), Failure> {
    match &flags.step {
        TraceStep::Show(flags) => show::run(flags),
        TraceStep::Check(flags) => check::run(flags),
        TraceStep::Dump(flags) => dump::run(flags),
        TraceStep::Import(flags) => import::run(flags),
    }
}

/// Opens a recording to read its blocks one by one.
fn open(path: &Path) -> Result<Reader<Box<dyn Seekable>>, Failure> {
    files_read::note(if path.as_os_str() == STANDARD_INPUT { Path::new("/dev/stdin") } else { path });
    let bytes = streams::seekable(path).map_err(|problem| refused(path, &problem))?;
    Reader::new(bytes).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: NltError) -> Failure {
    refused(path, &error.to_string())
}

fn refused(path: &Path, problem: &str) -> Failure {
    let message = format!("{}: {problem}", streams::name(path));
    Diagnostics::plain(message, "expected a file that `numalab record` wrote").into()
}
