//! A short run of the fuzzer: every reader reads its corpus, every command runs its examples, and both survive some
//! hostile input.

use std::process::Command;

/// Output and success of `fuzz` with these words.
fn fuzz(words: &[&str]) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_fuzz")).args(words).output().expect("it was built");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.success())
}

/// Law: Every reader accepts or refuses hostile input, within bounds of time and memory.
#[test]
fn hostile_input_is_read_or_refused() {
    let (text, well) = fuzz(&["500", "19"]);
    assert!(well, "{text}");
    for line in text.lines().filter(|line| line.contains(" accepted, ")) {
        let never_refuses = line.starts_with("store") || line.starts_with("commands");
        assert!(!line.contains(" 0 refused") || never_refuses, "it refuses nothing: {line}");
    }
}

#[test]
fn every_file_of_a_corpus_is_read_or_refused() {
    let (text, well) = fuzz(&["0", "0"]);
    assert!(well && !text.contains(" 0 accepted"), "{text}");
}

#[test]
fn a_seed_gives_the_same_input() {
    let work = |seed| fuzz(&["--show", "machine", seed, "4"]).0;
    assert_eq!(work("7"), work("7"));
    assert_ne!(work("7"), work("8"));
}
