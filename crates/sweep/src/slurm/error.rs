//! Errors between a sweep and Slurm.

use std::fmt;
use std::path::PathBuf;

/// Program of Slurm's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// It submits.
    Sbatch,
    /// It says what waits and runs.
    Squeue,
}

impl Tool {
    /// The command.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Sbatch => "sbatch",
            Tool::Squeue => "squeue",
        }
    }
}

/// Why there is no job array, or no word about one.
#[derive(Debug)]
pub enum SlurmError {
    /// `sbatch` or `squeue` is not there.
    NoSlurm {
        /// The program.
        tool: Tool,
    },
    /// It could not be started, or it said no.
    Refused {
        /// The program.
        tool: Tool,
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
    /// The record of what was submitted is damaged.
    NoRecord {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file beside the store could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
}

impl fmt::Display for SlurmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlurmError::NoSlurm { tool } => {
                write!(f, "there is no Slurm on this computer: no program {} is found", tool.name())
            }
            SlurmError::Refused { tool, why } => write!(f, "{} failed: {why}", tool.name()),
            SlurmError::Unclear { printed } => {
                write!(f, "sbatch printed no number of a job, but {:?}", printed.trim())
            }
            SlurmError::NotText(path) => {
                write!(f, "the name {} is not UTF-8, which the job script would have to be", path.display())
            }
            SlurmError::NoRecord { path, why } => write!(
                f,
                "{}: no record of what was submitted: {why}; delete it to submit anew",
                path.display()
            ),
            SlurmError::File { path, why } => write!(f, "{}: {why}", path.display()),
        }
    }
}

impl std::error::Error for SlurmError {}
