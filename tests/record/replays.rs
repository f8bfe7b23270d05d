//! Recordings, and tables of chunks and tasks, replayed on other machines.

use super::{build, compilers, makespan_ms, record, replay};
use crate::support::{Desk, says, text};
use serde_json::Value;

#[test]
fn a_recording_is_replayed_on_other_machines_and_teams() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "16"], &program, &["160"], "dynamic,1");
    let time = |ratio: &str, threads: &str| {
        let words = ["-p", "static", "--core-ratio", ratio, "-t", threads];
        let (result, notes) = replay(&desk, &words);
        says(&notes, &["note: it has no footprints"]);
        makespan_ms(&result, 0)
    };
    // Half the core ratio doubles the time: all of it is computing, except for a little in the runtime.
    let ratio = time("0.25", "8") / time("0.5", "8");
    assert!((1.9..=2.0).contains(&ratio), "{ratio}");
    // One thread takes twice the recorded cost of the classes. The cost that each member of a region has for itself
    // counts once in a team of one; on a busy machine it is large for some of the sixteen recorded members.
    let shown: Value =
        serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap();
    let cost = |class: &Value| class["alone_ns"].as_f64().unwrap() * class["times"].as_f64().unwrap();
    let (of_members, shared): (Vec<&Value>, Vec<&Value>) =
        shown["classes"].as_array().unwrap().iter().partition(|class| class["what"] == "region");
    let sum = |classes: Vec<&Value>| 2e-6 * classes.into_iter().map(cost).sum::<f64>();
    let (shared, of_members, one) = (sum(shared), sum(of_members), time("0.5", "1"));
    assert!((0.99 * shared..1.02 * (shared + of_members)).contains(&one), "{one}: {shared}, {of_members}");
}

/// Eight iterations of 1, 2, ... 8 ms on four threads. `static` gives the last thread 7 and 8 ms: 15 ms. Under
/// `dynamic`, threads are idle after 1, 2, 3 and 4 ms and take the iterations of 5, 6, 7 and 8 ms in this order: they
/// end after 6, 8, 10 and 12 ms.
#[test]
fn imported_chunks_are_replayed_as_calculated_by_hand() {
    let mut table = "id,region,first,count,us\n".to_owned();
    // The rows of the table may be in any order.
    for i in [7, 0, 3, 1, 2, 6, 5, 4] {
        table += &format!("g{i},hot,{i},1,{}\n", 1000 * (i + 1));
    }
    let desk = Desk::with("grains.csv", &table);
    assert_eq!(desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]), "");
    let (result, _) = replay(&desk, &["-t", "4", "--core-ratio", "1", "-p", "static", "-p", "dynamic"]);
    for (run, expected) in [(0, 15.0), (1, 12.0)] {
        let ms = makespan_ms(&result, run);
        assert!((expected..expected + 0.05).contains(&ms), "{ms} instead of {expected}");
    }
}

