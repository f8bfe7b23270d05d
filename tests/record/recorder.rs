//! The recorder: refused programs, recordings without pages, messages.

use super::{build, compilers, record, replay};
use crate::support::{Desk, failure, says, text};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Two threads that run concurrently, without a token (free runs): the time within regions is recorded.
#[test]
fn free_team_is_recorded_too() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    let shown = record(&desk, &["-t", "16", "--pages", "off"], &program, &["96"], "dynamic,4");
    let here = std::thread::available_parallelism().unwrap().get().min(16);
    if here < 2 {
        eprintln!("skipped: one processor");
        return;
    }
    let free = &shown["recording"]["free"];
    assert_eq!(free["threads"].as_u64(), Some(here as u64));
    let times = free["regions_ns"].as_array().unwrap();
    assert!(times.len() == 1 && times[0].as_u64() > Some(0), "{free}");
    assert_eq!(free["switches"].as_array().map(Vec::len), Some(1), "{free}");
    says(&desk.answer(&["trace", "show", "prog.nlt"]), &[&format!("a free team of {here} took")]);
    // Changed recording: its region took an hour, and its threads lost a processor seven times.
    let path = desk.path().join("prog.nlt");
    let mut recording = numalab_replay::recording(path.to_str().unwrap()).unwrap();
    let free = recording.meta.free.as_mut().unwrap();
    (free.regions_ns, free.switches) = (vec![3_600_000_000_000], vec![7]);
    recording.write(&mut fs::File::create(&path).unwrap()).unwrap();
    let machine = format!("socket:1 core:{here}");
    let words = ["sim", &machine, "prog.nlt", "--core-ratio", "1", "--recorded-on", &machine];
    let told = text(&desk.numalab(&words).assert().success().get_output().stdout).replace('\n', " ");
    says(&told, &["3600000.000 ms recorded", "beyond 15 %", "lost a processor to other work 7 times"]);
}

/// Law: A team that shares its processors freely waits as the program does.
///
/// Free runs keep the program's own `KMP_BLOCKTIME` and record only regions; other runs use 0 and record all events.
#[test]
fn free_team_keeps_the_wait_policy() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        eprintln!("skipped: one processor");
        return;
    }
    let program = build(compiler, "fib", desk.path()).unwrap();
    let script =
        format!("echo ${{KMP_BLOCKTIME-own}} ${{NUMALAB_ONLY-all}} >>log; exec {}", program.display());
    let words =
        ["record", "-t", "2", "--rounds", "2", "--pages", "off", "-o", "x.nlt", "--", "sh", "-c", &script];
    desk.numalab(&words).env_remove("KMP_BLOCKTIME").assert().success();
    let log = fs::read_to_string(desk.path().join("log")).unwrap();
    // Two runs each: under the token, with one thread, and of the free team.
    assert_eq!(log, format!("{}{}", "0 all\n".repeat(2), "own regions\n".repeat(4)));
}

#[test]
fn replays_without_core_ratio_are_refused() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "2"], &program, &["16"], "static");
    let sim = ["sim", "socket:2 core:2", "prog.nlt"];
    let refused = |more: &[&str]| desk.refusal(&[&sim[..], more].concat());
    says(&refused(&[]), &["the speed of the machine's cores", "--core-ratio 1"]);
    says(&refused(&["--core-ratio", "0"]), &["--core-ratio is 0", "between 0.001 and 1000"]);
    says(&refused(&["--core-ratio", "1", "-p", "numa-steal:nearest"]), &["places work by its data", "help:"]);
    says(
        &refused(&["--core-ratio", "1", "--set", "workload.compared=loop.c"]),
        &["no loop is called loop.c", "loop.c:"],
    );
    says(&refused(&["--core-ratio", "1", "--set", "workload.ratio=2"]), &["no value ratio", "core_ratio"]);
    let twice = ["--core-ratio", "1", "--set", "workload.core_ratio=1"];
    says(&refused(&twice), &["--core-ratio and --set workload.core_ratio set the same value"]);
    for flag in ["--core-ratio=1", "--data=x.yaml", "--recorded-on=bcs16"] {
        says(&desk.refusal(&["sim", "bcs16", "loadbal", flag]), &["is for recorded programs"]);
    }
}

/// The recorder lets only the thread with the token run. In this program that thread waits for another one, which
/// needs the token to run.
#[test]
fn stuck_token_is_released() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "flag", desk.path()).unwrap();
    let words = ["record", "-t", "2", "--rounds", "1", "--patience", "1", "-o", "prog.nlt", "--"];
    let words = [&words[..], &[program.to_str().unwrap()]].concat();
    let output = desk.numalab(&words).assert().success().get_output().clone();
    assert_eq!(text(&output.stdout), "ok\n");
    says(&text(&output.stderr), &["waited for each other outside OpenMP", "--patience"]);
    says(&replay(&desk, &["--core-ratio", "1"]).1, &["note: unproven"]);
}

#[test]
fn unrecordable_programs_are_refused_with_reason() {
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

/// Programs of several OpenMP processes, such as MPI ranks, are refused; so are programs that end with `_exit`.
#[test]
fn several_processes_and_lost_ends_are_refused() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "fib", desk.path()).unwrap();
    let twice = format!("{0} >/dev/null & {0} >/dev/null; wait", program.display());
    let refused = |words: &[&str]| {
        let all = [&["record", "-o", "x.nlt", "-t", "2", "--rounds", "1", "--"], words].concat();
        failure(desk.numalab(&all).assert().code(1))
    };
    says(&refused(&["sh", "-c", &twice]), &["2 processes ran OpenMP", "MPI", "record one process by itself"]);
    desk.put("leaves.c", "#include <unistd.h>\nint main(void) {\n#pragma omp parallel\n{}\n_exit(0);\n}\n");
    let built = Command::new(compiler)
        .args(["-fopenmp", "-o", "leaves", "leaves.c"])
        .current_dir(desk.path())
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(built);
    says(&refused(&["./leaves"]), &["ended without its OpenMP library", "_exit"]);
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

/// Law: Lost parts of a recording are rebuilt from its events.
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
        .filter(|event| event["event"] == "Chunk" && event["round"] == 0)
        .count();
    // Three loops have 32 chunks each, and four threads a block each.
    assert_eq!(chunks, 100);
    says(&desk.answer(&["trace", "show", "prog.nlt", "--format", "csv"]), &["place,what,iterations"]);
    // A file without its end has its work rebuilt from its events.
    let whole = fs::read(desk.path().join("prog.nlt")).unwrap();
    fs::write(desk.path().join("torn.nlt"), &whole[..whole.len() - 3]).unwrap();
    let torn = desk.numalab(&["trace", "check", "torn.nlt"]).assert().code(1).get_output().clone();
    says(&text(&torn.stdout), &["the file ends"]);
    let shown = |name: &str| desk.answer(&["trace", "show", name]);
    let (torn, lost) =
        (shown("torn.nlt"), "1 blocks of the file are damaged: numalab trace check lists them\n\n");
    assert!(torn.contains(lost), "{torn}");
    assert_eq!(torn.replace(lost, ""), shown("prog.nlt"));
    desk.put("no.nlt", "name: loadbal\n");
    says(
        &desk.refusal(&["trace", "check", "no.nlt"]),
        &["no.nlt: it is not a recorded program", "numalab record"],
    );
    says(&desk.refusal(&["trace", "show", "missing.nlt"]), &["missing.nlt"]);
}
