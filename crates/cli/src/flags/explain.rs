//! Flags of `numalab explain`.

use super::Examined;
use super::view::ViewOutput;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Explain {
    #[command(flatten)]
    pub run: Examined,

    /// Only divide the time: simulate nothing again; the same as --budget 0
    #[arg(long, conflicts_with = "budget")]
    pub only_blame: bool,

    #[command(flatten)]
    pub output: ViewOutput,
}

const EXAMPLES: &str = "\
Examples:
  numalab explain bcs16 loadbal -p dynamic
      How much time the shared counter costs.
  numalab explain bcs16 cg --set workload.variant=serial_init -o cg.md
      As Markdown.
  numalab explain bcs16 loadbal -p dynamic -o why.html
      As a report for a browser: threads over time, traffic, reasons and advice on one page.
  numalab explain bcs16 loadbal -p dynamic --only-blame --format csv
      Every row of the time account.
  numalab explain altix-uv loadbal -p dynamic --budget all
      Every change, however long it takes.";
