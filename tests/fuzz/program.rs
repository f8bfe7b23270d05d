//! Runs of the program itself, under limits of processor time, memory and the size of files, and what may come of them.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// Environment variable that makes this program behave as `numalab` does.
pub const AS_NUMALAB: &str = "NUMALAB_FUZZ_AS_NUMALAB";

/// Longest time of a run, in seconds of the processor.
pub const MOST_SECONDS: u64 = 10;

/// Longest time from start to end, which a run that waits for something would exceed.
const MOST_WAIT: Duration = Duration::from_secs(300);

/// Runs this program under limits, with its output in files. `seconds`: limit of processor time.
pub fn limited(command: &mut Command, seconds: u64, folder: &Path, name: &str) -> io::Result<Ended> {
    let (out, err) = (folder.join(format!("{name}.out")), folder.join(format!("{name}.err")));
    command
        .env("LIMIT_SECONDS", seconds.to_string())
        // Each arena reserves memory that counts.
        .env("MALLOC_ARENA_MAX", "2")
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?);
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE", "RAYON_NUM_THREADS"] {
        command.env_remove(name);
    }
    let mut child = command.spawn()?;
    let status = match child.wait_timeout(MOST_WAIT)? {
        Some(status) => Some(status),
        None => {
            child.kill()?;
            child.wait()?;
            None
        }
    };
    let read = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended { status, out: read(&out)?, err: read(&err)? })
}

/// Command that starts this program with these limits: 1 GiB of memory, files of 256 MiB.
pub fn shell() -> Command {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -c 0; ulimit -f 524288; ulimit -d 1048576; ulimit -t $LIMIT_SECONDS; exec \"$0\" \"$@\"",
    ]);
    command.arg(std::env::current_exe().expect("this program has a path"));
    command
}

/// A run that has ended.
pub struct Ended {
    /// `None` if it was ended after [`MOST_WAIT`].
    pub status: Option<ExitStatus>,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// Reason why the process was stopped from outside or stopped itself; `None` if it ended with a status.
    pub fn death(&self) -> Option<String> {
        let first: Vec<&str> = self.err.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
        let first = first.join(" ");
        match self.status {
            None => Some(format!("no end after {} s", MOST_WAIT.as_secs())),
            Some(status) => match (status.code(), status.signal()) {
                (Some(101), _) => Some(format!("a panic: {}", panic(&self.err))),
                (Some(_), _) => None,
                // SIGXCPU, and SIGKILL if a process ignores it.
                (None, Some(24 | 9)) => Some("too much processor time".to_owned()),
                (None, signal) => Some(format!("signal {}: {first}", signal.unwrap_or(0))),
            },
        }
    }
}

/// The line of a panic, and the next one, which may say why.
fn panic(text: &str) -> String {
    let from = text.lines().skip_while(|line| !line.contains("panicked") && !line.contains("this is a bug"));
    from.take(2).collect::<Vec<_>>().join(" ")
}

/// Outcome that the input of a run certainly has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Anything,
    /// A refusal: a status other than 0, and a message.
    Refusal,
    /// A refusal whose message has this text: the name of the file.
    RefusalOf(&'static str),
}

/// Runs `numalab` with these words in a folder. Returns true for status 0, or what is wrong.
pub fn numalab(words: &[String], folder: &Path, expected: Expected) -> Result<bool, String> {
    let mut command = shell();
    command.args(words).env(AS_NUMALAB, "1").current_dir(folder);
    // Outside of the folder, whose files are looked at.
    let outputs = tempfile::tempdir().expect("there is room for a file");
    let ended =
        limited(&mut command, MOST_SECONDS, outputs.path(), "numalab").map_err(|error| error.to_string())?;
    let not_finite = |word: &str| ["NaN", "inf"].contains(&word);
    let mut numbers = ended.out.split(|c: char| !c.is_alphanumeric());
    let wrong = ended.death().or_else(|| wrong(&ended, folder, expected)).or_else(|| {
        (ended.status.is_some_and(|status| status.success())
            && numbers.any(not_finite)
            && !mentioned(words, folder))
        .then(|| "status 0 with a number that is not finite".to_owned())
    });
    match wrong {
        None => Ok(ended.status.is_some_and(|status| status.success())),
        Some(wrong) => Err(format!("{wrong}\n    of numalab {}", joined(words))),
    }
}

/// True if the input names what is not finite: a name or a path may be such a word.
fn mentioned(words: &[String], folder: &Path) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let cases =
        files.map(|entry| entry.path()).filter(|path| path.file_stem().is_some_and(|stem| stem == "case"));
    let mut texts: Vec<String> = cases
        .filter_map(|path| fs::read(path).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    texts.extend(words.iter().cloned());
    texts.iter().any(|text| text.contains("inf") || text.to_lowercase().contains("nan"))
}

/// Words as a line of a shell.
pub fn joined(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| format!("{words:?}"))
}

fn wrong(ended: &Ended, folder: &Path, expected: Expected) -> Option<String> {
    let status = ended.status.and_then(|status| status.code()).unwrap_or(-1);
    if !matches!(status, 0..=2) {
        return Some(format!("status {status}"));
    }
    for text in [&ended.out, &ended.err] {
        if let Some(c) = text.chars().find(|c| *c != '\n' && !numalab_base::is_printable(*c)) {
            let line = text.lines().find(|line| line.contains(c)).unwrap_or_default();
            return Some(format!("a control character: {:?}", shortened(line)));
        }
    }
    if status == 2 && ended.err.is_empty() {
        return Some("status 2 without a message".to_owned());
    }
    let left = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    if let Some(left) =
        left.map(|name| name.to_string_lossy().into_owned()).find(|name| name.starts_with(".numalab"))
    {
        return Some(format!("{left} is left over"));
    }
    match expected {
        Expected::Anything => None,
        _ if status == 0 => Some("status 0 on nonsense".to_owned()),
        Expected::RefusalOf(name) if !ended.err.contains(name) && !ended.out.contains(name) => {
            Some(format!("a message without {name}: {}", shortened(&ended.err)))
        }
        Expected::Refusal | Expected::RefusalOf(_) => None,
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
