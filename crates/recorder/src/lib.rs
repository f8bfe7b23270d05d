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
use std::path::{Path, PathBuf};

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
    /// Bytes of events of a run after which the recording ends with the outermost region; `None` for no limit.
    pub limit: Option<u64>,
}

/// Surroundings of a recording.
#[derive(Clone, Copy)]
pub struct Watcher<'w> {
    /// True if the recording is to end.
    pub stops: &'w dyn Fn() -> bool,
    /// Hears of the progress of long runs.
    pub tell: &'w dyn Fn(&str),
}

/// Instances of regions in which touched pages are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    Off,
    /// The first instances of each region, as many as given, and later instances ever more rarely.
    First(u32),
    All,
}

/// Runs a program and writes its recording; ends early if the watcher stops it.
pub fn record<W: Write>(request: &Request, to: W, watcher: Watcher<'_>) -> Result<Summary, RecordError> {
    let program = program::look(&request.command, request.libomp.as_deref())?;
    let folder = scratch::folder(&std::env::temp_dir()).map_err(RecordError::Folder)?;
    let tools = request.compiler.compile(folder.path())?;
    let runs = Runs { request, program: &program, tools: &tools, folder: folder.path(), watcher };
    let mut conversion = convert::Conversion::new(Writer::new(to)?, meta(request))?;
    let watching = u32::from(request.pages != Watch::Off);
    for round in 0..request.rounds + watching {
        let purpose = if round < request.rounds { Purpose::Costs } else { Purpose::Pages(request.pages) };
        let events = runs.events("round", round)?;
        let ran = match run::run(request, &program, &tools, &events, (round, purpose), watcher) {
            // To watch pages, the recorder makes the program's memory shared, so that the program may fail; the costs
            // of its work are known from the runs before.
            Err(error @ RecordError::Failed { .. }) if purpose != Purpose::Costs => {
                conversion.leave_unwatched(error.to_string());
                break;
            }
            ended => ended?,
        };
        let raw = run::only_file(&events)?;
        conversion.take(&raw, round, ran.seconds)?;
        conversion.ended(ran.status.code());
        // The events of a large program are gigabytes.
        std::fs::remove_file(&raw).map_err(RecordError::Folder)?;
        if purpose == Purpose::Costs && request.token.is_some() {
            runs.null(&mut conversion, round)?;
        }
    }
    if request.token.is_some() {
        runs.free(&mut conversion, 1)?;
    }
    if let Some(team) = free_team(request) {
        runs.free(&mut conversion, team)?;
    }
    conversion.finish()
}

/// Runs of a program beside those that are recorded.
struct Runs<'r> {
    request: &'r Request,
    program: &'r program::Program,
    tools: &'r compile::Tools,
    folder: &'r Path,
    watcher: Watcher<'r>,
}

impl Runs<'_> {
    fn events(&self, name: &str, round: u32) -> Result<PathBuf, RecordError> {
        let events = self.folder.join(format!("{name}-{round}"));
        std::fs::create_dir(&events).map_err(RecordError::Folder)?;
        Ok(events)
    }

    /// Measures the costs of the recorder with a program whose constructs do nothing.
    fn null<W: Write>(&self, conversion: &mut convert::Conversion<W>, round: u32) -> Result<(), RecordError> {
        let Some(runtime) = conversion.runtime() else { return Ok(()) };
        let events = self.events("null", round)?;
        let printed = run::run_null(self.request, self.tools, &runtime, &events, self.watcher)?;
        if let Some(printed) = printed
            && let Ok(raw) = run::only_file(&events)
        {
            conversion.take_null(&raw, round, &printed)?;
        }
        std::fs::remove_dir_all(&events).map_err(RecordError::Folder)
    }

    /// Runs the program with a team that works all at once, for the times of its regions.
    fn free<W: Write>(&self, conversion: &mut convert::Conversion<W>, team: u32) -> Result<(), RecordError> {
        let free = Request { token: None, threads: team, ..self.request.clone() };
        for round in 0..self.request.rounds {
            let events = self.events(&format!("free-{team}"), round)?;
            let how = (round + 1, Purpose::Regions);
            match run::run(&free, self.program, self.tools, &events, how, self.watcher) {
                // The program may fail with another team size.
                Err(RecordError::Failed { .. }) => break,
                ended => ended?,
            };
            let raw = run::only_file(&events)?;
            conversion.take_free(&raw, team)?;
            std::fs::remove_file(&raw).map_err(RecordError::Folder)?;
        }
        Ok(())
    }
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
        ..Meta::default()
    }
}
