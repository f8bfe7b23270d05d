//! Command line: turns flags into a resolved request and runs it. No logic of its own.
//!
//! Each command takes the same path: `flags` parses, `commands` resolves names against the machine and the workload
//! and runs, `output` writes the bytes. Results go to standard output, everything else to standard error. Exit
//! status: 0; 1 if the answer could not be delivered or is negative; 2 if a flag or a file is wrong; 130 after Ctrl-C, if
//! anything is missing.

mod brief;
mod bug;
mod commands;
pub mod embedded;
mod excerpt;
mod failure;
mod flags;
mod hints;
mod interrupt;
mod message;
mod output;
mod progress;
mod terminal;

use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

/// All commands with their flags, for tools that draw command lines.
pub fn command() -> clap::Command {
    flags::Cli::command()
}

/// Text of a `clap` error in the common form of error messages.
fn clap_text(error: &clap::Error) -> String {
    let program = flags::Cli::command();
    let command = std::env::args().nth(1).filter(|word| program.find_subcommand(word).is_some());
    message::of_clap(error, command.as_deref(), terminal::colour_on_stderr())
}

/// Entry point of the binary.
pub fn main() -> ExitCode {
    bug::install_panic_message();
    interrupt::survive_size_limit();
    let typed = match flags::Cli::try_parse() {
        Ok(typed) => typed,
        Err(message) => {
            // `clap` reports help and version as errors, too, with status 0. A closed pipe is no failure.
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
