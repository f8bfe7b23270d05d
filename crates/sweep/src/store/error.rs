//! Errors of a store.

use numalab_results::OtherVersion;
use std::fmt;
use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub enum StoreError {
    /// The folder is no store: it holds other files.
    NoStore(PathBuf),
    /// Results of the store have another version.
    Version(PathBuf, OtherVersion),
    /// The file that marks the folder as a store (`numalab-store`) names no version.
    Mark(PathBuf),
    /// A file of the store could not be read or written.
    System(PathBuf, io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NoStore(path) => {
                write!(f, "\"{}\" is not a store: it holds other files", path.display())
            }
            StoreError::Version(path, version) => write!(f, "the store \"{}\" {version}", path.display()),
            StoreError::Mark(path) => {
                write!(f, "the store \"{}\" has an unknown format", path.display())
            }
            StoreError::System(path, error) => write!(f, "\"{}\": {error}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}
