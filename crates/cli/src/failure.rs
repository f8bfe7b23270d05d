//! Everything that ends a command early, with its exit status.

use crate::brief;
use crate::terminal;
use numalab_formats::Diagnostics;
use std::fmt::Write;
use std::process::ExitCode;

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// Files or `--set` values are wrong: all their errors at once. Status 2.
    Input(Diagnostics),
    /// Flags that parse, but do not fit the machine or each other. Status 2.
    Request {
        /// The mistake.
        problem: String,
        /// Advice on what to do about it.
        advice: Option<String>,
    },
    /// The run failed or its result could not be written. Status 1.
    Run(String),
    /// The answer was delivered, and it says no: quietly, status 1.
    SaysNo,
    /// Nobody reads our output any more (`| head`). Quietly, status 0.
    ReaderLeft,
}

impl Failure {
    /// A request that does not fit, and the way out.
    pub fn request(problem: impl Into<String>, advice: impl Into<String>) -> Failure {
        Failure::Request { problem: problem.into(), advice: Some(advice.into()) }
    }

    /// The failure of one of several runs.
    pub fn of(self, run: &str) -> Failure {
        match self {
            Failure::Input(wrong) => {
                Failure::Input(Diagnostics::plain(format!("{run} makes no run"), "").and(wrong))
            }
            Failure::Request { problem, advice } => {
                Failure::Request { problem: format!("{run}: {problem}"), advice }
            }
            Failure::Run(problem) => Failure::Run(format!("{run}: {problem}")),
            quiet @ (Failure::SaysNo | Failure::ReaderLeft) => quiet,
        }
    }

    /// Tells the user, and says how to exit.
    pub fn report(&self) -> ExitCode {
        let colour = terminal::colour_on_stderr();
        let (text, status) = match self {
            Failure::Input(diagnostics) => (format!("{}\n", diagnostics.render(colour)), 2),
            Failure::Request { problem, advice } => (message(problem, advice.as_deref(), colour), 2),
            Failure::Run(problem) => (message(problem, None, colour), 1),
            Failure::SaysNo => return ExitCode::FAILURE,
            Failure::ReaderLeft => return ExitCode::SUCCESS,
        };
        tell(&brief::in_a_line(&text));
        ExitCode::from(status)
    }
}

/// Writes to standard error. When that is gone too, the status still speaks.
pub fn tell(text: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Failure {
        Failure::Input(diagnostics)
    }
}

/// In the form that `clap` gives its own errors.
fn message(problem: &str, advice: Option<&str>, colour: bool) -> String {
    let (red, green, plain) = if colour { ("\x1b[1;31m", "\x1b[32m", "\x1b[0m") } else { ("", "", "") };
    let mut text = format!("{red}error:{plain} {problem}\n");
    if let Some(advice) = advice {
        let _ = writeln!(text, "\n  {green}tip:{plain} {advice}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_stands_apart_and_colour_only_where_asked() {
        assert_eq!(message("no", Some("yes"), false), "error: no\n\n  tip: yes\n");
        assert_eq!(message("no", None, true), "\x1b[1;31merror:\x1b[0m no\n");
    }
}
