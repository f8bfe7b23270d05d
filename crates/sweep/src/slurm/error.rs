//! Errors of job arrays.

use std::fmt;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Sbatch,
    /// `squeue`, which lists waiting and running jobs.
    Squeue,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Tool::Sbatch => "sbatch",
            Tool::Squeue => "squeue",
        }
    }
}

/// Reason why a job array could not be submitted or queried.
#[derive(Debug)]
pub enum SlurmError {
    /// `sbatch` or `squeue` is not installed.
    NoSlurm { tool: Tool },
    /// `sbatch` or `squeue` could not be started, or failed.
    Refused {
        tool: Tool,
        /// Error output of the tool.
        why: String,
    },
    /// The output of `sbatch` has no job number.
    Unclear { printed: String },
    /// A path in the script is not UTF-8.
    NotText(PathBuf),
    /// The record of submitted jobs is damaged.
    NoRecord { path: PathBuf, why: String },
    /// A file in the folder `slurm` of a store could not be read or written.
    File { path: PathBuf, why: String },
}

impl fmt::Display for SlurmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlurmError::NoSlurm { tool } => {
                write!(f, "Slurm is not installed on this computer: program {} not found", tool.name())
            }
            SlurmError::Refused { tool, why } => write!(f, "{} failed: {why}", tool.name()),
            SlurmError::Unclear { printed } => {
                write!(f, "sbatch printed {:?} instead of a job number", printed.trim())
            }
            SlurmError::NotText(path) => {
                write!(f, "the name {} is not UTF-8, so the job script cannot contain it", path.display())
            }
            SlurmError::NoRecord { path, why } => write!(
                f,
                "{}: damaged record of submitted jobs: {why}; delete it to submit again",
                path.display()
            ),
            SlurmError::File { path, why } => write!(f, "{}: {why}", path.display()),
        }
    }
}

impl std::error::Error for SlurmError {}
