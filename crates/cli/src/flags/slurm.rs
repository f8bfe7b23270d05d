//! Flags of `numalab sweep` for job arrays: `--slurm`, `--collect` and their options.

use clap::{ArgGroup, Args};

#[derive(Debug, Args)]
#[command(next_help_heading = "On a cluster", group = ArgGroup::new("submits").multiple(true))]
pub struct Slurm {
    /// Submit the points to Slurm as a job array, one shard per element, instead of running them
    /// here
    ///
    /// The script and the logs go to the folder "slurm" in the store, which all nodes must be able
    /// to write.
    #[arg(long, group = "submits", conflicts_with_all = ["shard", "collect"])]
    pub slurm: bool,

    /// Number of shards [default: the number of points, at most 64]
    #[arg(long, value_name = "N", requires = "slurm", value_parser = clap::value_parser!(u32).range(1..))]
    pub tasks: Option<u32>,

    /// Further flags for sbatch, such as --sbatch-arg=--time=60; repeat it for more
    ///
    /// --sbatch-arg=--cpus-per-task=16 makes each element run 16 points at a time.
    #[arg(long = "sbatch-arg", value_name = "ARG", requires = "submits", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,

    /// Print the script and the submitting command without submitting
    #[arg(long, requires = "submits")]
    pub dry_run: bool,

    /// Run nothing; write the results that the shards have stored, and list the missing points
    #[arg(long, conflicts_with = "shard")]
    pub collect: bool,

    /// Submit the elements with missing points again, except those that still wait or run
    #[arg(long, group = "submits", requires = "collect")]
    pub resubmit: bool,

    /// Run only if the points are those of this plan; used by the job script
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
    fn conflicting_flags_are_refused() {
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
