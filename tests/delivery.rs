//! Results go to standard output or into complete files; no other files are written.

use crate::support::{Desk, failure, says, text};
use std::fs;
use std::process::{Command, Stdio};

const RUN: [&str; 5] = ["sim", "socket:2 core:3", "loadbal", "--set", "workload.footprint=100 MB"];

fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

#[test]
fn output_file_equals_standard_output() {
    let desk = Desk::empty();
    for (file, format) in [("a.txt", "table"), ("a.json", "json"), ("a.csv", "csv")] {
        let answer = desk.answer(&run(&["--format", format]));
        // The ending of the file name selects the format.
        assert_eq!(desk.answer(&run(&["--output", file])), "");
        assert_eq!(fs::read_to_string(desk.path().join(file)).unwrap(), answer, "{format}");
        assert_eq!(desk.answer(&run(&["--format", format, "--output", "-"])), answer);
    }
    assert_eq!(desk.files(), ["a.csv", "a.json", "a.txt"], "nothing is left beside them");
}

#[test]
fn a_picture_comes_beside_the_table_or_alone_on_standard_output() {
    let desk = Desk::empty();
    let table = desk.answer(&run(&["--svg", "a.svg"]));
    assert_eq!(table, desk.answer(&run(&[])));
    let picture = fs::read_to_string(desk.path().join("a.svg")).unwrap();
    says(&picture, &["<svg", "</svg>"]);
    assert_eq!(desk.answer(&run(&["--svg", "-", "--output", "t.txt"])), picture);
    let message = desk.refusal(&run(&["--svg", "-"]));
    says(&message, &["the results", "the picture", "standard output", "FILE"]);
    says(&desk.refusal(&run(&["--svg", "x", "-o", "x"])), &["\"x\""]);
}

#[test]
fn unwritable_outputs_are_refused_before_the_run() {
    let desk = Desk::empty();
    for (file, reason) in
        [("no/such/folder.svg", "there is no folder \"no/such\""), (".", "it is a directory")]
    {
        for flag in ["--output", "--svg"] {
            let message = failure(desk.numalab(&run(&[flag, file])).assert().code(1));
            says(&message, &["cannot write", file, reason]);
        }
    }
    assert!(desk.files().is_empty());
}

#[cfg(unix)]
#[test]
fn unwritable_folders_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with("closed/a.txt", "old");
    let closed = desk.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(closed.join("probe"), "").is_ok() {
        return; // The superuser may write anywhere.
    }
    let message = failure(desk.numalab(&run(&["--output", "closed/b.txt"])).assert().code(1));
    says(&message, &["cannot write \"closed/b.txt\": permission denied"]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_reported() {
    let desk = Desk::empty();
    for flag in ["--output", "--svg"] {
        let output = desk.numalab(&run(&[flag, "/dev/full"])).assert().code(1).get_output().clone();
        says(&text(&output.stderr), &["cannot write \"/dev/full\": the disk is full"]);
    }
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("numalab"));
    let output = command.args(RUN).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    says(&text(&output.stderr), &["cannot write to standard output: the disk is full"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_early_ends_the_program_quietly() {
    use std::io::Read;
    for arguments in [&run(&["--format", "json"])[..], &["help", "sim"], &["list"], &["completions", "bash"]]
    {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("numalab"));
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        assert_eq!(message, "", "{arguments:?}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn colour_needs_a_terminal_or_its_flag() {
    let desk = Desk::empty();
    assert!(!desk.answer(&run(&[])).contains('\x1b'));
    let coloured = desk.numalab(&run(&[])).env("CLICOLOR_FORCE", "1").assert().success();
    assert!(text(&coloured.get_output().stdout).contains('\x1b'));
    let both = desk.numalab(&run(&[])).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").assert().success();
    assert!(!text(&both.get_output().stdout).contains('\x1b'));
}

#[test]
fn the_table_fits_the_columns() {
    let desk = Desk::empty();
    for columns in ["60", "100", "200"] {
        let output = desk.numalab(&run(&[])).env("COLUMNS", columns).assert().success().get_output().clone();
        for line in text(&output.stdout).lines() {
            assert!(line.chars().count() <= columns.parse().unwrap(), "{line}");
        }
    }
}
