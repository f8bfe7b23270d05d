//! Flags of commands that examine one run: `explain` and `advise`.

use super::names::Name;
use super::words::{PLACEMENT, POLICY, Policy, RegionPlacement};
use super::{Assume, Binding, Tools};
use clap::Args;
use numalab_openmp::ProcList;

#[derive(Debug, Args)]
pub struct Examined {
    /// A name from "numalab list", a file, or a synthetic machine such as "board:4 socket:4 core:8"
    #[arg(value_parser = Name::Machine, hide_possible_values = true)]
    pub machine: String,

    /// A name from "numalab list", or a file
    #[arg(value_parser = Name::Workload, hide_possible_values = true)]
    pub workload: String,

    #[command(flatten)]
    pub assume: Assume,

    /// Loop schedule [default: the first that the workload names]
    #[arg(long, short, value_name = "POLICY", value_parser = POLICY, hide_possible_values = true)]
    pub policy: Option<Policy>,

    /// Team size [default: one thread per core, or per processor of --procs]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,

    /// Processors that the threads may run on, such as 0-7,16-23 or 0-62:2
    #[arg(long, value_name = "LIST")]
    pub procs: Option<ProcList>,

    #[command(flatten)]
    pub binding: Binding,

    #[command(flatten)]
    pub tools: Tools,

    /// Placement of all pages, or of the pages of one region; overrides the workload; repeat it for
    /// more regions
    #[arg(long = "placement", value_name = "[REGION=]POLICY", value_parser = PLACEMENT, hide_possible_values = true)]
    pub placements: Vec<RegionPlacement>,

    /// OpenMP runtime: a name from "numalab list", or a file [default: the workload's, or plain]
    #[arg(long, value_name = "RUNTIME", value_parser = Name::Runtime, hide_possible_values = true)]
    pub runtime: Option<String>,

    /// Approximate nothing (see sim --help)
    #[arg(long)]
    pub exact: bool,

    /// Work of the runs that are simulated again, such as 500M or 3G; what exceeds it is left out
    ///
    /// "all" leaves nothing out. The simulator counts the work of a run, which does not depend on
    /// this computer; 1G takes one to five seconds of one processor.
    #[arg(long, value_name = "WORK", value_parser = budget, default_value = DEFAULT_BUDGET)]
    pub budget: u64,

    /// Seed of every random choice; the same seed gives the same bytes of output
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Change one value of the machine or the runtime, or one parameter of the workload; repeat it for more
    #[arg(long = "set", value_name = "WHAT.PATH=VALUE")]
    pub overrides: Vec<String>,

    #[command(flatten)]
    pub replay: super::Replay,

    /// Runs to simulate at the same time [default: the number of processors of this computer]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Three to fifteen seconds of one processor.
const DEFAULT_BUDGET: &str = "3G";

/// Parses a budget: a whole number, in thousands (k), millions (M) or thousand millions (G); `all` is `u64::MAX`.
fn budget(text: &str) -> Result<u64, String> {
    if text == "all" {
        return Ok(u64::MAX);
    }
    let unit = |unit: char| text.strip_suffix(unit);
    let (digits, times) = unit('k')
        .map(|digits| (digits, 1_000))
        .or_else(|| unit('M').map(|digits| (digits, 1_000_000)))
        .or_else(|| unit('G').map(|digits| (digits, 1_000_000_000)))
        .unwrap_or((text, 1));
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(times));
    number.ok_or_else(|| "expected a whole number such as 50M or 2G, or \"all\"".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_count_with_a_unit() {
        let all = [
            ("0", 0),
            ("70", 70),
            ("3k", 3000),
            ("50M", 50_000_000),
            ("2G", 2_000_000_000),
            ("all", u64::MAX),
        ];
        for (text, expected) in all {
            assert_eq!(budget(text), Ok(expected), "{text}");
        }
        for text in ["", "M", "1.5G", "-1", "99999999999999G", "all of it", "5m"] {
            assert!(budget(text).is_err(), "{text}");
        }
    }
}
