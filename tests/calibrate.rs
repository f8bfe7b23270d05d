//! Measuring this computer: every way in which it can go wrong, with a compiler of ours; and that the
//! real kernels build and work. How fast they are is nobody's verdict.

use crate::support::{Desk, failure, says, text};
use numalab_imports::measurements;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/calibrate");

/// `calibrate run` with the compiler that builds our own program, this plan, and time for all rounds of it however
/// slow the machine is.
fn run(desk: &Desk, plan: &str, more: &[&str]) -> assert_cmd::Command {
    let compiler = format!("sh '{FIXTURE}/cc'");
    let mut command =
        desk.numalab(&["calibrate", "run", "--cc", &compiler, "--budget", "24h", "-o", "host.jsonl"]);
    command.args(more).env("FIXTURE", FIXTURE).env("PLAN", plan);
    command
}

fn count(text: &str, experiment: &str) -> usize {
    text.matches(&format!("\"experiment\":\"{experiment}\"")).count()
}

#[test]
fn what_is_steady_is_measured_three_times_and_what_drifts_in_every_round() {
    let desk = Desk::empty();
    let output = run(&desk, "steady drifting impossible", &[]).assert().success().get_output().clone();
    let lines = fs::read_to_string(desk.path().join("host.jsonl")).unwrap();
    let counts = ["steady", "drifting", "impossible"].map(|experiment| count(&lines, experiment));
    assert_eq!(counts, [3, 5, 1], "{lines}");
    assert!(lines.starts_with("{\"record\":\"host\""), "{lines}");
    says(
        &text(&output.stderr),
        &["host.jsonl: 2 of 3 measurements in 5 rounds\n1 not possible here:\n  impossible: needs 2 nodes\n"],
    );
    assert_eq!(desk.files(), ["host.jsonl"]);
}

#[test]
fn what_fails_is_said_at_the_end_and_the_rest_goes_on() {
    let desk = Desk::empty();
    let output = run(&desk, "wrong crashing babbling steady", &[]).assert().success().get_output().clone();
    says(
        &text(&output.stderr),
        &[
            "1 of 4 measurements",
            "3 failed:\n",
            "  wrong: exit status 1: numalab-kernels: wrong: wrong result: sum\n",
            "  crashing: ended by signal 11\n",
            "  babbling: printed what is no JSON",
        ],
    );
    let lines = fs::read_to_string(desk.path().join("host.jsonl")).unwrap();
    assert!(!lines.contains("what is no record"), "{lines}");
    assert_eq!(count(&lines, "steady"), 3);
}

#[test]
fn nothing_measured_is_a_failure_and_leaves_no_file() {
    let desk = Desk::empty();
    for plan in ["wrong impossible", ""] {
        let message = failure(run(&desk, plan, &[]).assert().code(1));
        says(&message, &["nothing could be measured; nothing is written"]);
    }
    assert!(desk.files().is_empty());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_measured() {
    let desk = Desk::with("host.jsonl", "older");
    let temporary = desk.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let stopped = |plan| failure(run(&desk, plan, &[]).env("TMPDIR", &temporary).assert().code(1));
    says(&stopped("interrupted steady"), &["stopped before anything was measured; nothing is written"]);
    assert_eq!(fs::read_to_string(desk.path().join("host.jsonl")).unwrap(), "older");
    says(&stopped("steady interrupted drifting"), &["stopped", "is written", "1 of 3 measurements"]);
    let lines = fs::read_to_string(desk.path().join("host.jsonl")).unwrap();
    assert_eq!((count(&lines, "steady"), count(&lines, "drifting")), (1, 0), "{lines}");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "the temporary folder is gone");
}

#[test]
fn a_compiler_that_will_not_do_gets_one_sentence() {
    let desk = Desk::empty();
    let without = format!("sh '{FIXTURE}/cc-without-openmp'");
    for (cc, parts) in [
        ("/nonexistent", &["there is no C compiler \"/nonexistent\"; install gcc", "--cc"][..]),
        (&without, &["has no OpenMP; install", "libomp-dev", "--cc gcc", "unsupported option '-fopenmp'"]),
        ("false", &["builds no programs"]),
        (FIXTURE, &["cannot be started: permission denied"]),
    ] {
        let message = failure(desk.numalab(&["calibrate", "run", "-o", "x", "--cc", cc]).assert().code(1));
        says(&message, parts);
        assert_eq!(message.lines().count(), 1, "{message}");
        // The environment's compiler is asked where none is typed.
        let mut command = desk.numalab(&["calibrate", "run", "-o", "x", "--verbose"]);
        says(&failure(command.env("CC", cc).assert().code(1)), &parts[..1]);
    }
    assert!(desk.files().is_empty());
}

