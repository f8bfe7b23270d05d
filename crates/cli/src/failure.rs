//! Reasons for which a command ends early, with their exit statuses.

use crate::brief;
use crate::embedded;
use crate::interrupt;
use crate::message;
use crate::progress;
use crate::terminal;
use numalab_syntax::diagnostics::Diagnostics;
use std::process::ExitCode;

#[derive(Debug, PartialEq)]
pub enum Failure {
    /// Files or `--set` values are wrong; contains all errors found. Status 2.
    Input(Diagnostics),
    /// Flags are valid by themselves, but contradict the machine or other flags. Status 2.
    Request {
        /// Error message, with the wrong value.
        problem: String,
        /// Text that the user can type instead.
        advice: Option<String>,
    },
    /// The run failed, or its result could not be written. Status 1.
    Run(String),
    /// The run failed in a way that the user can remedy. Status 1.
    Stopped {
        /// The mistake, with the value that is wrong.
        problem: String,
        /// Text that the user can type instead; may be empty.
        advice: String,
    },
    /// The command succeeded and its answer is negative: a gate does not hold, results differ. No message, status 1.
    NegativeAnswer,
    /// Ctrl-C ended the command early; the text says what is missing. Status 130.
    Interrupted(String),
    /// The reader of standard output is gone (`| head`). No message, status 0.
    ReaderLeft,
}

impl Failure {
    /// A request that cannot be fulfilled, with advice.
    pub fn request(problem: impl Into<String>, advice: impl Into<String>) -> Failure {
        Failure::Request { problem: problem.into(), advice: Some(advice.into()) }
    }

    /// A failed run, with advice.
    pub fn stopped(problem: impl Into<String>, advice: impl Into<String>) -> Failure {
        Failure::Stopped { problem: problem.into(), advice: advice.into() }
    }

    /// Adds the name of the run to the message, for commands with several runs.
    pub fn of(self, run: &str) -> Failure {
        match self {
            Failure::Input(wrong) => {
                Failure::Input(Diagnostics::plain(format!("{run} makes no run"), "").and(wrong))
            }
            Failure::Request { problem, advice } => {
                Failure::Request { problem: format!("{run}: {problem}"), advice }
            }
            Failure::Run(problem) => Failure::Run(format!("{run}: {problem}")),
            Failure::Stopped { problem, advice } => {
                Failure::Stopped { problem: format!("{run}: {problem}"), advice }
            }
            same @ (Failure::NegativeAnswer | Failure::ReaderLeft | Failure::Interrupted(_)) => same,
        }
    }

    /// Ctrl-C ended a command with `done` of `of` parts, such as `runs`.
    pub fn interrupted(done: usize, of: usize, parts: &str) -> Failure {
        Failure::Interrupted(format!("{done} of {of} {parts}"))
    }

    /// Writes the message to standard error and returns the exit status.
    pub fn report(&self) -> ExitCode {
        let colour = terminal::colour_on_stderr();
        let (text, status) = match self {
            Failure::Input(diagnostics) => (format!("{}\n", diagnostics.render(colour)), 2),
            Failure::Request { problem, advice } => (message::error(problem, advice.as_deref(), colour), 2),
            Failure::Run(problem) => (message::error(problem, None, colour), 1),
            Failure::Stopped { problem, advice } => (message::error(problem, Some(advice), colour), 1),
            Failure::Interrupted(missing) => {
                let problem = format!("stopped by {}: {missing}", interrupt::name());
                (message::error(&problem, None, colour), interrupt::status())
            }
            Failure::NegativeAnswer => return ExitCode::FAILURE,
            Failure::ReaderLeft => return ExitCode::SUCCESS,
        };
        tell(&brief::in_a_line(&text));
        ExitCode::from(status)
    }
}

/// Writes a text to standard error. Write errors are ignored, so that the exit status stays the same.
pub fn tell(text: &str) {
    if embedded::note(text) {
        return;
    }
    let _pause = progress::pause();
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Failure {
        Failure::Input(diagnostics)
    }
}