/// Tables show long names of a replay's phases in full.
#[test]
fn no_phase_of_a_replay_is_cut() {
    let names: Vec<String> = (0..6).map(|i| format!("a_function_with_a_long_name_{i}")).collect();
    let mut table = "id,region,first,count,us\n".to_owned();
    names.iter().for_each(|name| table += &format!("{name},{name},0,1,10\n"));
    let desk = Desk::with("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let words = ["sim", "socket:2 core:4", "prog.nlt", "--core-ratio", "1", "-p", "static"];
    let shown = text(&desk.numalab(&words).assert().success().get_output().stdout);
    names.iter().for_each(|name| assert!(shown.contains(name), "{name}\n{shown}"));
}

/// Tasks b and c wait for a; d waits for both: 1 + 3 + 1 ms. Task e creates f and g: after 2 ms, 4 and 1 ms run in
/// parallel. In the third table, i waits for e but not for the children of e, and g for f but not for h: 2 + 4 + 1
/// ms; h and i end after 5 and 3 ms.
#[test]
fn imported_tasks_are_replayed_as_calculated_by_hand() {
    for (table, expected) in [
        ("id,region,us,after\na,hot,1000,\nb,hot,3000,a\nc,hot,2000,a\nd,hot,1000,b c\n", 5.0),
        ("id,region,us,parent\ne,hot,2000,\nf,hot,4000,e\ng,hot,1000,e\n", 6.0),
        (
            "id,region,us,parent,after\ne,hot,2000,,\nf,hot,4000,e,\ng,hot,1000,e,f\nh,hot,3000,e,\ni,hot,1000,,e\n",
            7.0,
        ),
    ] {
        let desk = Desk::with("grains.csv", table);
        desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
        let (result, _) = replay(&desk, &["-t", "4", "--core-ratio", "1"]);
        let ms = makespan_ms(&result, 0);
        assert!((expected..expected + 0.1).contains(&ms), "{ms} instead of {expected}");
    }
}

/// Two loops of two chunks over 64 MB. The first loop places each half on the node of its thread. If the chunks of
/// the second loop are swapped, each thread reads the other node's half, and 32 MB cross the link in each direction;
/// otherwise none.
#[test]
fn grains_touch_their_listed_bytes() {
    let half = 32 << 20;
    let loops = |swapped: bool| {
        let row = |name: &str, chunk: u64, part: u64, mode: &str| {
            let (first, end) = (part * half, (part + 1) * half);
            format!("{name}{chunk},{name},1000,{chunk},1,u:{first}..{end}{mode}\n")
        };
        let parts = if swapped { [1, 0] } else { [0, 1] };
        let rows = [
            row("fill", 0, 0, ":w"),
            row("fill", 1, 1, ":w"),
            row("read", 0, parts[0], ""),
            row("read", 1, parts[1], ""),
        ];
        let desk = Desk::with("grains.csv", &format!("id,region,us,first,count,data\n{}", rows.concat()));
        desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
        let words =
            ["sim", "socket:2 core:1", "prog.nlt", "--core-ratio", "1", "-p", "static", "--format", "json"];
        let output = desk.numalab(&words).assert().success().get_output().clone();
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let phases = result["runs"][0]["phases"].as_array().unwrap();
        phases.iter().map(|phase| phase["remote_bytes"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((loops(false), loops(true)), (0, 2 * half));
}

#[test]
fn tables_of_grains_are_checked_line_by_line() {
    for (table, parts) in [
        ("", &["grains.csv", "there are no grains"][..]),
        ("id,region,ms\n", &["grains.csv:1:11", "called ms", "expected one of id"]),
        ("id,region\n", &["the column us is missing"]),
        ("id,region,us\na,hot\n", &["grains.csv:2:1", "2 cells", "expected 3"]),
        ("id,region,us\na,hot,-1\n", &["grains.csv:2:7", "-1 is no time"]),
        ("id,region,us\na,hot,1\na,hot,1\n", &["grains.csv:3:1", "the task a is there twice"]),
        ("id,region,us,after\na,hot,1,b\nb,hot,1,\n", &["grains.csv:2:9", "the task b is no earlier task"]),
        (
            "id,region,us,first,count\na,hot,1,0,2\nb,hot,1,3,1\n",
            &["grains.csv:3:1", "expected 2 as the first"],
        ),
        (
            "id,region,us,data\na,hot,1,u:8..4\n",
            &["grains.csv:2:9", "u:8..4 names no bytes", "expected such as u:0..8192"],
        ),
        ("id,region,us,data\na,hot,1,:0..4\n", &["names no bytes"]),
        ("id,region,us,data\na,hot,1,u:0..8 u:4..6:w\n", &["byte 4 of u is there twice"]),
        ("id,region,us,first,count\na,hot,1,0,0\n", &["grains.csv:2:11", "no number of iterations"]),
        ("id,region,us,first,count\na,hot,1,0,\n", &["one is missing"]),
        (
            "id,region,us,parent,after\na,hot,1,,\nb,hot,1,a,a\n",
            &["grains.csv:3:1", "b waits for a, which another task creates", "the same parent"],
        ),
    ] {
        let desk = Desk::with("grains.csv", table);
        says(&desk.refusal(&["trace", "import", "grains.csv", "-o", "prog.nlt"]), parts);
        assert_eq!(desk.files(), ["grains.csv"]);
    }
}
