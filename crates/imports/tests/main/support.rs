//! Temporary files to read, and checks of error messages.

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Temporary folder of a test.
pub struct Scratch(pub TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

#[track_caller]
pub fn assert_shows(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in\n{error}");
    }
}
