//! Programs of this computer as recordings.
//!
//! `recorder` carries a small C library, `compile` builds it with the user's compiler, `program` looks at what is to be
//! recorded, `run` starts it, `raw` reads what the library wrote, `sites` names its addresses,
//! `asking` finds who asked for memory, `variable` and `source` what for. [`record`] does all of it.
//!
//! What is recorded is work, not events: the time that each chunk and task takes *alone*. Threads pass a token round;
//! a thread takes it where it begins to work and gives it away where it waits. A team of the target's size thus runs
//! on any number of cores. At a lock the thread that has worked least since the last barrier is next, so a program
//! that distributes work under a lock gives every thread the same share as a parallel run does.
//!
//! Pages are watched in a run of their own (`tool/pages.c`): large allocations and static variables lie in shared
//! memory under write protection, which the kernel lifts silently. A scan of the page tables after each hand-over of
//! the token tells which pages were touched. Times of that run do not count. Data are named by symbols and by the
//! variable that the allocating call is assigned to, past wrappers of the allocator (`asking`).

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod asking;
mod compile;
mod convert;
mod error;
mod export;
mod program;
mod raw;
mod recorder;
mod run;
mod sites;
mod source;
mod variable;

pub use compile::Compiler;
pub use convert::{Round, Summary};
pub use error::RecordError;
pub use export::{ExportError, export};

use numalab_nlt::{Meta, Token, Writer};
use run::Purpose;
use std::io::Write;
use std::path::PathBuf;

/// Request for a recording: what is to be recorded, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Size of the team.
    pub threads: u32,
    /// Runs of the program.
    pub rounds: u32,
    /// Whether one thread works at a time, and after how many seconds a token that nobody passes is broken.
    pub token: Option<u32>,
    /// LLVM's OpenMP library, for programs that gcc built.
    pub libomp: Option<PathBuf>,
    /// Compiler of the recorder.
    pub compiler: Compiler,
    /// Pages to be watched, in a run of their own.
    pub pages: Watch,
}

/// Extent to which a recording says what pages are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// None are watched.
    Off,
    /// In so many instances of each region at first, then ever more seldom.
    First(u32),
    /// In all instances.
    All,
}

/// Runs a program and writes what it did into a file.
pub fn record<W: Write>(request: &Request, to: W) -> Result<Summary, RecordError> {
    let program = program::look(&request.command, request.libomp.as_deref())?;
    let folder = tempfile::Builder::new().prefix("numalab-record-").tempdir().map_err(RecordError::Folder)?;
    let library = request.compiler.compile(folder.path())?;
    let mut conversion = convert::Conversion::new(Writer::new(to)?, meta(request))?;
    let watching = u32::from(request.pages != Watch::Off);
    for round in 0..request.rounds + watching {
        let events = folder.path().join(format!("round-{round}"));
        std::fs::create_dir(&events).map_err(RecordError::Folder)?;
        let purpose = if round < request.rounds { Purpose::Costs } else { Purpose::Pages(request.pages) };
        let seconds = match run::run(request, &program, &library, &events, round, purpose) {
            // The program may not bear other memory than its own; its costs are known all the same.
            Err(error @ RecordError::Failed { .. }) if purpose != Purpose::Costs => {
                conversion.leave_unwatched(error.to_string());
                break;
            }
            ended => ended?,
        };
        let raw = run::only_file(&events)?;
        conversion.take(&raw, round, seconds)?;
        // A round of a large program is gigabytes.
        std::fs::remove_file(&raw).map_err(RecordError::Folder)?;
    }
    if let Some(team) = free_team(request) {
        let free = Request { token: None, threads: team, ..request.clone() };
        for round in 0..request.rounds {
            let events = folder.path().join(format!("free-{round}"));
            std::fs::create_dir(&events).map_err(RecordError::Folder)?;
            match run::run(&free, &program, &library, &events, round + 1, Purpose::Regions) {
                // It may not bear a team of that size.
                Err(RecordError::Failed { .. }) => break,
                ended => ended?,
            };
            let raw = run::only_file(&events)?;
            conversion.take_free(&raw, team)?;
            std::fs::remove_file(&raw).map_err(RecordError::Folder)?;
        }
    }
    conversion.finish()
}

/// Team that the computer's processors are enough for, where a token keeps others from working; none on a single one.
fn free_team(request: &Request) -> Option<u32> {
    let here = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let team = here.min(request.threads);
    (request.token.is_some() && team > 1).then_some(team)
}

/// Makes a recording of what the exported library wrote elsewhere: a folder for each run of the program.
pub fn convert<W: Write>(folders: &[PathBuf], request: &Request, to: W) -> Result<Summary, RecordError> {
    let meta = Meta { rounds: folders.len() as u32, ..meta(request) };
    let mut conversion = convert::Conversion::new(Writer::new(to)?, meta)?;
    for (round, folder) in (0..).zip(folders) {
        conversion.take(&run::only_file(folder)?, round, 0.0)?;
    }
    conversion.finish()
}

fn meta(request: &Request) -> Meta {
    Meta {
        command: request.command.clone(),
        threads: request.threads,
        rounds: request.rounds,
        token: if request.token.is_some() { Token::Passed } else { Token::Off },
        runtime: String::new(),
        free: None,
    }
}
