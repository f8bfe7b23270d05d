//! Costs that recordings keep: those of the program, without the recorder's and the runtime's.

use super::{build, compilers, record, replay};
use crate::support::{Desk, says};
use serde_json::Value;

/// Nanoseconds of all classes of a kind, or of all in regions.
fn sum_ns(shown: &Value, of: impl Fn(&Value) -> bool) -> f64 {
    let classes = shown["classes"].as_array().unwrap().iter().filter(|class| of(class));
    classes.map(|class| class["alone_ns"].as_f64().unwrap() * class["times"].as_f64().unwrap()).sum()
}

/// Law: Costs of the recorder are measured by constructs that do nothing, and are taken out.
///
/// The recorded sum of short regions is that of one thread, or every replay says by how much it is not.
#[test]
fn costs_of_recording_are_taken_out() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "short", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "16", "--pages", "off"], &program, &[], "static");
        let costs = &shown["recording"]["recorder"];
        for part in ["start_ns", "body_ns", "static_chunk_ns", "dynamic_chunk_ns", "task_ns", "bandwidth"] {
            assert!(costs[part].as_u64() > Some(0), "{compiler} {part}: {costs}");
        }
        let loops: Vec<&Value> =
            shown["classes"].as_array().unwrap().iter().filter(|class| class["what"] == "loop").collect();
        assert!(loops.iter().any(|class| class["recorder_ns"].as_u64() > Some(0)), "{compiler} {loops:?}");
        let one = &shown["recording"]["one_thread"];
        assert_eq!((one["threads"].as_u64(), one["regions_ns"].as_array().unwrap().len()), (Some(1), 1));
        let one = one["regions_ns"][0].as_f64().unwrap();
        let recorded = sum_ns(&shown, |class| class["what"] != "serial");
        let (_, notes) = replay(&desk, &["--core-ratio", "1", "-p", "static"]);
        // An empty region of one thread takes up to 2.5 us.
        let near = (recorded - one).abs() <= 0.15 * one + 200.0 * 2500.0;
        let noted = notes.contains("were recorded in regions, and one thread takes");
        assert!(near || (noted && notes.contains("note: unproven")), "{compiler} {recorded} {one}: {notes}");
        // No part is more than the whole, and more than a tenth proves nothing.
        for line in notes.lines().filter(|line| line.contains("of its time is left out")) {
            let percent = line.split(" %").next().and_then(|text| text.rsplit(' ').next()).unwrap();
            let percent: f64 = percent.parse().unwrap();
            assert!(percent < 100.0 && (percent <= 10.0) != line.contains("unproven"), "{line}");
        }
    }
}

/// Law: Instances of one construct keep their costs.
///
/// A loop runs eleven times, once with twenty times the work. The program ends with a status of its own, and its
/// recording is kept.
#[test]
fn instances_keep_their_costs() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "uneven", desk.path()).unwrap();
        let flags = ["-o", "prog.nlt", "--pages", "off", "-t", "4"];
        let words = [&["record"], &flags[..], &["--", program.to_str().unwrap()]].concat();
        let told = crate::support::text(&desk.numalab(&words).assert().success().get_output().stderr);
        says(&told, &["ended with exit status 3"]);
        let shown: Value =
            serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap();
        // gcc's members have parts of regions beside the loop.
        let is_loop = |class: &Value| class["iterations"] == 1024;
        let loops: Vec<&Value> =
            shown["classes"].as_array().unwrap().iter().filter(|class| is_loop(class)).collect();
        let times: u64 = loops.iter().map(|class| class["times"].as_u64().unwrap()).sum();
        assert_eq!(times, 11, "{compiler} {loops:?}");
        let most = loops.iter().map(|class| class["most_ns"].as_f64().unwrap()).fold(0.0, f64::max);
        let all = sum_ns(&shown, is_loop);
        // 20 of 30 parts of the work; eleven medians would be 1 of 11.
        assert!((0.4..0.8).contains(&(most / all)), "{compiler} {most} {all}: {loops:?}");
        assert_eq!(shown["recording"]["exit_status"], 3);
        says(&replay(&desk, &["--core-ratio", "1"]).1, &["the program ended with exit status 3"]);
    }
}

/// Law: A limited recording has the program up to the end of a region, and the program runs to its end.
///
/// A run of 200 regions has some 12 000 events of 40 bytes, in blocks of 64 kB for each thread.
#[test]
fn recordings_end_at_their_limit() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "short", desk.path()).unwrap();
    let alone = std::process::Command::new(&program).output().unwrap();
    let flags = ["-o", "prog.nlt", "--rounds", "1", "--pages", "off", "-t", "8", "--limit", "200kB"];
    let words = [&["record"], &flags[..], &["--", program.to_str().unwrap()]].concat();
    let output = desk.numalab(&words).assert().success().get_output().clone();
    assert_eq!(output.stdout, alone.stdout);
    says(&crate::support::text(&output.stderr), &["ended at its size limit (--limit)"]);
    let shown: Value =
        serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap();
    let loops = shown["classes"].as_array().unwrap().iter().filter(|class| class["what"] == "loop");
    let times: u64 = loops.map(|class| class["times"].as_u64().unwrap()).sum();
    assert!((10..190).contains(&times), "{times}");
    says(&replay(&desk, &["--core-ratio", "1"]).1, &["the recording ended at its size limit"]);
}

/// Law: Work of the program ends when `main` returns.
///
/// Members of the last team leave it after the program's end: at the end of the process.
#[test]
fn the_end_of_the_runtime_is_not_the_programs() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "short", desk.path()).unwrap();
    record(&desk, &["-t", "8", "--pages", "off"], &program, &[], "static");
    let lines = desk.answer(&["trace", "dump", "prog.nlt"]);
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let time = |event: &Value| event["time_ns"].as_u64().unwrap();
    let end = events.iter().find(|event| event["event"] == "Ended").map(time).unwrap();
    let left = events.iter().filter(|event| event["event"] == "ImplicitEnd" && time(event) > end).count();
    assert_eq!(left, 7);
}

/// Law: A wait for the turn of an iteration passes the token.
///
/// The runtime reports these waits too late or not at all; the waiting thread yields its processor.
#[test]
fn ordered_loops_pass_the_token() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "ordered", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "8", "--pages", "off"], &program, &[], "static");
        assert_eq!(shown["recording"]["token"], "passed", "{compiler}");
        let (_, notes) = replay(&desk, &["--core-ratio", "1"]);
        says(&notes, &["unproven: ", "its iterations have ordered parts"]);
    }
}
