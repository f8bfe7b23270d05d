//! Programs recorded on this computer and replayed on other machines. No test depends on measured times.
//!
//! The tests need clang with LLVM's OpenMP library; without these they print a line and end.

mod advice;
mod costs;
mod ends;
mod foreign;
mod loops;
mod memory;
mod names;
mod pages;
mod recorder;
mod replays;

use crate::support::{Desk, says, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/record");

/// Compilers on this computer whose programs can run with LLVM's OpenMP library.
fn compilers() -> Vec<&'static str> {
    let builds = |name: &&&str| {
        let folder = tempfile::tempdir().unwrap();
        build(name, "fixed", folder.path()).is_some()
    };
    let clang: Vec<&str> =
        ["clang", "clang-19", "clang-20", "clang-18"].iter().filter(builds).take(1).copied().collect();
    if clang.is_empty() {
        eprintln!("skipped: no clang with libomp here (apt-get install clang-19 libomp-19-dev)");
        return clang;
    }
    clang.into_iter().chain(["gcc"].iter().filter(builds).copied()).collect()
}

/// Builds a program of the fixtures; `None` if the compiler fails.
fn build(compiler: &str, name: &str, folder: &Path) -> Option<PathBuf> {
    let program = folder.join(name);
    let ending = if compiler.contains("++") { "cpp" } else { "c" };
    let source = format!("{FIXTURES}/{name}.{ending}");
    let words = ["-g", "-O1", "-fopenmp", "-o", program.to_str()?, &source];
    let built = Command::new(compiler).args(words).output().is_ok_and(|output| output.status.success());
    built.then_some(program)
}

/// Records a program and returns the JSON of `trace show`.
fn record(desk: &Desk, flags: &[&str], program: &Path, more: &[&str], schedule: &str) -> Value {
    let mut words = vec!["record", "-o", "prog.nlt", "--rounds", "1"];
    words.extend(flags);
    words.extend(["--", program.to_str().unwrap()]);
    words.extend(more);
    let output = desk.numalab(&words).env("OMP_SCHEDULE", schedule).assert().success().get_output().clone();
    says(&text(&output.stderr), &["prog.nlt: ", "kinds of work"]);
    serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap()
}

/// Recorded classes of work of the kind `what`: place in the source, number of iterations, recorded schedule, number
/// of executions.
fn classes(shown: &Value, what: &str) -> Vec<(String, u64, String, u64)> {
    let classes = shown["classes"].as_array().unwrap().iter().filter(|class| class["what"] == what);
    let class = |class: &Value| {
        let word = |key: &str| class[key].as_str().unwrap().to_owned();
        let number = |key: &str| class[key].as_u64().unwrap();
        (word("place"), number("iterations"), word("recorded"), number("times"))
    };
    classes.map(class).filter(|class| class.3 > 0).collect()
}

/// Results of a replay of `prog.nlt` on eight cores, and the command's standard error.
fn replay(desk: &Desk, words: &[&str]) -> (Value, String) {
    let all = [&["sim", "socket:2 core:4", "prog.nlt", "--format", "json"], words].concat();
    let output = desk.numalab(&all).assert().success().get_output().clone();
    (serde_json::from_slice(&output.stdout).unwrap(), text(&output.stderr))
}

fn makespan_ms(result: &Value, run: usize) -> f64 {
    result["runs"][run]["makespan_ps"].as_f64().unwrap() / 1e9
}
