//! `numalab sweep --slurm` and `--collect`.

use clap::{ArgGroup, Args};

/// A sweep on a cluster.
#[derive(Debug, Args)]
#[command(next_help_heading = "On a cluster", group = ArgGroup::new("submits").multiple(true))]
pub struct Slurm {
    /// Submit the points to Slurm instead of running them here: a job array, each of whose elements runs a shard
    ///
    /// The script and the logs are in the folder "slurm" of the store, which all nodes must be able to write.
    #[arg(long, group = "submits", conflicts_with_all = ["shard", "collect"])]
    pub slurm: bool,

    /// Into how many shards the points are split [default: as many as there are points, 64 at most]
    #[arg(long, value_name = "N", requires = "slurm", value_parser = clap::value_parser!(u32).range(1..))]
    pub tasks: Option<u32>,

    /// Further flags for sbatch, such as --sbatch-arg=--time=60; repeat it for more
    ///
    /// --sbatch-arg=--cpus-per-task=16 makes each element run 16 points at a time.
    #[arg(long = "sbatch-arg", value_name = "ARG", requires = "submits", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,

    /// Print the script and the command that would submit it, and submit nothing
    #[arg(long, requires = "submits")]
    pub dry_run: bool,

    /// Run nothing; write the results that shards have left in the store, and name the points that are missing
    #[arg(long, conflicts_with = "shard")]
    pub collect: bool,

    /// Submit the elements of the array again whose points are missing, save those that still wait or run
    #[arg(long, group = "submits", requires = "collect")]
    pub resubmit: bool,

    /// Run only if the points are still those of this plan; the job script says which
    #[arg(long, value_name = "HASH", hide_short_help = true)]
    pub plan: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Typed {
        #[arg(long)]
        shard: Option<String>,
        #[command(flatten)]
        slurm: Slurm,
    }

    fn typed(words: &str) -> Result<Slurm, String> {
        let words = ["numalab"].into_iter().chain(words.split_whitespace());
        Typed::try_parse_from(words).map(|typed| typed.slurm).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_for_sbatch_may_look_like_flags() {
        let flags =
            typed("--slurm --tasks 8 --sbatch-arg=--time=60 --sbatch-arg -p --sbatch-arg fast").unwrap();
        assert_eq!(flags.sbatch, ["--time=60", "-p", "fast"]);
        assert_eq!(flags.tasks, Some(8));
    }

    #[test]
    fn what_makes_no_sense_together_is_refused() {
        for words in [
            "--slurm --collect",
            "--slurm --shard 1/2",
            "--collect --shard 1/2",
            "--resubmit",
            "--tasks 2",
            "--dry-run",
            "--collect --dry-run",
            "--sbatch-arg=-x",
        ] {
            assert!(typed(words).is_err(), "{words}");
        }
        assert!(typed("--slurm --tasks 0").is_err());
        assert!(typed("--collect --resubmit --dry-run --sbatch-arg=--time=9").is_ok());
    }
}
