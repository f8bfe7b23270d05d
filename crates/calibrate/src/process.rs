//! Runs a program to its end, or kills it after a time limit.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// Output of a program that ended, and how the program ended.
pub(crate) struct Ended {
    pub out: String,
    pub err: String,
    pub how: How,
}

/// Way in which a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// The program ended with status 0.
    Well,
    /// The program ended with another status; `None` if the system gives neither status nor signal.
    Badly(Option<i32>),
    /// The program was ended by the signal of this number.
    Signal(i32),
    /// The program still ran after this time, and was killed.
    Never(Duration),
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Well => write!(f, "exit status 0"),
            How::Badly(Some(status)) => write!(f, "exit status {status}"),
            How::Badly(None) => write!(f, "ended early"),
            How::Signal(signal) => write!(f, "ended by signal {signal}"),
            How::Never(limit) => write!(f, "not over after {:.0} s", limit.as_secs_f64()),
        }
    }
}

/// Runs a program. The program writes its output into files, so that no pipe fills and no reader wakes up during a
/// measurement.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Ended> {
    let (mut out, mut err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(err.try_clone()?);
    let mut child = command.spawn()?;
    let how = match child.wait_timeout(limit)? {
        Some(status) => how(status),
        None => {
            child.kill()?;
            child.wait()?;
            How::Never(limit)
        }
    };
    Ok(Ended { out: read(&mut out)?, err: read(&mut err)?, how })
}

fn how(status: ExitStatus) -> How {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return How::Signal(signal);
    }
    if status.success() { How::Well } else { How::Badly(status.code()) }
}

fn read(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Most telling line of a message: the first that mentions an error, or else the first.
pub(crate) fn first_error(text: &str) -> Option<&str> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().find(|line| line.to_ascii_lowercase().contains("error")).or_else(|| lines().next())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Time limit that no program of the tests reaches on any machine.
    const LONG: Duration = Duration::from_secs(3600);

    fn limited(script: &str, limit: Duration) -> Ended {
        run(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    fn shell(script: &str) -> Ended {
        limited(script, LONG)
    }

    #[test]
    fn says_how_it_ended_and_what_it_said() {
        let ended = shell("echo out; echo err >&2; exit 3");
        assert_eq!(
            (ended.out.as_str(), ended.err.as_str(), ended.how),
            ("out\n", "err\n", How::Badly(Some(3)))
        );
        assert_eq!(shell("true").how, How::Well);
        assert_eq!(shell("kill -SEGV $$").how.to_string(), "ended by signal 11");
        // The shell replaces itself by `exec`, so that no process is left behind.
        let soon = Duration::from_millis(50);
        assert_eq!(limited("exec sleep 3600", soon).how, How::Never(soon));
    }

    #[test]
    fn much_output_fits() {
        assert_eq!(shell("head -c 1000000 /dev/zero").out.len(), 1_000_000);
    }

    #[test]
    fn finds_the_line_that_matters() {
        assert_eq!(first_error("\nIn file a:\n b.c:1: fatal error: no\n"), Some("b.c:1: fatal error: no"));
        assert_eq!(first_error("\n nothing\nelse"), Some("nothing"));
        assert_eq!(first_error(" \n"), None);
    }
}
