//! Errors of files of results.

use numalab_results::OtherVersion;
use numalab_syntax::diagnostics::Diagnostics;
use std::fmt;
use std::path::PathBuf;

/// Why a file yields no rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// It is a folder, as a store is one.
    Folder(PathBuf),
    /// It is of an earlier version, whose columns had other names.
    Renamed {
        /// The file.
        path: PathBuf,
        /// A column that it has.
        old: &'static str,
        /// The column's name since.
        new: &'static str,
        /// The version of the file.
        version: OtherVersion,
    },
    /// A row of it says what no run can have.
    Senseless {
        /// The file.
        path: PathBuf,
        /// Number of the row, the first is 1.
        row: usize,
        /// Complaint about it.
        problem: String,
        /// Words for what it may say.
        expected: &'static str,
    },
    /// It cannot be read, or what is in it cannot.
    Unreadable(Diagnostics),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Folder(path) => write!(f, "cannot read {}: it is a folder", path.display()),
            FrameError::Renamed { path, old, version, .. } => {
                write!(f, "{} {version}: it has a column `{old}`", path.display())
            }
            FrameError::Senseless { path, row, problem, .. } => {
                write!(f, "{}: row {row}: {problem}", path.display())
            }
            FrameError::Unreadable(diagnostics) => diagnostics.fmt(f),
        }
    }
}

impl std::error::Error for FrameError {}

impl From<Diagnostics> for FrameError {
    fn from(diagnostics: Diagnostics) -> FrameError {
        FrameError::Unreadable(diagnostics)
    }
}
