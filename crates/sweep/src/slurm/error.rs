//! Errors between a sweep and Slurm.

use std::fmt;
use std::path::PathBuf;

/// Why there is no job array, or no word about one.
#[derive(Debug)]
pub enum SlurmError {
    /// `sbatch` or `squeue` is not there.
    NoSlurm {
        /// The program.
        tool: &'static str,
    },
    /// It could not be started, or it said no.
    Refused {
        /// The program.
        tool: &'static str,
        /// In its words.
        why: String,
    },
    /// The printed text names no job.
    Unclear {
        /// In full.
        printed: String,
    },
    /// A script must be text, and a name is not.
    NotText(PathBuf),
    /// A file beside the store could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
}

impl SlurmError {
    /// Advice on what to do about it.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            SlurmError::NoSlurm { .. } => Some(
                "submit where Slurm is, as on a cluster's login node; or run the shards with anything else, such as \
                 GNU parallel: seq 8 | parallel numalab sweep FILE --shard {}/8",
            ),
            SlurmError::Refused { tool: "sbatch", .. } => Some(
                "what a site wants to know goes through --sbatch-arg, such as --sbatch-arg=--partition=NAME \
                 --sbatch-arg=--account=NAME --sbatch-arg=--time=60; fewer elements: --tasks N; without Slurm: \
                 seq 8 | parallel numalab sweep FILE --shard {}/8",
            ),
            SlurmError::Refused { .. } => {
                Some("without --resubmit, what is there can be collected all the same")
            }
            SlurmError::Unclear { .. } => Some("squeue --me says whether there is a job"),
            SlurmError::NotText(_) => Some("use a folder whose name is UTF-8"),
            SlurmError::File { .. } => None,
        }
    }
}

impl fmt::Display for SlurmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlurmError::NoSlurm { tool } => {
                write!(f, "there is no Slurm on this computer: no program {tool} is found")
            }
            SlurmError::Refused { tool, why } => write!(f, "{tool} failed: {why}"),
            SlurmError::Unclear { printed } => {
                write!(f, "sbatch printed no number of a job, but {:?}", printed.trim())
            }
            SlurmError::NotText(path) => {
                write!(f, "the name {} is not UTF-8, which the job script would have to be", path.display())
            }
            SlurmError::File { path, why } => write!(f, "{}: {why}", path.display()),
        }
    }
}

impl std::error::Error for SlurmError {}
