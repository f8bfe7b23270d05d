//! The everyday runs have the counts that the golden file holds.

use numalab_files::catalogue;
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

/// Law: No kind of question takes more than 4 times the work per event of its machine's median, but for those listed.
#[test]
fn no_kind_of_question_is_slower_than_known() {
    let output = counted(&["--kinds"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_wrong_name_is_told_the_right_ones() {
    let output = counted(&["loadbal_129"]);
    assert!(!output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no run loadbal_129") && message.contains("loadbal_2080_static"), "{message}");
}

/// Law: Listing what the program carries parses no file.
///
/// An item has some hundred bytes, the tree of its file several thousand.
#[test]
fn a_list_of_built_in_files_parses_none() {
    let mut files = 0;
    let allocated = allocation_counter::measure(|| files = catalogue().len());
    let each = allocated.bytes_total / files as u64;
    assert!(files > 60 && each < 1000, "{each} bytes for each of {files} files");
}
