//! Results of other schema versions: every reader refuses them and names both versions and a remedy.

use crate::support::{Desk, message, says, text};
use std::fs;

const VERSIONS: [&str; 2] = ["version 1", "version 3"];

const SWEEP: &str = "\
name: s
points:
  machine: socket:2 core:2
  workload: loadbal
  policy: [static, dynamic]
  set: { workload.footprint: 100 MB }
";

#[track_caller]
fn refuses(desk: &Desk, arguments: &[&str], parts: &[&str]) {
    let refusal = desk.refusal(arguments);
    says(&refusal, &VERSIONS);
    says(&refusal, parts);
}

#[test]
fn rows() {
    let desk = Desk::with("s.yaml", SWEEP);
    desk.answer(&["sweep", "s.yaml", "-o", "new.csv", "-o", "new.jsonl"]);
    for file in ["new.csv", "new.jsonl"] {
        let rows = fs::read_to_string(desk.path().join(file)).unwrap();
        desk.put(&file.replace("new", "old"), &rows.replace("iterations", "packages"));
    }
    for old in ["old.csv", "old.jsonl"] {
        let told = [old, "numalab sweep FILE -o results.csv", "rename the column to `iterations`"];
        refuses(&desk, &["compare", old, "new.csv"], &told);
        refuses(&desk, &["rank", old], &told);
        refuses(&desk, &["pareto", old, "--x", "makespan", "--y", "events"], &told);
        refuses(&desk, &["plot", old, "--x", "policy", "--y", "makespan", "-o", "a.svg"], &told);
        // A gate cannot be checked against rows of another version.
        desk.put("s.yaml", &format!("{SWEEP}gates:\n  - {{ name: g, baseline: {old}, within: 0 % }}\n"));
        let found = desk.numalab(&["sweep", "s.yaml"]).assert().code(1).get_output().clone();
        let told = text(&found.stdout) + &message(&found.stderr);
        says(&told, &["the baseline cannot be read", "of version 1", "rename the column to `iterations`"]);
    }
    // After renaming the columns as the message says, the file is accepted.
    let rows = fs::read_to_string(desk.path().join("old.csv")).unwrap();
    desk.put("old.csv", &rows.replace("packages", "iterations"));
    desk.answer(&["compare", "old.csv", "new.csv", "--exit-code"]);
}

#[test]
fn stores() {
    let desk = Desk::with("s.yaml", SWEEP);
    let first = desk.answer(&["sweep", "s.yaml", "-o", "-"]);
    let mark = fs::read_to_string(desk.path().join("s.store/numalab-store")).unwrap();
    desk.put("s.store/numalab-store", &mark.replace("format 3", "format 1"));
    refuses(&desk, &["sweep", "s.yaml"], &["s.store", "delete the folder, or name another with --store"]);
    refuses(&desk, &["sweep", "s.yaml", "--collect"], &["s.store"]);
    assert_eq!(desk.answer(&["sweep", "s.yaml", "-o", "-", "--store", "other"]), first);
    desk.put("s.store/numalab-store", &mark.replace("format 3", "format 4"));
    says(
        &desk.refusal(&["sweep", "s.yaml"]),
        &["version 4", "version 3", "name another folder with --store"],
    );
}

#[test]
fn runs() {
    let desk = Desk::empty();
    desk.answer(&[
        "sim",
        "socket:2 core:2",
        "loadbal",
        "--set",
        "workload.footprint=100 MB",
        "-o",
        "new.json",
    ]);
    let run = fs::read_to_string(desk.path().join("new.json")).unwrap();
    let version =
        |number: u32| run.replace("\"schema_version\": 3", &format!("\"schema_version\": {number}"));
    desk.put("old.json", &version(1));
    let again = "numalab sim MACHINE WORKLOAD --format json";
    refuses(&desk, &["place-threads", "--from-run", "old.json"], &["old.json", again]);
    desk.put("later.json", &version(4));
    let told = desk.refusal(&["place-threads", "--from-run", "later.json"]);
    says(&told, &["version 4", "version 3", "read it with the NumaLab that wrote it"]);
}

/// The example on the book's page about results equals the row that is printed for a thread.
#[test]
fn the_page_about_results() {
    let page = include_str!("../docs/results.md");
    let golden = include_str!("goldens/sim-pair-sweep-json.snap");
    let mut shown = page.lines().filter(|line| line.starts_with("{\"thread\":")).peekable();
    assert!(shown.peek().is_some(), "docs/results.md shows no thread");
    for line in shown {
        assert!(golden.contains(line), "{line}\nis not in what `sim` writes");
    }
    let version = golden.lines().find_map(|line| line.trim().strip_prefix("\"schema_version\": ")).unwrap();
    says(page, &[&format!("`schema_version` is {}.", version.trim_end_matches(','))]);
}
