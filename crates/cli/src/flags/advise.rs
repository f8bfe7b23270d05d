//! Flags of `numalab advise`.

use super::Examined;
use super::view::ViewOutput;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Advise {
    #[command(flatten)]
    pub run: Examined,

    #[command(flatten)]
    pub output: ViewOutput,
}

const EXAMPLES: &str = "\
Examples:
  numalab advise bcs16 loadbal
      Which schedule the loop wants, and what to type for it.
  numalab advise epyc-9654-2p-nps4 cg --budget all
      Every change, however long it takes.
  numalab advise machine.toml program.nlt -t 64 -o advice.md
      Advice for a recorded program, as Markdown.";
