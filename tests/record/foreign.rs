//! Traces of other tools, imported as recordings.

use super::{FIXTURES, build, compilers, record};
use crate::support::{Desk, says, text};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

fn shown(desk: &Desk, file: &str) -> Value {
    serde_json::from_str(&desk.answer(&["trace", "show", file, "--format", "json"])).unwrap()
}

/// The recording has the time that threads computed or waited for memory, rounded to Paraver's nanoseconds.
#[test]
fn a_simulated_run_comes_back_from_paraver() {
    let desk = Desk::empty();
    let words = ["sim", "bcs16", "loadbal", "-t", "8", "-p", "dynamic,16", "--no-sequential", "-o", "x.json"];
    desk.answer(&[&words[..], &["--trace", "run.prv"]].concat());
    desk.answer(&["trace", "import", "run.prv", "-o", "run.nlt"]);
    let trace = fs::read_to_string(desk.path().join("run.prv")).unwrap();
    let works = |line: &str| {
        let fields: Vec<u64> = line.split(':').filter_map(|field| field.parse().ok()).collect();
        match fields[..] {
            [1, _, _, _, _, from, to, 1 | 9] => to - from,
            _ => 0,
        }
    };
    let expected: u64 = trace.lines().map(works).sum();
    let shown = shown(&desk, "run.nlt");
    let classes = shown["classes"].as_array().unwrap();
    let places: Vec<&str> = classes.iter().map(|class| class["place"].as_str().unwrap()).collect();
    assert_eq!(places, ["initialise", "work"]);
    assert!(classes.iter().all(|class| class["iterations"] == 8), "{shown}");
    let sum: u64 = classes.iter().map(|class| class["alone_ns"].as_u64().unwrap()).sum();
    assert_eq!(sum, expected);
    says(
        &desk.refusal(&["trace", "import", "run.prv", "-o", "x.nlt", "--event", "90"]),
        &["has the type 90"],
    );
    says(
        &desk.refusal(&["trace", "import", "run.prv", "-o", "x.nlt", "--nested", "x"]),
        &["only OTF2 archives", "leave --nested out"],
    );
    desk.put("grains.csv", "id,region,us\na,solve,1\n");
    for (file, flag, value) in [
        ("run.prv", "--machine", "bcs16"),
        ("grains.csv", "--machine", "bcs16"),
        ("grains.csv", "--processors", "grains.csv"),
        ("grains.csv", "--event", "90"),
    ] {
        let words = ["trace", "import", file, "-o", "x.nlt", flag, value];
        says(&desk.refusal(&words), &["only ", &format!("leave {flag} out")]);
    }
}

/// Compares a recording with its import from an archive that OTF2's own library wrote: both have the same tasks. In
/// the archive written from the import, tasks nest, and OTF2's own tool reads it.
#[test]
fn tasks_come_back_from_an_archive_of_otf2() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let python = if fs::exists("/usr/bin/python3").unwrap() { "/usr/bin/python3" } else { "python3" };
    let can = |program: &str, words: &[&str]| {
        let quiet = Command::new(program).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    if !can(python, &["-c", "import otf2"]) || !can("otf2-print", &["--version"]) {
        eprintln!("skipped: no OTF2 here (apt-get install otf2-tools python3-otf2)");
        return;
    }
    for name in ["fib", "nqueens"] {
        let program = build(compiler, name, desk.path()).unwrap();
        let recorded = record(&desk, &["-t", "4", "--pages", "off"], &program, &[], "static");
        let dump = desk.answer(&["trace", "dump", "prog.nlt"]);
        desk.put("events.jsonl", &dump);
        let archive = format!("{name}-archive");
        let events = fs::File::open(desk.path().join("events.jsonl")).unwrap();
        let script = format!("{FIXTURES}/archive.py");
        let written =
            Command::new(python).args([&script, &archive]).current_dir(desk.path()).stdin(events).status();
        assert!(written.unwrap().success());
        desk.put("bound.csv", "thread,processor\n0,0\n1,1\n2,2\n3,7\n");
        let (anchor, nested) = (format!("{archive}/traces.otf2"), format!("{name}-nested"));
        let machine = ["--processors", "bound.csv", "--machine", "board:2 socket:2 core:2"];
        let words =
            [&["trace", "import", &anchor, "-o", "again.nlt", "--nested", &nested], &machine[..]].concat();
        let output = desk.numalab(&words).assert().success().get_output().clone();
        let told = text(&output.stderr);
        let tasks = |shown: &Value| {
            let classes =
                shown["classes"].as_array().unwrap().iter().filter(|class| class["what"] == "tasks");
            classes.map(|class| class["iterations"].as_u64().unwrap()).collect::<Vec<_>>()
        };
        let expected = tasks(&recorded);
        assert_eq!(tasks(&shown(&desk, "again.nlt")), expected);
        says(&told, &[&format!("{} tasks, suspended", expected[0]), "begun by their creators"]);
        let printed =
            Command::new("otf2-print").arg(desk.path().join(&nested).join("traces.otf2")).output().unwrap();
        assert!(printed.status.success() && printed.stderr.is_empty(), "{}", text(&printed.stderr));
        let printed = text(&printed.stdout);
        let mut open: Vec<Vec<&str>> = vec![Vec::new(); 8];
        for line in printed.lines() {
            let mut words = line.split_whitespace();
            let (kind, thread) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            let region = line.rsplit("Region: ").next().unwrap_or("");
            match kind {
                "ENTER" => open[thread.parse::<usize>().unwrap()].push(region),
                "LEAVE" => assert_eq!(open[thread.parse::<usize>().unwrap()].pop(), Some(region), "{line}"),
                _ => {}
            }
        }
        assert!(open.iter().all(Vec::is_empty));
        assert_eq!(
            printed.matches("task of").count() as u64,
            printed.matches("Region: \"task ").count() as u64 / 2
        );
        says(&desk.refusal(&words), &["exists already"]);
    }
}
