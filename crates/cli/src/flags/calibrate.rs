//! `numalab calibrate`.

use super::names::Name;
use clap::{Args, Subcommand, ValueHint};
use numalab_calibrate::Budget;
use std::path::PathBuf;

/// Measure a computer, to make a machine file of it
///
/// Small C kernels measure what machine and runtime files say: latencies, bandwidths, caches, page faults, what
/// constructs of OpenMP cost; and what a simulation should predict from it: schedules, tasks, solvers.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab calibrate run -o host.jsonl
      This computer.
  numalab calibrate export kernels
      A computer on which nothing can be installed: take the folder there.
  numalab calibrate fit host.jsonl -o machines/host.toml
      A machine file and a runtime file of what was measured.
  numalab calibrate doctor host.jsonl
      What to measure again.
  numalab validate host.jsonl --machine machines/host.toml
      How far simulations of the other measurements are off.")]
pub struct Calibrate {
    /// Step of the calibration.
    #[command(subcommand)]
    pub step: CalibrateStep,
}

/// The steps of a calibration.
#[derive(Debug, Subcommand)]
pub enum CalibrateStep {
    Run(CalibrateRun),
    Export(CalibrateExport),
    Fit(CalibrateFit),
    Doctor(CalibrateDoctor),
    Synthesize(CalibrateSynthesize),
}

/// Build the kernels and run them on this computer
///
/// Needs Linux and a C compiler with OpenMP. Leave the computer alone meanwhile: samples that others disturbed are
/// recognised, but tell nothing. Everything is measured in rounds, so that Ctrl-C loses little: what has been
/// measured is written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab calibrate run -o host.jsonl
  numalab calibrate run --cc clang --cflags \"-O3 -march=native\" --budget 10m -o host.jsonl

Exit status: 0, 1 when nothing could be built or measured, or Ctrl-C came first, 2 when something typed is wrong.")]
pub struct CalibrateRun {
    /// The C compiler, with flags of its own if it needs them [default: the variable CC, or cc]
    #[arg(long, value_name = "CC", value_hint = ValueHint::CommandName)]
    pub cc: Option<String>,

    /// Compiler flags after the kernels' own, which they override
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub cflags: String,

    /// Time to measure for, such as 90s, 2m or 1h; one round is measured in any case
    #[arg(long, value_name = "TIME", default_value = "2m")]
    pub budget: Budget,

    /// One round of small and short measurements: whether everything works, not how fast it is
    #[arg(long)]
    pub tiny: bool,

    /// Build in DIR and leave sources and program there [default: a temporary folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub keep: Option<PathBuf>,

    /// Show the compiler's command and all that it says
    #[arg(long, short)]
    pub verbose: bool,

    /// Write the measurements to FILE, as JSON lines; "-" is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Write the kernels to a folder, to be taken to another computer
///
/// Sources, a Makefile, a script and a README. They need a Linux with a C compiler and make, nothing else.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab calibrate export kernels")]
pub struct CalibrateExport {
    /// The folder; it is made where it is missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,

    /// Write into it though something is there
    #[arg(long)]
    pub force: bool,
}

/// Make a machine file and a runtime file of measurements
///
/// The shape comes from hwloc's XML or /sys as recorded, everything else is fitted: latencies, bandwidths, lines in
/// flight, cache sizes as seen, faults, constructs of OpenMP. Each value is written with its standard error and the
/// rows that it rests on. What the measurements do not tell is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab calibrate fit host.jsonl -o machines/host.toml
  numalab calibrate fit lscpu.txt numactl.txt mlc.txt -o bought.toml
      Other people's: Intel MLC, lscpu, numactl -H, lstopo's XML, distances of /sys, core-to-core latencies as CSV,
      STREAM, likwid-bench. What each file is shows in its text. Measured latencies count more than firmware's distances.")]
pub struct CalibrateFit {
    /// Measurements of the kernels, and what other tools said of the same machine
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub inputs: Vec<PathBuf>,

    /// The OpenMP runtime whose algorithms were measured [default: by the library that ran]
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Write a machine of which nothing was measured: its shape, and everything else as of another machine
    #[arg(long)]
    pub assume: bool,

    /// Write the machine to FILE; the runtime goes beside it, to FILE with .runtime.toml at its end, and how sure all
    /// values are, with .errors.json
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Say what is wrong with measurements: contradictory, disturbed, drifting, missing
///
/// The measurements are fitted, and nothing is written. What the system claims is held against what was measured, each
/// row against the others of its stage, and runs minutes apart against each other.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab calibrate doctor host.jsonl")]
pub struct CalibrateDoctor {
    /// Measurements of the kernels
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// Write what the kernels would measure on a machine that is known, with noise
///
/// A fit of it must find the machine again. That shows what a plan of measurements can tell at all, how sure it is
/// with samples that are so noisy, and what a machine that is yet to be bought would measure.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab calibrate synthesize s6030 -o known.jsonl
  numalab calibrate fit known.jsonl -o again.toml")]
pub struct CalibrateSynthesize {
    /// The machine
    #[arg(value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// The OpenMP runtime on it [default: the one that the machine names, or a plain one]
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Change a value of the machine first, such as machine.memory.latency="90 ns"
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,

    /// Standard deviation of a sample, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = noise)]
    pub noise: f64,

    /// Seed of the noise
    #[arg(long, default_value_t = 0)]
    pub seed: u64,

    /// Write the measurements to FILE, as JSON lines; "-" is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Noise that leaves something to measure.
fn noise(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').trim().parse::<f64>() {
        // Less than a double keeps of a time is a slip.
        Ok(percent) if percent == 0.0 || (1e-9..=50.0).contains(&percent) => Ok(percent),
        _ => Err("expected per cent: 0, or from 1e-9 to 50".to_owned()),
    }
}
