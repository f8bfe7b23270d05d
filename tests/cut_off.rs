//! Runs that end in the middle of a write: at the limit of file sizes, and by a signal that no program can handle.
#![cfg(unix)]

use crate::support::{Desk, says, text};
use std::process::{Command, Stdio};
use std::time::Duration;

fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("numalab"))
}

/// Runs the program with arguments from a shell that limits files to `blocks` of at most 1 KiB.
fn limited(desk: &Desk, blocks: u32, arguments: &str) -> std::process::Output {
    let program = assert_cmd::cargo::cargo_bin!("numalab");
    let line = format!("ulimit -f {blocks}; exec \"{}\" {arguments}", program.display());
    Command::new("bash").args(["-c", &line]).current_dir(desk.path()).output().unwrap()
}

#[test]
fn a_file_above_the_size_limit_is_an_error() {
    let desk = Desk::empty();
    let run = "sim bcs16 loadbal --no-series --set workload.packages=500";
    for (output, named) in [
        ("--format json -o results.json", "cannot write \"results.json\""),
        ("--trace run.pftrace -p static", "cannot write \"run.pftrace\""),
        ("--format json > results.json", "cannot write to standard output"),
    ] {
        let ended = limited(&desk, 1, &format!("{run} {output}"));
        assert_eq!(ended.status.code(), Some(1), "{output}: {ended:?}");
        says(&text(&ended.stderr), &[named, "larger than `ulimit -f` or the file system allows"]);
    }
    // The shell made the one file that is left.
    assert_eq!(desk.files(), ["results.json"]);
}

#[test]
fn an_export_that_does_not_fit_leaves_nothing() {
    for (command, folder) in [("record export", "recorder"), ("calibrate export", "kernels")] {
        let desk = Desk::empty();
        let ended = limited(&desk, 1, &format!("{command} {folder}"));
        assert_eq!(ended.status.code(), Some(1), "{command}: {ended:?}");
        let named = format!("cannot write \"{folder}\"");
        says(&text(&ended.stderr), &[&named, "larger than `ulimit -f` or the file system allows"]);
        assert!(desk.files().is_empty(), "{command}: {:?}", desk.files());
    }
}

#[test]
fn a_sweep_above_the_size_limit_continues_later() {
    let desk = Desk::with(
        "sizes.yaml",
        "{name: sizes, points: {machine: 'socket:2 core:4', workload: epcc, policy: static, \
         set: {workload.executions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}}}",
    );
    let ended = limited(&desk, 1, "sweep sizes.yaml");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    says(&text(&ended.stderr), &["sizes.store", "larger than `ulimit -f` or the file system allows"]);
    desk.numalab(&["sweep", "sizes.yaml"]).assert().success();
}

#[test]
fn a_later_run_removes_what_a_killed_one_left() {
    let desk = Desk::empty();
    let left = |name: &String| name.starts_with(".numalab-");
    // The check before the run makes an empty file and removes it.
    let filled = |name: &String| {
        left(name) && std::fs::metadata(desk.path().join(name)).is_ok_and(|file| file.len() > 0)
    };
    // Big enough to be killed in the middle.
    let mut child = program()
        .args([
            "sim",
            "board:8 socket:8 core:16",
            "loadbal",
            "-p",
            "dynamic,1",
            "--set",
            "workload.packages=400000",
        ])
        .args(["--set", "workload.footprint=1 GB", "--no-sequential", "--no-series"])
        .args(["--trace", "run.pftrace", "--trace-limit", "2GB"])
        .current_dir(desk.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !desk.files().iter().any(filled) {
        assert!(child.try_wait().unwrap().is_none(), "the run ended too early");
        std::thread::sleep(Duration::from_millis(1));
    }
    // A run beside it leaves the file alone.
    Command::new("kill").args(["-STOP", &child.id().to_string()]).status().unwrap();
    let other =
        ["sim", "core:2", "epcc", "-p", "static", "--no-series", "--format", "csv", "-o", "other.csv"];
    desk.answer(&other);
    assert_eq!(desk.files().iter().filter(|name| left(name)).count(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(desk.files().iter().filter(|name| left(name)).count(), 1);
    desk.answer(&other);
    assert_eq!(desk.files(), ["other.csv"]);
}
