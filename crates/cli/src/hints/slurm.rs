//! Advice for job arrays.

use crate::failure::Failure;
use numalab_sweep::slurm::{SlurmError, Tool};

impl From<SlurmError> for Failure {
    fn from(error: SlurmError) -> Failure {
        match advice(&error) {
            Some(advice) => Failure::request(error.to_string(), advice),
            None => Failure::Run(error.to_string()),
        }
    }
}

fn advice(error: &SlurmError) -> Option<&'static str> {
    match error {
        SlurmError::NoSlurm { .. } => Some(
            "submit where Slurm is, as on a cluster's login node; or run the shards with anything else, such as \
             GNU parallel: seq 8 | parallel numalab sweep FILE --shard {}/8",
        ),
        SlurmError::Refused { tool: Tool::Sbatch, .. } => Some(
            "pass what the site requires with --sbatch-arg, such as --sbatch-arg=--partition=NAME \
             --sbatch-arg=--account=NAME --sbatch-arg=--time=60; fewer elements: --tasks N; without Slurm: \
             seq 8 | parallel numalab sweep FILE --shard {}/8",
        ),
        SlurmError::Refused { tool: Tool::Squeue, .. } => Some("--collect without --resubmit needs no queue"),
        SlurmError::Unclear { .. } => Some("squeue --me lists your jobs"),
        SlurmError::NotText(_) => Some("use a folder whose name is UTF-8"),
        SlurmError::File { .. } | SlurmError::NoRecord { .. } => None,
    }
}
