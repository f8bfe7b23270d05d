//! Runs the program in a temporary folder, without environment variables that could change its output.

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A temporary folder for a test's files; deleted when dropped.
pub struct Desk(TempDir);

impl Desk {
    /// Creates an empty folder.
    pub fn empty() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    /// Creates a folder with one file, for example `machines/m.toml`.
    pub fn with(file: &str, text: &str) -> Desk {
        let desk = Desk::empty();
        desk.put(file, text);
        desk
    }

    /// Writes a file, with its folders.
    pub fn put(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Path of the temporary folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Sorted names of the files in the folder.
    pub fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Command `numalab` with these arguments, in the temporary folder. It has no time limit, since a loaded machine
    /// is no failure and the test harness reports slow tests.
    pub fn numalab(&self, arguments: &[&str]) -> Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("numalab");
        for name in ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE", "RAYON_NUM_THREADS"] {
            command.env_remove(name);
        }
        command.current_dir(self.path()).args(arguments);
        command
    }

    /// Standard output of a command that must succeed without a message.
    pub fn answer(&self, arguments: &[&str]) -> String {
        let output = self.numalab(arguments).assert().success().get_output().clone();
        assert_eq!(message(&output.stderr), "", "nothing but results");
        text(&output.stdout)
    }

    /// Error message of a command that must end with status 2, without output on standard output.
    pub fn refusal(&self, arguments: &[&str]) -> String {
        failure(self.numalab(arguments).assert().code(2))
    }
}

/// Error message of a failed command; checks that it is no panic.
pub fn failure(assert: Assert) -> String {
    let output = assert.get_output();
    assert_eq!(text(&output.stdout), "", "results only on success");
    let message = message(&output.stderr);
    assert!(!message.contains("panicked") && !message.contains("this is a bug"), "{message}");
    assert!(message.starts_with("error"), "{message}");
    message
}

/// Standard error without lines of progress, which appear only in long runs.
pub fn message(stderr: &[u8]) -> String {
    let is_progress = |line: &str| {
        let words: Vec<&str> = line.rsplit(": ").next().unwrap_or_default().split_whitespace().collect();
        line.starts_with("numalab: working for ")
            || matches!(words[..], [part, "done,", ..] if part.ends_with('%'))
            || matches!(words[..], [_, "of", _, "points"] | [_, "of", _, "points,", _, _, "s", "left"])
    };
    text(stderr).split_inclusive('\n').filter(|line| !is_progress(line)).collect()
}

/// Asserts that a text contains all of `parts`.
#[track_caller]
pub fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "expected {part:?} in:\n{message}");
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
