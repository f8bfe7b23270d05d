//! The everyday runs have the counts that the golden file holds.

use std::process::{Command, Output};

fn counted(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_counted")).args(arguments).output().unwrap()
}

/// Law: Work of the engine is what it was.
#[test]
fn everyday_runs_count_what_they_counted() {
    let output = counted(&[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_wrong_name_is_told_the_right_ones() {
    let output = counted(&["loadbal_129"]);
    assert!(!output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no run loadbal_129") && message.contains("loadbal_2080_static"), "{message}");
}
