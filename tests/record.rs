//! Programs recorded on this computer and replayed on others. How long anything took is nobody's verdict.
//!
//! They need clang with LLVM's OpenMP library; where these are missing, a line says so and the tests that need them end.

use crate::support::{Desk, failure, says, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/record");

/// Compilers here whose programs run on LLVM's OpenMP library.
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

/// A program of the fixtures, built by a compiler.
fn build(compiler: &str, name: &str, folder: &Path) -> Option<PathBuf> {
    let program = folder.join(name);
    let source = format!("{FIXTURES}/{name}.c");
    let words = ["-g", "-O1", "-fopenmp", "-o", program.to_str()?, &source];
    let built = Command::new(compiler).args(words).output().is_ok_and(|output| output.status.success());
    built.then_some(program)
}

/// Records a program and answers with what `trace show` says of it.
fn record(desk: &Desk, flags: &[&str], program: &Path, more: &[&str], schedule: &str) -> Value {
    let mut words = vec!["record", "-o", "prog.nlt", "--rounds", "1"];
    words.extend(flags);
    words.extend(["--", program.to_str().unwrap()]);
    words.extend(more);
    let output = desk.numalab(&words).env("OMP_SCHEDULE", schedule).assert().success().get_output().clone();
    says(&text(&output.stderr), &["prog.nlt: ", "kinds of work"]);
    serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap()
}

/// Classes of a kind: place, iterations, schedule, and how often it comes.
fn classes(shown: &Value, what: &str) -> Vec<(String, u64, String, u64)> {
    let classes = shown["classes"].as_array().unwrap().iter().filter(|class| class["what"] == what);
    let class = |class: &Value| {
        let word = |key: &str| class[key].as_str().unwrap().to_owned();
        let number = |key: &str| class[key].as_u64().unwrap();
        (word("place"), number("iterations"), word("recorded"), number("times"))
    };
    classes.map(class).filter(|class| class.3 > 0).collect()
}

#[test]
fn loops_are_found_with_their_lines_iterations_and_schedules() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "loop", desk.path()).unwrap();
        for (schedule, recorded) in
            [("dynamic,4", "dynamic,4"), ("guided,2", "guided,2"), ("static,8", "static,8")]
        {
            let shown = record(&desk, &["-t", "8"], &program, &["200"], schedule);
            let found = classes(&shown, "loop");
            let hot =
                found.iter().find(|class| class.3 == 3).unwrap_or_else(|| panic!("{compiler} {found:?}"));
            assert_eq!((hot.1, hot.2.as_str()), (200, recorded), "{compiler}");
            assert!(hot.0.starts_with("loop.c:1"), "{compiler} {hot:?}");
        }
    }
}

#[test]
fn chunks_that_the_runtime_does_not_tell_of_are_filled_in() {
    let desk = Desk::empty();
    for compiler in compilers().into_iter().filter(|name| name.starts_with("clang")) {
        let program = build(compiler, "fixed", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "4"], &program, &[], "static");
        assert_eq!(classes(&shown, "loop"), [("fixed.c:6".to_owned(), 50, "static,4".to_owned(), 1)]);
    }
}

/// fib(10) is 2 fib(11) - 1 = 177 calls, and the first of them is a task too. Six queens have 152 places to stand on
/// before or at the end of a row: the nodes of the search below its root.
#[test]
fn task_graphs_are_the_same_however_they_are_recorded() {
    let desk = Desk::empty();
    let mut graphs: Vec<(String, Vec<Value>)> = Vec::new();
    for compiler in compilers() {
        for (name, tasks) in [("fib", 177), ("nqueens", 152), ("chain", 24)] {
            let program = build(compiler, name, desk.path()).unwrap();
            for flags in [&["-t", "2"][..], &["-t", "8"], &["-t", "8", "--free"]] {
                let shown = record(&desk, flags, &program, &[], "static");
                let found = classes(&shown, "tasks");
                assert_eq!(
                    found.iter().map(|class| class.1).collect::<Vec<_>>(),
                    [tasks],
                    "{compiler} {name} {flags:?}"
                );
                let graph = graph(&desk);
                match graphs.iter().find(|(known, _)| known == name) {
                    Some((_, known)) => assert!(*known == graph, "{compiler} {name} {flags:?}"),
                    None => graphs.push((name.to_owned(), graph)),
                }
            }
        }
    }
}

/// Parents and predecessors of the recorded tasks.
fn graph(desk: &Desk) -> Vec<Value> {
    let path = desk.path().join("prog.nlt");
    let recording = numalab_formats::recording(path.to_str().unwrap()).unwrap();
    let tasks = recording.work.classes.iter().flat_map(|class| &class.tasks);
    tasks.map(|task| serde_json::json!([task.parent, task.waits, task.predecessors])).collect()
}

#[test]
fn a_recording_is_replayed_under_other_policies_and_teams() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "16"], &program, &["160"], "dynamic,1");
    let run = |ratio: &str, words: &[&str]| {
        let mut all = vec!["sim", "socket:2 core:4", "prog.nlt", "--format", "json", "--core-ratio", ratio];
        all.extend(words);
        let output = desk.numalab(&all).assert().success().get_output().clone();
        (serde_json::from_slice::<Value>(&output.stdout).unwrap(), text(&output.stderr))
    };
    let (result, notes) = run("0.5", &["-p", "static", "-p", "dynamic"]);
    says(&notes, &["note: it has no footprints"]);
    let time = |result: &Value, at: usize| result["runs"][at]["makespan_ps"].as_u64().unwrap();
    // The last of eight blocks of a triangle has 15 of 64 parts of the work, not 8: no dynamic schedule is as bad.
    assert!(time(&result, 0) > time(&result, 1), "{result}");
    // Half as fast, twice as long: all of it is computing, but for a little of the runtime's.
    let (slow, _) = run("0.25", &["-p", "static"]);
    let ratio = time(&slow, 0) as f64 / time(&result, 0) as f64;
    assert!((1.9..=2.0).contains(&ratio), "{ratio}");
    // One thread takes what was recorded, times two: the classes' costs.
    let shown: Value =
        serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap();
    let alone: f64 = shown["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| class["alone_ns"].as_f64().unwrap() * class["times"].as_f64().unwrap())
        .sum();
    let (one, _) = run("0.5", &["-p", "static", "-t", "1"]);
    let ratio = time(&one, 0) as f64 / (2000.0 * alone);
    assert!((0.99..1.02).contains(&ratio), "{ratio}");
}

