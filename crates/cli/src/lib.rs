//! Flags to resolved request to run; no logic of its own.
//!
//! Every command goes the same way: `flags` says what was typed, `commands` resolves it against
//! the machine and the workload and runs it, `output` delivers the bytes. Results go to standard
//! output; everything else goes to standard error. The exit status is 0, 1 when the answer could not
//! be delivered, or 2 when the question was wrong.

mod brief;
mod bug;
mod commands;
mod excerpt;
mod failure;
mod flags;
mod hints;
mod output;
mod progress;
mod terminal;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// A message of `clap`, coloured as it would be.
fn clap_text(message: &clap::Error) -> String {
    let text = message.render();
    if terminal::colour_on_stderr() { text.ansi().to_string() } else { text.to_string() }
}

/// Entry point of the binary.
pub fn main() -> ExitCode {
    bug::ask_for_a_report();
    let typed = match flags::Cli::try_parse() {
        Ok(typed) => typed,
        Err(message) => {
            // Help and version come this way too, with status 0. A reader that went away is no failure.
            match message.use_stderr() {
                true => failure::tell(&brief::in_a_line(&clap_text(&message))),
                false => {
                    let printed = message.print().and_then(|()| std::io::stdout().flush());
                    if let Err(error) = printed
                        && error.kind() != std::io::ErrorKind::BrokenPipe
                    {
                        failure::tell(&format!("error: cannot write to standard output: {error}\n"));
                        return ExitCode::FAILURE;
                    }
                }
            }
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2));
        }
    };
    match commands::run(typed.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
