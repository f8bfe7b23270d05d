//! Errors of files of results.

use numalab_results::OtherVersion;
use numalab_syntax::diagnostics::Diagnostics;
use std::fmt;
use std::path::PathBuf;

/// Error in a file of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// The file is a folder, such as a store.
    Folder(PathBuf),
    /// The file was written by an earlier version, which used another name for a column.
    Renamed {
        path: PathBuf,
        /// Name of the column in the file.
        old: &'static str,
        /// Present name of the column.
        new: &'static str,
        /// Version that wrote the file.
        version: OtherVersion,
    },
    /// A row has a cell, or a combination of cells, that no run produces.
    Senseless {
        path: PathBuf,
        /// Number of the row, from 1.
        row: usize,
        /// Error in the row.
        problem: String,
        /// Description of the allowed values.
        expected: &'static str,
    },
    /// The file cannot be read or parsed.
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
