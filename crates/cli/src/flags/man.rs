//! Flags of `numalab man`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab man sim | man -l -
  numalab man --output ~/.local/share/man/man1")]
pub struct Man {
    /// Command of the page [default: the program]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}
