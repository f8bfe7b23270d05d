//! Records programs that run on this computer.
//!
//! `recorder` carries a small C library, `compile` builds it with the user's compiler, `program`
//! inspects the program to be recorded, `run` starts it, `raw` reads the library's output, and
//! `sites` names its addresses. `asking` finds the calls that allocate memory, `variable` and
//! `source` their variables. [`record`] does all of this.

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
use numalab_syntax::scratch;
use run::Purpose;
use std::io::Write;
use std::path::PathBuf;

/// Request for a recording: the program to run, and how to record it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The program and its arguments.
    pub command: Vec<String>,
    pub threads: u32,
    /// Number of runs of the program.
    pub rounds: u32,
    /// Seconds without progress after which the token is abandoned. Only the thread that holds the token works.
    /// `None`: no token, all threads work at once.
    pub token: Option<u32>,
    /// Path of LLVM's OpenMP library, which replaces that of gcc; `None` to search for it.
    pub libomp: Option<PathBuf>,
    pub compiler: Compiler,
    /// Instances of regions in which touched pages are recorded, in an additional run.
    pub pages: Watch,
}

/// Instances of regions in which touched pages are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    Off,
    /// The first instances of each region, as many as given, and later instances ever more rarely.
    First(u32),
    All,
}

/// Runs a program and writes its recording; ends early if `stops`.
pub fn record<W: Write>(request: &Request, to: W, stops: &dyn Fn() -> bool) -> Result<Summary, RecordError> {
    let program = program::look(&request.command, request.libomp.as_deref())?;
    let folder = scratch::folder(&std::env::temp_dir()).map_err(RecordError::Folder)?;
    let library = request.compiler.compile(folder.path())?;
    let mut conversion = convert::Conversion::new(Writer::new(to)?, meta(request))?;
    let watching = u32::from(request.pages != Watch::Off);
    for round in 0..request.rounds + watching {
        let events = folder.path().join(format!("round-{round}"));
        std::fs::create_dir(&events).map_err(RecordError::Folder)?;
        let purpose = if round < request.rounds { Purpose::Costs } else { Purpose::Pages(request.pages) };
        let seconds = match run::run(request, &program, &library, &events, round, purpose, stops) {
            // To watch pages, the recorder makes the program's memory shared, so that the program may fail; the costs
            // of its work are known from the runs before.
            Err(error @ RecordError::Failed { .. }) if purpose != Purpose::Costs => {
                conversion.leave_unwatched(error.to_string());
                break;
            }
            ended => ended?,
        };
        let raw = run::only_file(&events)?;
        conversion.take(&raw, round, seconds)?;
        // The events of a large program are gigabytes.
        std::fs::remove_file(&raw).map_err(RecordError::Folder)?;
    }
    if let Some(team) = free_team(request) {
        let free = Request { token: None, threads: team, ..request.clone() };
        for round in 0..request.rounds {
            let events = folder.path().join(format!("free-{round}"));
            std::fs::create_dir(&events).map_err(RecordError::Folder)?;
            match run::run(&free, &program, &library, &events, round + 1, Purpose::Regions, stops) {
                // The program may fail with another team size.
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

/// Team size that fits the computer's processors, for runs without the token. `None` if no token is
/// used, or on a single processor.
fn free_team(request: &Request) -> Option<u32> {
    let here = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let team = here.min(request.threads);
    (request.token.is_some() && team > 1).then_some(team)
}

/// Converts output that the exported library wrote elsewhere, with one folder per run.
pub fn convert<W: Write>(folders: &[PathBuf], request: &Request, to: W) -> Result<Summary, RecordError> {
    let meta = Meta { rounds: folders.len() as u32, ..meta(request) };
    let mut conversion = convert::Conversion::new(Writer::new(to)?, meta)?;
    for (round, folder) in (0..).zip(folders) {
        let file = run::only_file(folder).map_err(elsewhere(folder.clone()))?;
        conversion.take(&file, round, 0.0).map_err(elsewhere(folder.clone()))?;
    }
    let all = numalab_syntax::streams::names(folders);
    conversion.finish().map_err(elsewhere(all.into()))
}

/// Names the folder of events that cannot be converted.
fn elsewhere(folder: PathBuf) -> impl FnOnce(RecordError) -> RecordError {
    |error| {
        if matches!(error, RecordError::Write(_)) {
            return error;
        }
        RecordError::Elsewhere { folder, error: Box::new(error) }
    }
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