#[test]
fn what_the_compiler_says_is_for_those_who_ask() {
    let desk = Desk::empty();
    let said = |more: &[&str]| text(&run(&desk, "steady", more).assert().success().get_output().stderr);
    assert!(!said(&["--cflags", "-O3"]).contains("warning"));
    says(&said(&["--cflags", "-O3", "-v"]), &["a warning of the compiler", "-fopenmp -O3"]);
}

#[test]
fn wrong_flags_are_refused() {
    let desk = Desk::empty();
    for (flags, parts) in [
        (&["--budget", "2"][..], &["has no unit", "\"2m\""][..]),
        (&["--budget", "2 d"], &["unknown unit \"d\"", "s, m, h"]),
        (&["--budget", "0s"], &["between 1 s and 24 h"]),
        (&["--cflags", "'open"], &["a quote is open"]),
        (&["--cc", ""], &["nothing is there"]),
    ] {
        says(&desk.refusal(&[&["calibrate", "run", "-o", "x"], flags].concat()), parts);
    }
    says(&desk.refusal(&["calibrate", "run"]), &["--output <FILE>"]);
    let message = failure(desk.numalab(&["calibrate", "run", "-o", "no/x"]).assert().code(1));
    says(&message, &["there is no folder \"no\""]);
}

#[test]
fn a_folder_in_use_is_not_exported_into() {
    let desk = Desk::with("used/a.txt", "");
    says(&desk.refusal(&["calibrate", "export", "used"]), &["\"used\" is not empty", "--force"]);
    let next = desk.answer(&["calibrate", "export", "used", "--force"]);
    says(&next, &["scp -r used", "make && ./run.sh -o host.jsonl", "numalab calibrate fit host.jsonl"]);
}

/// Whether the real kernels can be built with these flags. Where tests decide what lands, they must be.
fn can_build(flags: &[&str]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    fs::write(&source, "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n").unwrap();
    let mut cc = Command::new("cc");
    let built = cc.arg("-fopenmp").args(flags).arg("-o").arg(&program).arg(&source).output();
    let works = built.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success());
    if !works {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no C compiler with OpenMP and {flags:?}");
        eprintln!("SKIPPED: no C compiler with OpenMP and {flags:?}: the kernels are not tested");
    }
    works
}

/// Every experiment of the tiny plan is in the file, with a value or with a reason why there is none.
fn is_complete(file: &Path, program: &Path) {
    let plan = succeeds(Command::new(program).args(["plan", "--tiny"]));
    let lines = fs::read_to_string(file).unwrap();
    let read = measurements::measurements(file).unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
    let measured: BTreeSet<&str> = read.rows.iter().map(|row| row.experiment.as_str()).collect();
    let plan = text(&plan.stdout);
    let planned: BTreeSet<&str> = plan.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(planned.len() > 10, "{planned:?}");
    for experiment in planned {
        let skipped = format!("{{\"record\":\"skipped\",\"experiment\":\"{experiment}\"");
        assert!(measured.contains(experiment) || lines.contains(&skipped), "{experiment} is missing");
    }
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    output
}

#[test]
fn the_kernels_run_here_at_a_tiny_size() {
    if !can_build(&[]) {
        return;
    }
    let desk = Desk::empty();
    let arguments = ["calibrate", "run", "--tiny", "--cc", "cc", "--keep", "kept", "-o", "host.jsonl"];
    let output = desk.numalab(&arguments).assert().success().get_output().clone();
    assert!(!text(&output.stderr).contains("failed"), "{}", text(&output.stderr));
    is_complete(&desk.path().join("host.jsonl"), &desk.path().join("kept/numalab-kernels"));
}

#[test]
fn exported_kernels_build_without_a_warning_and_run_clean_under_the_sanitizers() {
    const WARNINGS: &str = "-std=c11 -Wall -Wextra -Wpedantic -Werror";
    const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let sanitizers: &[&str] = if can_build(&SANITIZERS) { &SANITIZERS } else { &[] };
    if sanitizers.is_empty() && !can_build(&[]) {
        return;
    }
    let desk = Desk::empty();
    desk.answer(&["calibrate", "export", "kernels"]);
    let folder = desk.path().join("kernels");
    let flags = format!("CFLAGS=-O1 -g {WARNINGS} {}", sanitizers.join(" "));
    succeeds(Command::new("make").current_dir(&folder).args(["CC=cc", &flags]));
    let mut script = Command::new("./run.sh");
    let output = succeeds(script.current_dir(&folder).args(["-t", "-o", "host.jsonl"]));
    let said = text(&output.stderr);
    assert!(!said.contains("runtime error") && !said.contains("Sanitizer"), "{said}");
    is_complete(&folder.join("host.jsonl"), &folder.join("numalab-kernels"));
}
