//! Flags of `numalab calibrate` and its subcommands.

use super::names::Name;
use clap::{Args, Subcommand, ValueHint};
use numalab_calibrate::Budget;
use std::path::PathBuf;

/// Measure a computer and make a machine file from it
///
/// Small C kernels measure the values of machine and runtime files: latencies, bandwidths, caches,
/// page faults and the cost of OpenMP constructs; and reference results that a simulation should
/// predict: schedules, tasks, solvers.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab calibrate run -o host.jsonl
      Measure this computer.
  numalab calibrate export kernels
      For a computer on which nothing can be installed: copy the folder to it.
  numalab calibrate fit host.jsonl -o machines/host.toml
      Make a machine file and a runtime file from the measurements.
  numalab calibrate doctor host.jsonl
      List what to measure again.
  numalab validate host.jsonl --machine machines/host.toml
      Compare simulations with the measurements that the fit did not use.")]
pub struct Calibrate {
    #[command(subcommand)]
    pub step: CalibrateStep,
}

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
/// Needs Linux and a C compiler with OpenMP. Run nothing else meanwhile: disturbed samples are
/// recognised, but cannot be used. Measurements are taken in rounds: after Ctrl-C, what has been
/// measured is written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab calibrate run -o host.jsonl
  numalab calibrate run --only pointer_chase,core_to_core -o more.jsonl
  numalab calibrate run --cc clang --cflags \"-O3 -march=native\" --budget 10m -o host.jsonl

Exit status: 0, 1 when nothing could be built or measured, or Ctrl-C came first, 2 when a flag is wrong.")]
pub struct CalibrateRun {
    /// C compiler, with its own flags if needed [default: $CC, or cc]
    #[arg(long, value_name = "CC", value_hint = ValueHint::CommandName)]
    pub cc: Option<String>,

    /// Compiler flags, placed behind those of the kernels, which they override
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub cflags: String,

    /// Time to measure for, such as 90s, 2m or 1h; at least one round is measured
    #[arg(long, value_name = "TIME", default_value = "2m")]
    pub budget: Budget,

    /// Experiments to measure, by their names in the file of measurements, such as core_to_core
    /// [default: all]
    #[arg(long, value_name = "EXPERIMENT", value_delimiter = ',')]
    pub only: Vec<String>,

    /// One round of small and short measurements, as a test that everything works
    #[arg(long)]
    pub tiny: bool,

    /// Build in DIR and keep sources and program there [default: a temporary folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub keep: Option<PathBuf>,

    /// Show the compiler's command and its output
    #[arg(long, short)]
    pub verbose: bool,

    /// Write the measurements to FILE, as JSON Lines; "-" is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Write the sources of the kernels to a folder, for another computer
///
/// Sources, a Makefile, a script and a README. They need Linux, a C compiler and make.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab calibrate export kernels")]
pub struct CalibrateExport {
    /// Folder to write to; created if missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,

    /// Write into a folder that is not empty
    #[arg(long)]
    pub force: bool,
}

/// Fit a machine file and a runtime file to measurements
///
/// The topology is taken from the recorded hwloc XML or /sys. Everything else is fitted: latencies,
/// bandwidths, lines in flight, effective cache sizes, page faults, OpenMP constructs. Each value
/// is written with its standard error and the rows that it depends on. Values that the measurements
/// do not determine are listed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab calibrate fit host.jsonl -o machines/host.toml
  numalab calibrate fit lscpu.txt numactl.txt mlc.txt -o bought.toml
      Files of other tools: Intel MLC, lscpu, numactl -H, lstopo's XML, distances of /sys, core-to-core latencies as CSV,
            STREAM, likwid-bench. The format is recognised from the text. Measured latencies outweigh firmware distances.")]
pub struct CalibrateFit {
    /// Measurements of the kernels, and outputs of other tools for the same machine
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub inputs: Vec<PathBuf>,

    /// OpenMP runtime whose algorithms were measured [default: that of the library that ran]
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Write the machine even if nothing was measured: its topology, and all other values from
    /// another machine
    #[arg(long)]
    pub assume: bool,

    /// Write the machine to FILE; the runtime goes to FILE with .runtime.toml at its end, the
    /// standard errors of all values to FILE with .errors.json
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// List what is wrong with measurements: contradictory, disturbed, drifting, missing
///
/// Fits the measurements without writing files. Compares the values that the system reports with
/// the measured ones, each row with the other rows of its stage, and runs that are minutes apart
/// with each other.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab calibrate doctor host.jsonl")]
pub struct CalibrateDoctor {
    /// Measurements of the kernels
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// Simulate what the kernels would measure on a given machine, with noise
///
/// A fit of the result must find the machine again. This shows which values a set of measurements
/// can determine and how precisely at that noise, and what a machine that does not exist yet would
/// measure.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  numalab calibrate synthesize s6030 -o known.jsonl
  numalab calibrate fit known.jsonl -o again.toml")]
pub struct CalibrateSynthesize {
    /// Machine to measure
    #[arg(value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// OpenMP runtime on it [default: the one that the machine names, or plain]
    #[arg(long, value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Change a value of the machine, such as machine.memory.latency="90 ns"; repeat it for more
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,

    /// Standard deviation of a sample, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = noise)]
    pub noise: f64,

    /// Seed of the noise
    #[arg(long, default_value_t = 0)]
    pub seed: u64,

    /// Write the measurements to FILE, as JSON Lines; "-" is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Parses a standard deviation in per cent: 0, or from 1e-9 to 50.
fn noise(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').trim().parse::<f64>() {
        // Smaller noise would be lost in the precision of a double.
        Ok(percent) if percent == 0.0 || (1e-9..=50.0).contains(&percent) => Ok(percent),
        _ => Err("expected per cent: 0, or from 1e-9 to 50".to_owned()),
    }
}
