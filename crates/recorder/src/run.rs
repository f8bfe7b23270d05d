//! Starts the program to be recorded, once per run.

use crate::compile::Tools;
use crate::error::RecordError;
use crate::program::Program;
use crate::{Request, Watch, Watcher};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// Time between two looks at whether the user stops the recording.
const LOOK: Duration = Duration::from_millis(100);
/// Looks between news of a run: 10 s.
const LOOKS_OF_NEWS: u32 = 100;
/// Looks after which a program that did not end when it was told to is killed.
const LOOKS: u32 = 5;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Records all events, for the costs of the program's work.
    Costs,
    /// Records the pages that the selected instances of regions touch.
    Pages(Watch),
    /// Records only the team's start and end times of regions, since recording an event takes as long as a short
    /// task.
    Regions,
}

impl Purpose {
    /// Name of a run in messages. `round`: its index.
    fn name(self, round: u32) -> String {
        match self {
            Purpose::Costs => format!("round {}", round + 1),
            Purpose::Pages(_) => "watching pages".to_owned(),
            Purpose::Regions => "without a token".to_owned(),
        }
    }
}

/// Builds the command of one run. `threads`: size of the team; `token`: seconds of patience, or 0.
fn command(
    program: &Program,
    words: &[String],
    (threads, token): (u32, u32),
    events: &Path,
    tools: &Tools,
) -> Command {
    let mut command = Command::new(&program.path);
    command
        .args(words)
        .env("OMP_TOOL", "enabled")
        .env("OMP_TOOL_LIBRARIES", &tools.recorder)
        .env("NUMALAB_RECORD", events)
        .env("NUMALAB_TOKEN", token.to_string())
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("OMP_DYNAMIC", "false")
        .env_remove("OMP_PROC_BIND")
        .env_remove("OMP_PLACES")
        .env_remove("OMP_THREAD_LIMIT")
        .env_remove("KMP_AFFINITY")
        .env_remove("NUMALAB_PAGES")
        .env_remove("NUMALAB_ONLY")
        .env_remove("NUMALAB_CLOCK")
        .env_remove("NUMALAB_LIMIT")
        .stdin(Stdio::null())
        // Signals reach the program and what it started through its own group.
        .process_group(0);
    // A thread that waits for the token must not take the processor from its holder. A team without the
    // token waits as in normal runs, since waking is part of a region's time.
    if token > 0 {
        command.env("KMP_BLOCKTIME", "0");
    }
    command
}

fn limit(command: &mut Command, bytes: Option<u64>) {
    if let Some(bytes) = bytes {
        command.env("NUMALAB_LIMIT", bytes.to_string());
    }
}

/// Sets the libraries that are loaded before all others.
fn preload(command: &mut Command, libraries: &[&Path]) {
    let mut all: Vec<OsString> = libraries.iter().map(|library| library.as_os_str().to_owned()).collect();
    all.extend(std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()));
    command.env("LD_PRELOAD", all.join(&OsString::from(":")));
}

/// End of a run.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    pub seconds: f64,
    pub status: ExitStatus,
}

