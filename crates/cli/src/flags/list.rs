//! `numalab list`.

use super::Output;
use clap::Args;

/// List the machines and workloads that can be named without a path
#[derive(Debug, Args)]
#[command(after_help = "\
A file in ./machines or ./workloads hides the built-in one of the same name.
Copy the text of a built-in machine from \"numalab show NAME --source\" and change it.")]
pub struct List {
    #[command(flatten)]
    pub output: Output,
}
