//! Flags of `numalab record` and its subcommand `export`.

use clap::{Args, Subcommand, ValueHint};
use numalab_recorder::Watch;
use std::path::PathBuf;

/// Run an OpenMP program here and record its work, to replay it on other machines
///
/// A preloaded library records the cost of each chunk and each task while all other threads pause,
/// so that a team of 128 can be recorded on two cores. Needs Linux, a C compiler and LLVM's OpenMP
/// library (libomp), which also runs programs built by gcc. The program runs once per round; costs
/// are medians over the rounds.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  numalab record -t 128 -o prog.nlt -- ./prog args
      With the team size of the machine to replay on.
  numalab sim bcs16 prog.nlt --core-ratio 0.5 -p static -p dynamic,16 -p guided
      Its time there, on cores half as fast as these.
  numalab record export recorder
      The sources of the library, for a computer on which nothing can be installed.
  numalab record --raw raw -o prog.nlt -- ./prog
      Convert the events that the library wrote there.

Exit status: 0, 1 when the program could not be recorded, 2 when a flag is wrong."
)]
pub struct Record {
    #[command(subcommand)]
    pub step: Option<RecordStep>,

    /// Team size [default: the number of processors here, at least 2]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,

    /// Write the recording to FILE [default: the program's name with .nlt]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Runs of the program
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    /// Seconds after which all threads run at once, if one waits for another by means outside
    /// OpenMP
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub patience: u32,

    /// Instances of each region in which pages are watched: "all", "first:N" or "off"
    ///
    /// Pages are watched in a run of their own, in which large arrays are allocated in shared
    /// memory. Needs Linux 6.7.
    #[arg(long, value_name = "WHICH", default_value = "first:3", value_parser = watch)]
    pub pages: Watch,

    /// Events of a run after which the recording ends, at the end of a parallel region; the program
    /// runs on without it
    #[arg(long, value_name = "SIZE", value_parser = numalab_study::trace_limit)]
    pub limit: Option<u64>,

    /// Run all threads at once from the start
    #[arg(long, conflicts_with = "patience")]
    pub free: bool,

    /// LLVM's OpenMP library, in place of the program's own [default: libomp.so.5 for programs
    /// built by gcc]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub libomp: Option<PathBuf>,

    /// C compiler, with its own flags if needed [default: $CC, or cc]
    #[arg(long, value_name = "CC", value_hint = ValueHint::CommandName)]
    pub cc: Option<String>,

    /// Folder of events that the exported library wrote elsewhere; repeat it for more runs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub raw: Vec<PathBuf>,

    /// Program and its arguments, after "--"
    #[arg(last = true, required = true, value_name = "PROGRAM", value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub enum RecordStep {
    Export(RecordExport),
}

/// Write the recording library to a folder, for another computer
///
/// Sources, a Makefile, and a README with instructions.
#[derive(Debug, Args)]
pub struct RecordExport {
    /// Folder to write to; created if missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

fn watch(typed: &str) -> Result<Watch, String> {
    let instances = |count: &str| count.parse().ok().filter(|count| *count > 0).map(Watch::First);
    match (typed, typed.strip_prefix("first:")) {
        ("all", _) => Ok(Watch::All),
        ("off", _) => Ok(Watch::Off),
        (_, Some(count)) => {
            instances(count).ok_or_else(|| "expected first:N with N of 1 or more, or off".to_owned())
        }
        (_, None) => Err("expected all, first:N or off".to_owned()),
    }
}
