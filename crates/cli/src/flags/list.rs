//! `numalab list`.

use super::Output;
use clap::Args;

/// List the machines and workloads that can be named without a path
#[derive(Debug, Args)]
#[command(after_help = "\
A file in ./machines or ./workloads hides the built-in one of the same name.")]
pub struct List {
    #[command(flatten)]
    pub output: Output,
}