/// Runs the program once with the recorder. `events`: folder for its output; `round`: index of the run.
///
/// The program's standard input is empty, so that all runs read the same. Only the first run's output is shown. It ends
/// early if the watcher stops it. A program that ends with a status of its own has run; one that a signal ended has not.
pub fn run(
    request: &Request,
    program: &Program,
    tools: &Tools,
    events: &Path,
    (round, purpose): (u32, Purpose),
    watcher: Watcher<'_>,
) -> Result<Ran, RecordError> {
    let name = request.command.first().map_or("", String::as_str);
    let words = request.command.get(1..).unwrap_or_default();
    let mut command = command(program, words, (request.threads, request.token.unwrap_or(0)), events, tools);
    let mut libraries: Vec<&Path> = vec![&tools.preload];
    match purpose {
        Purpose::Costs => limit(&mut command, request.limit),
        Purpose::Regions => {
            command.env("NUMALAB_ONLY", "regions");
            // The processor time of one thread is its time without other work on the computer.
            if request.threads == 1 {
                command.env("NUMALAB_CLOCK", "processor");
            }
        }
        Purpose::Pages(which) => {
            match which {
                Watch::Off => {}
                Watch::First(instances) => drop(command.env("NUMALAB_PAGES", instances.to_string())),
                Watch::All => drop(command.env("NUMALAB_PAGES", "all")),
            }
            // The recorder library is preloaded, so that the program's allocations call it.
            libraries.push(&tools.recorder);
            limit(&mut command, request.limit);
        }
    }
    libraries.extend(program.preload.as_deref());
    preload(&mut command, &libraries);
    if round > 0 {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    #[allow(clippy::disallowed_methods)]
    let start = Instant::now();
    let child = command
        .spawn()
        .map_err(|error| RecordError::NoProgram { name: name.to_owned(), reason: error.to_string() })?;
    let name_of_run = purpose.name(round);
    let status = end_of(child, &name_of_run, events, watcher).map_err(RecordError::Folder)?;
    let seconds = start.elapsed().as_secs_f64();
    if (watcher.stops)() {
        return Err(RecordError::Stopped);
    }
    match status.code() {
        Some(0) => Ok(Ran { seconds, status }),
        Some(_) if only_file(events).is_ok() => Ok(Ran { seconds, status }),
        _ => Err(RecordError::Failed { name: name.to_owned(), status }),
    }
}

/// Regions of each kind in the run of the null program, in members of all: a team of any size takes some tenths of a
/// second.
const NULL_MEMBERS: u32 = 4096;
const NULL_REGIONS: std::ops::RangeInclusive<u32> = 16..=256;

/// Runs the program whose constructs do nothing on the OpenMP library `runtime`, and returns what it printed; `None` if
/// that library cannot run it.
pub fn run_null(
    request: &Request,
    tools: &Tools,
    runtime: &Path,
    events: &Path,
    watcher: Watcher<'_>,
) -> Result<Option<String>, RecordError> {
    let Some(path) = &tools.null else { return Ok(None) };
    let program = Program { path: path.clone(), preload: Some(runtime.to_owned()) };
    let regions = (NULL_MEMBERS / request.threads.max(1)).clamp(*NULL_REGIONS.start(), *NULL_REGIONS.end());
    let words = [regions.to_string()];
    let mut command = command(&program, &words, (request.threads, request.token.unwrap_or(0)), events, tools);
    preload(&mut command, &[&tools.preload, runtime]);
    let printed = events.join("printed");
    let file = std::fs::File::create(&printed).map_err(RecordError::Folder)?;
    command.stdout(file).stderr(Stdio::null());
    let Ok(child) = command.spawn() else { return Ok(None) };
    let status = end_of(child, "measuring the recorder", events, watcher).map_err(RecordError::Folder)?;
    if (watcher.stops)() {
        return Err(RecordError::Stopped);
    }
    Ok(status.success().then(|| std::fs::read_to_string(&printed).ok()).flatten())
}

/// Waits for the end of a program, and tells of its progress. If the watcher stops it, its group is told to end, and is killed if it does not end soon.
fn end_of(mut child: Child, name: &str, events: &Path, watcher: Watcher<'_>) -> io::Result<ExitStatus> {
    let stops = watcher.stops;
    let mut looks = 0;
    for waited in 1u32.. {
        if let Some(status) = child.wait_timeout(LOOK)? {
            if stops() {
                // What the program has started may not have heard it.
                tell(&child, "KILL");
            }
            return Ok(status);
        }
        if !stops() {
            // At 10, 20, 40 s and so on.
            let tens = waited / LOOKS_OF_NEWS;
            if waited % LOOKS_OF_NEWS == 0 && tens.is_power_of_two() {
                let bytes =
                    only_file(events).ok().and_then(|file| file.metadata().ok()).map_or(0, |file| file.len());
                (watcher.tell)(&format!("{name}: {} s, {:.0} MB of events", 10 * tens, bytes as f64 / 1e6));
            }
            continue;
        }
        match looks {
            0 => tell(&child, "TERM"),
            LOOKS => {
                tell(&child, "KILL");
                child.kill()?;
                return child.wait();
            }
            _ => {}
        }
        looks += 1;
    }
    child.wait()
}

/// Sends a signal to all processes of a program's group.
fn tell(child: &Child, signal: &str) {
    let words = format!("kill -{signal} -{}", child.id());
    let _ = Command::new("sh").args(["-c", &words]).stdin(Stdio::null()).stderr(Stdio::null()).status();
}

/// The only file in a folder of events; an error if there are none or several.
pub fn only_file(folder: &Path) -> Result<PathBuf, RecordError> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(RecordError::Folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "raw"))
        .collect();
    files.sort();
    match &files[..] {
        [] => Err(RecordError::NoOmpt),
        [only] => Ok(only.clone()),
        several => Err(RecordError::Processes(several.len())),
    }
}
