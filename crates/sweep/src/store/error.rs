//! Why a store cannot be used.

use numalab_results::OtherVersion;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Reason for which a store cannot be used.
#[derive(Debug)]
pub enum StoreError {
    /// The folder holds something else.
    NoStore(PathBuf),
    /// Its results are of another version.
    Version(PathBuf, OtherVersion),
    /// Its mark names no version.
    Mark(PathBuf),
    /// The system refuses.
    System(PathBuf, io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NoStore(path) => {
                write!(f, "\"{}\" is no store: it holds something else", path.display())
            }
            StoreError::Version(path, version) => write!(f, "the store \"{}\" {version}", path.display()),
            StoreError::Mark(path) => {
                write!(f, "the store \"{}\" has a format that this program does not know", path.display())
            }
            StoreError::System(path, error) => write!(f, "\"{}\": {error}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}
