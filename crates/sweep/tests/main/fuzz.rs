//! Reading any bytes as a sweep file yields a sweep or an error message, without a panic.

use crate::mutated::mutated;
use crate::sweeps::{ALL, with};
use numalab_sweep::file::sweep;
use proptest::prelude::*;
use std::fs;

/// Reads `bytes` as a sweep file.
fn read(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.yaml");
    fs::write(&path, bytes).unwrap();
    if let Err(error) = sweep(path.to_str().unwrap()) {
        assert!(error.count() > 0);
        assert!(!error.render(false).is_empty());
        assert!(!error.render(true).is_empty());
    }
}

proptest! {
    #[test]
    fn mutated_sweeps(bytes in mutated(ALL)) {
        read(&bytes);
    }

    #[test]
    fn truncated_sweeps(end in 0..ALL.len()) {
        read(&ALL.as_bytes()[..end]);
    }

    #[test]
    fn random_values_of_axes(text in "[-+*/%^(),.:=!<> 0-9a-zé]{0,30}", axis in 0..4_usize) {
        let axis = ["threads", "seed", "policy", "procs"][axis];
        let text = text.replace('\'', "");
        read(with(&format!("  {axis}: '{text}'\n  set: {{ workload.x: '{text}' }}\n"), "").as_bytes());
    }

    #[test]
    fn random_names(name in "\\PC{0,30}") {
        let _ = sweep(&name);
    }
}
