//! `numalab completions`.

use crate::failure::Failure;
use crate::flags::{Cli, Completions};
use crate::output::Destination;
use clap::CommandFactory;

/// Prints the script.
pub fn run(flags: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Cli::command(), "numalab", &mut script);
    Destination::Stdout.write(&script)
}
