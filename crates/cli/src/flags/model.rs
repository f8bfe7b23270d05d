//! Flags of `numalab model`.

use super::names::Name;
use super::words::{POLICY, Policy};
use super::{Assume, Output};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Model {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// A name from "numalab list", or a file
    #[arg(value_parser = Name::Workload, hide_possible_values = true)]
    pub workload: String,

    #[command(flatten)]
    pub assume: Assume,

    /// Team sizes, such as 1,32,128 [default: the workload's series, or powers of two]
    #[arg(long, short, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Vec<u32>,

    /// Loop schedule [default: the first that the workload names]
    #[arg(long, short, value_name = "POLICY", value_parser = POLICY, hide_possible_values = true)]
    pub policy: Option<Policy>,

    /// OpenMP runtime: a name from "numalab list", or a file [default: the workload's, or plain]
    #[arg(long, value_name = "RUNTIME", value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Seed of every random choice; the same seed gives the same bytes of output
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Change one value of the machine or the runtime, or one parameter of the workload; repeat it for more
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub output: Output,

    /// Also draw the roofline to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = super::picture)]
    pub svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab model bcs16 cg
  numalab model bcs16 cg --threads 32,64,128 --svg cg.svg
  numalab model hp8 matvec --set workload.init=parallel

Operations are the `flops` of the workload's loops; without them the models use bytes only.";
