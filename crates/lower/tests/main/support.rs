//! Files to read, and the errors that reading them gives.

pub use crate::facts::FACTS;
pub use crate::scratch::{Scratch, assert_shows};
use numalab_files::Facts;
use numalab_lower::{machine, workload};
use std::path::Path;

pub fn error_of_machine(path: &Path) -> String {
    let error = machine(path.to_str().unwrap(), &[]).err().unwrap().to_string();
    error.replace(path.to_str().unwrap(), "FILE")
}

pub fn error_of_workload(path: &Path) -> String {
    let error = workload(path.to_str().unwrap(), &[], &Facts::default()).err().unwrap().to_string();
    error.replace(path.to_str().unwrap(), "FILE")
}

/// Error of a shipped machine file with one text replaced.
pub fn machine_with(from: &str, to: &str) -> String {
    let text = include_str!("../../../../machines/bcs16.toml");
    assert!(text.contains(from), "{from} is not in the file");
    error_of_machine(&Scratch::new().write("m.toml", text.replacen(from, to, 1)))
}

/// Error of a shipped workload file with one text replaced.
pub fn workload_with(from: &str, to: &str) -> String {
    let text = include_str!("../../../../workloads/loadbal.yaml");
    assert!(text.contains(from), "{from} is not in the file");
    error_of_workload(&Scratch::new().write("w.yaml", text.replacen(from, to, 1)))
}