#[test]
fn what_a_replay_cannot_know_is_asked_for() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "2"], &program, &["16"], "static");
    let sim = ["sim", "socket:2 core:2", "prog.nlt"];
    let refused = |more: &[&str]| desk.refusal(&[&sim[..], more].concat());
    says(&refused(&[]), &["how fast the machine's cores are", "--core-ratio 1"]);
    says(&refused(&["--core-ratio", "0"]), &["core_ratio is 0", "between 0.001 and 1000"]);
    says(
        &refused(&["--core-ratio", "1", "-p", "numa-steal:nearest"]),
        &["decides by where data are", "tip:"],
    );
    says(
        &refused(&["--core-ratio", "1", "--set", "workload.compared=loop.c"]),
        &["no loop is called loop.c", "loop.c:"],
    );
    says(&refused(&["--core-ratio", "1", "--set", "workload.ratio=2"]), &["no value ratio", "core_ratio"]);
    says(&desk.refusal(&["sim", "bcs16", "loadbal", "--core-ratio", "1"]), &["is for recorded programs"]);
}

#[test]
fn what_cannot_be_recorded_is_refused_with_the_reason() {
    let desk = Desk::empty();
    let record = |words: &[&str]| {
        let all = [&["record", "-o", "x.nlt", "--rounds", "1", "--"], words].concat();
        failure(desk.numalab(&all).assert().code(1))
    };
    says(&record(&["./nothing"]), &["cannot start \"./nothing\"", "no such program"]);
    says(&record(&["true"]), &["no parallel region was recorded", "tool interface"]);
    says(&record(&["false"]), &["\"false\" failed: exit status: 1"]);
    desk.put("static.c", "int main(void) { return 0; }\n");
    let built = Command::new("gcc")
        .args(["-static", "-o", "static", "static.c"])
        .current_dir(desk.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if built {
        says(&record(&["./static"]), &["is linked statically"]);
    }
    let message = failure(
        desk.numalab(&["record", "--cc", "/nonexistent", "-o", "x.nlt", "--", "true"]).assert().code(1),
    );
    says(&message, &["\"/nonexistent\" cannot be started", "--cc"]);
    assert!(!desk.path().join("x.nlt").exists(), "nothing half-written");
}

#[test]
fn the_recorder_can_be_taken_elsewhere() {
    let desk = Desk::empty();
    says(&desk.answer(&["record", "export", "recorder"]), &["recorder/README.md"]);
    says(&desk.refusal(&["record", "export", "recorder"]), &["is not empty"]);
    let folder = desk.path().join("recorder");
    let made = Command::new("make").current_dir(&folder).output().unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(text(&made.stderr), "", "no warnings");
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "fib", desk.path()).unwrap();
    let raw = desk.path().join("raw");
    fs::create_dir(&raw).unwrap();
    let ran = Command::new(&program)
        .env("OMP_TOOL_LIBRARIES", folder.join("numalab-recorder.so"))
        .env("NUMALAB_RECORD", &raw)
        .env("KMP_BLOCKTIME", "0")
        .env("OMP_NUM_THREADS", "3")
        .output()
        .unwrap();
    assert!(ran.status.success());
    let words = ["record", "--raw", "raw", "-o", "prog.nlt", "-t", "3", "--", "./fib"];
    desk.numalab(&words).assert().success();
    let shown = desk.answer(&["trace", "show", "prog.nlt"]);
    says(&shown, &["team of 3, 1 round", "tasks           177"]);
}

#[test]
fn recordings_are_shown_checked_and_dumped() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "4"], &program, &["32"], "dynamic,1");
    says(&desk.answer(&["trace", "check", "prog.nlt"]), &["meta ", "events ", " events\n"]);
    let lines = desk.answer(&["trace", "dump", "prog.nlt"]);
    let chunks = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "Chunk")
        .count();
    // 32 in each of three loops, and a block for each of four threads.
    assert_eq!(chunks, 100);
    says(&desk.answer(&["trace", "show", "prog.nlt", "--format", "csv"]), &["place,what,iterations"]);
    // Without its end the file still tells the work: it is made again of the events.
    let whole = fs::read(desk.path().join("prog.nlt")).unwrap();
    fs::write(desk.path().join("torn.nlt"), &whole[..whole.len() - 3]).unwrap();
    let torn = desk.numalab(&["trace", "check", "torn.nlt"]).assert().code(1).get_output().clone();
    says(&text(&torn.stdout), &["the file ends"]);
    let shown = |name: &str| desk.answer(&["trace", "show", name]);
    assert_eq!(shown("torn.nlt"), shown("prog.nlt"));
    desk.put("no.nlt", "name: loadbal\n");
    says(
        &desk.refusal(&["trace", "check", "no.nlt"]),
        &["no.nlt: it is no recorded program", "numalab record"],
    );
    says(&desk.refusal(&["trace", "show", "missing.nlt"]), &["missing.nlt"]);
}
