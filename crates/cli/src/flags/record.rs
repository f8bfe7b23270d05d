//! `numalab record`.

use clap::{Args, Subcommand, ValueHint};
use numalab_recorder::Watch;
use std::path::PathBuf;

/// Run an OpenMP program here and record what it does, to be replayed on other machines
///
/// A library that is loaded into the program writes down what each chunk and each task takes while no other thread works, so
/// that a team of 128 is recorded on a computer with two cores. Needs Linux, a C compiler, and LLVM's OpenMP library
/// (libomp), on which programs that gcc built run too. Every round runs the program once; costs are medians.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  numalab record -t 128 -o prog.nlt -- ./prog args
      With the team of the machine that it is to be replayed on.
  numalab sim bcs16 prog.nlt --core-ratio 0.5 -p static -p dynamic,16 -p guided
      What it takes there, on cores half as fast as these.
  numalab record export recorder
      The library as sources, for a computer on which nothing can be installed.
  numalab record --raw raw -o prog.nlt -- ./prog
      What that library wrote there.

Exit status: 0, 1 when the program could not be recorded, 2 when something typed is wrong."
)]
pub struct Record {
    /// Step, if it is not the recording itself.
    #[command(subcommand)]
    pub step: Option<RecordStep>,

    /// Size of the team [default: the number of processors here, at least 2]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,

    /// Write the recording to FILE [default: the program's name with .nlt]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Runs of the program
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    /// Seconds after which all threads go on at once, where one waits for others in a way of the program's own
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub patience: u32,

    /// In how many instances of each region pages are watched at first: "all", "first:N" or "off"
    ///
    /// They are watched in a run of its own, in which large arrays are allocated in shared memory. Needs Linux 6.7.
    #[arg(long, value_name = "WHICH", default_value = "first:3", value_parser = watch)]
    pub pages: Watch,

    /// Let all threads work at a time from the start
    #[arg(long, conflicts_with = "patience")]
    pub free: bool,

    /// LLVM's OpenMP library, to stand in for the program's own [default: libomp.so.5, if gcc built the program]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub libomp: Option<PathBuf>,

    /// The C compiler, with flags of its own if it needs them [default: the variable CC, or cc]
    #[arg(long, value_name = "CC", value_hint = ValueHint::CommandName)]
    pub cc: Option<String>,

    /// Folder of events that the exported library wrote elsewhere; repeat it for more runs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub raw: Vec<PathBuf>,

    /// The program and its arguments, after "--"
    #[arg(last = true, required = true, value_name = "PROGRAM", value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<String>,
}

/// Steps beside the recording.
#[derive(Debug, Subcommand)]
pub enum RecordStep {
    Export(RecordExport),
}

/// Write the recording library to a folder, to be taken to another computer
///
/// Sources, a Makefile and a README that says how to use it.
#[derive(Debug, Args)]
pub struct RecordExport {
    /// The folder; it is made where it is missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

fn watch(typed: &str) -> Result<Watch, String> {
    let instances = |count: &str| count.parse().ok().filter(|count| *count > 0).map(Watch::First);
    match (typed, typed.strip_prefix("first:")) {
        ("all", _) => Ok(Watch::All),
        ("off", _) => Ok(Watch::Off),
        (_, Some(count)) => {
            instances(count).ok_or_else(|| "expected 1 or more behind first:, or off".to_owned())
        }
        (_, None) => Err("expected all, first:N or off".to_owned()),
    }
}
