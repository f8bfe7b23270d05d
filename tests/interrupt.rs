//! Ctrl-C: commands end with the results that they have, and say what is missing.

use crate::support::{Desk, says};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Starts the program with piped output.
fn start(desk: &Desk, arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("numalab"))
        .args(arguments)
        .current_dir(desk.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends a signal after some time, and waits for the end.
fn stop(child: Child, signal: &str, after: Duration) -> Output {
    std::thread::sleep(after);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "the program ended too early");
    child.wait_with_output().unwrap()
}

/// A run of 11.4 million tasks.
const LONG: [&str; 7] = [
    "fib",
    "--policy=tasks:hierarchical",
    "--set",
    "workload.n=33",
    "--set",
    "workload.cutoff=33",
    "--no-sequential",
];

#[test]
fn a_single_run_ends_without_results() {
    let desk = Desk::empty();
    let output =
        stop(start(&desk, &[&["sim", "bcs16"][..], &LONG].concat()), "-INT", Duration::from_millis(1500));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{text}");
    says(&text, &["stopped by Ctrl-C: no result is complete"]);
}

#[test]
fn nominal_runs_are_printed_without_their_replicas() {
    let desk = Desk::empty();
    let arguments =
        ["sim", "bcs16", "loadbal", "-p", "tasks:central", "--bars", "none", "--replicas", "1000"];
    let output = stop(start(&desk, &arguments), "-INT", Duration::from_secs(4));
    let (table, text) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(130), "{text}");
    says(&text, &["stopped by Ctrl-C: replicas are missing"]);
    says(&table, &["makespan", "tasks:central"]);
    assert!(!table.contains("median"), "{table}");
}

#[test]
fn finished_rows_of_a_validation_are_printed() {
    let desk = Desk::empty();
    let output = stop(start(&desk, &["validate"]), "-TERM", Duration::from_secs(4));
    let (rows, text) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(143), "{text}");
    says(&text, &["stopped by a signal (SIGTERM): ", " published rows"]);
    says(&rows, &["value", "simulated", "within limits"]);
    // A file would look complete.
    let output = stop(start(&desk, &["validate", "-o", "rows.csv"]), "-INT", Duration::from_secs(1));
    assert_eq!(output.status.code(), Some(130));
    assert!(desk.files().is_empty());
}

#[test]
fn a_row_of_a_validation_is_stopped() {
    let desk = Desk::empty();
    let output =
        stop(start(&desk, &["validate", "--experiment", "npb"]), "-INT", Duration::from_millis(1500));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    says(&text, &["stopped by Ctrl-C: 0 of ", " published rows"]);
}

#[test]
fn a_point_of_a_sweep_is_stopped_and_not_stored() {
    let desk = Desk::empty();
    let file = "\
name: long
points:
  machine: bcs16
  workload: fib
  policy: tasks:hierarchical
  set: { workload.n: [3, 33], workload.cutoff: 33 }
";
    desk.put("long.yaml", file);
    let output =
        stop(start(&desk, &["sweep", "long.yaml", "--jobs", "1"]), "-INT", Duration::from_millis(1500));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    says(&text, &["stopped by Ctrl-C: 1 of 2 points are new"]);
}

#[test]
fn blame_is_printed_before_the_rest_is_stopped() {
    let desk = Desk::empty();
    let ask = ["explain", "bcs16", "cg", "--set", "workload.variant=serial_init", "--budget", "all"];
    let output = stop(start(&desk, &ask), "-INT", Duration::from_secs(8));
    let (page, text) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(130), "{text}");
    says(&text, &["stopped by Ctrl-C: the explanation is incomplete"]);
    says(&page, &["where the time of the threads goes", "Left out"]);
}

/// Law: A stopped recording leaves no file, and no program that still runs.
#[test]
fn a_recording_ends_with_its_program() {
    for (signal, code, named) in [("-INT", 130, "Ctrl-C"), ("-TERM", 143, "a signal (SIGTERM)")] {
        let desk = Desk::empty();
        // The signal reaches the recorder alone, and the program ignores what a terminal would send to it.
        // It has started another program, which its own end does not end.
        let program = "trap '' INT; sleep 1000 & echo $! > begun; exec sleep 1000";
        let child = start(&desk, &["record", "-o", "p.nlt", "--", "sh", "-c", program]);
        let begun = desk.path().join("begun");
        let number = loop {
            let text = std::fs::read_to_string(&begun).unwrap_or_default();
            if text.ends_with('\n') {
                break text.trim().to_owned();
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let output = stop(child, signal, Duration::ZERO);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{text}");
        says(&text, &[&format!("stopped by {named}: nothing is recorded and nothing is written")]);
        assert_eq!(desk.files(), ["begun"]);
        // Until the system has taken note of its end it is a zombie.
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
        };
        for _ in 0..500 {
            if runs() {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        assert!(!runs());
    }
}
