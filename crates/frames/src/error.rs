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
    /// A number in it is so large or small that nobody can calculate with it.
    Senseless {
        /// The file.
        path: PathBuf,
        /// Number of the row, the first is 1.
        row: usize,
        /// Name of the column.
        column: String,
        /// The number.
        value: String,
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
            FrameError::Senseless { path, row, column, value } => {
                let (least, most) = (numalab_units::MAGNITUDES.start(), numalab_units::MAGNITUDES.end());
                write!(
                    f,
                    "{}: row {row} has {value} in `{column}`; expected 0 or something from {least:e} to {most:e}",
                    path.display()
                )
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
