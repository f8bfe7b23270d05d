//! Flags of `numalab list`: only those of the output.

use super::Output;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
A file in ./machines, ./workloads, ./runtimes or ./policies hides the built-in one of the same name.")]
pub struct List {
    #[command(flatten)]
    pub output: Output,
}
