//! Files to read and what is said about them.

pub use crate::facts::FACTS;
use numalab_formats::{Facts, machine, workload};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A file of its own for each test.
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

pub fn error_of_machine(path: &Path) -> String {
    let error = machine(path.to_str().unwrap(), &[]).err().unwrap().to_string();
    error.replace(path.to_str().unwrap(), "FILE")
}

pub fn error_of_workload(path: &Path) -> String {
    let error = workload(path.to_str().unwrap(), &[], &Facts::default()).err().unwrap().to_string();
    error.replace(path.to_str().unwrap(), "FILE")
}

/// The shipped machine with one text replaced.
pub fn machine_with(from: &str, to: &str) -> String {
    let text = include_str!("../../../../machines/bcs16.toml");
    assert!(text.contains(from), "{from} is not in the file");
    error_of_machine(&Scratch::new().write("m.toml", text.replacen(from, to, 1)))
}

/// The shipped workload with one text replaced.
pub fn workload_with(from: &str, to: &str) -> String {
    let text = include_str!("../../../../workloads/loadbal.yaml");
    assert!(text.contains(from), "{from} is not in the file");
    error_of_workload(&Scratch::new().write("w.yaml", text.replacen(from, to, 1)))
}

#[track_caller]
pub fn assert_shows(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in\n{error}");
    }
}
