//! Starts the program to be recorded, once per run.

use crate::error::RecordError;
use crate::program::Program;
use crate::{Request, Watch};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// Time between two looks at whether the user stops the recording.
const LOOK: Duration = Duration::from_millis(200);
/// Looks after which a program that did not end by itself is killed. Ctrl-C reaches it, too.
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

/// Runs the program once with the recorder, and returns the seconds that it took. `library`: path of the recorder;
/// `events`: folder for its output; `round`: index of the run.
///
/// The program's standard input is empty, so that all runs read the same. Only the first run's output is shown. It ends
/// early if `stops`.
pub fn run(
    request: &Request,
    program: &Program,
    library: &Path,
    events: &Path,
    round: u32,
    purpose: Purpose,
    stops: &dyn Fn() -> bool,
) -> Result<f64, RecordError> {
    let name = request.command.first().map_or("", String::as_str);
    let mut command = Command::new(&program.path);
    command
        .args(request.command.iter().skip(1))
        .env("OMP_TOOL", "enabled")
        .env("OMP_TOOL_LIBRARIES", library)
        .env("NUMALAB_RECORD", events)
        .env("NUMALAB_TOKEN", request.token.unwrap_or(0).to_string())
        .env("OMP_NUM_THREADS", request.threads.to_string())
        .env("OMP_DYNAMIC", "false")
        .env_remove("OMP_PROC_BIND")
        .env_remove("OMP_PLACES")
        .env_remove("OMP_THREAD_LIMIT")
        .env_remove("KMP_AFFINITY")
        .stdin(Stdio::null());
    // A thread that waits for the token must not take the processor from its holder. A team without the
    // token waits as in normal runs, since waking is part of a region's time.
    if request.token.is_some() {
        command.env("KMP_BLOCKTIME", "0");
    }
    let mut preload: Vec<OsString> = Vec::new();
    command.env_remove("NUMALAB_PAGES").env_remove("NUMALAB_ONLY");
    match purpose {
        Purpose::Costs => {}
        Purpose::Regions => drop(command.env("NUMALAB_ONLY", "regions")),
        Purpose::Pages(which) => {
            match which {
                Watch::Off => {}
                Watch::First(instances) => drop(command.env("NUMALAB_PAGES", instances.to_string())),
                Watch::All => drop(command.env("NUMALAB_PAGES", "all")),
            }
            // The recorder library is preloaded, so that the program's allocations call it.
            preload.push(library.into());
        }
    }
    preload.extend(program.preload.iter().map(|libomp| libomp.clone().into_os_string()));
    if !preload.is_empty() {
        preload.extend(std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()));
        command.env("LD_PRELOAD", preload.join(&OsString::from(":")));
    }
    if round > 0 {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    #[allow(clippy::disallowed_methods)]
    let start = Instant::now();
    let child = command
        .spawn()
        .map_err(|error| RecordError::NoProgram { name: name.to_owned(), reason: error.to_string() })?;
    let status = end_of(child, stops).map_err(RecordError::Folder)?;
    let seconds = start.elapsed().as_secs_f64();
    if stops() {
        return Err(RecordError::Stopped);
    }
    if status.success() { Ok(seconds) } else { Err(RecordError::Failed { name: name.to_owned(), status }) }
}

/// Waits for the end of a program; kills it if `stops` and it does not end soon.
fn end_of(mut child: Child, stops: &dyn Fn() -> bool) -> io::Result<ExitStatus> {
    let mut looks = 0;
    loop {
        if let Some(status) = child.wait_timeout(LOOK)? {
            return Ok(status);
        }
        looks += u32::from(stops());
        if looks >= LOOKS {
            child.kill()?;
            return child.wait();
        }
    }
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
