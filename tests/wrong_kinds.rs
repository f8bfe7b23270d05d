//! Files of another kind than expected, contradictory results, and messages with file and position.

use crate::support::{Desk, says, text};
use std::fs;

const ROWS: &str = "machine,policy,threads,seed,makespan_ps,error\nm,static,4,0,1000,\nm,dynamic,4,0,2000,\n";

/// A temporary folder with a recording, results, a topology as XML and a Parquet file, each under a misleading name.
fn desk() -> Desk {
    let desk = Desk::with("q.csv", ROWS);
    desk.put("q.toml", ROWS);
    desk.put("q.yaml", ROWS);
    let xml = include_str!("../crates/imports/tests/data/topology/synthetic-v2.xml");
    desk.put("t.xml", xml);
    desk.put("t.csv", xml);
    let run = ["sim", "socket:1 core:2", "fib", "-p", "tasks", "--set", "workload.n=8", "--no-sequential"];
    desk.answer(&[&run[..], &["--trace", "r.nlt", "-o", "r.json"]].concat());
    fs::copy(desk.path().join("r.nlt"), desk.path().join("r.toml")).unwrap();
    fs::copy(desk.path().join("r.nlt"), desk.path().join("r.yaml")).unwrap();
    desk
}

#[test]
fn wrong_file_kinds_are_named() {
    let desk = desk();
    for (command, parts) in [
        (&["sim", "q.csv", "loadbal"][..], &["q.csv", "these are results of runs, and no machine file"][..]),
        (&["sim", "q.toml", "loadbal"], &["q.toml", "these are results of runs"]),
        (&["sim", "hp8", "q.csv"], &["q.csv:1:1", "these are results of runs, and no workload file"]),
        (&["sim", "hp8", "q.yaml"], &["q.yaml:1:1", "these are results of runs"]),
        (&["sweep", "q.csv"], &["q.csv:1:1", "these are results of runs, and no sweep file"]),
        (&["calibrate", "fit", "q.csv", "-o", "m.toml"], &["q.csv holds results of runs"]),
        (&["show", "r.nlt"], &["r.nlt", "it is a recorded program"]),
        (&["show", "r.toml"], &["r.toml", "it is a recorded program"]),
        (&["sim", "r.toml", "loadbal"], &["r.toml", "it is a recorded program"]),
        (&["rank", "r.nlt"], &["r.nlt", "it is a recorded program"]),
        (&["calibrate", "fit", "r.nlt", "-o", "m.toml"], &["r.nlt", "it is a recorded program"]),
        (&["new", "workload", "w", "--from", "r.nlt"], &["r.nlt", "it is a recorded program"]),
        (&["trace", "import", "r.toml", "-o", "x.nlt"], &["r.toml", "it is a recorded program"]),
        (&["rank", "t.xml"], &["cannot read t.xml: it is XML"]),
        (&["rank", "t.csv"], &["cannot read t.csv: it is XML"]),
        (&["new", "machine", "m", "--from", "t.xml"], &["t.xml:1:1", "calibrate fit"]),
        (&["compare", "-", "-"], &["standard input", "only once"]),
        (&["trace", "show", "."], &["it is a directory"]),
        (&["trace", "dump", "r.nlt"], &["recording of a simulated run", "trace show"]),
    ] {
        let message = desk.refusal(command);
        says(&message, parts);
        assert_eq!(message.matches("error: ").count(), 1, "one reason: {message}");
    }
    // A text without a table of results is refused in one line.
    desk.put("words.txt", &"some words, and more\nand\n".repeat(200));
    let message = desk.refusal(&["rank", "words.txt"]);
    assert!(message.lines().count() < 10, "{message}");
}

#[test]
fn results_are_detected_from_text() {
    let desk = desk();
    desk.put("lines.csv", "{\"policy\":\"a\",\"makespan_ps\":1}\n{\"policy\":\"b\",\"makespan_ps\":2}\n");
    let name = desk.path().join("lines.parquet");
    fs::copy(desk.path().join("lines.csv"), &name).unwrap();
    fs::copy(desk.path().join("q.csv"), desk.path().join("q.jsonl")).unwrap();
    for file in ["lines.csv", "lines.parquet", "q.jsonl"] {
        says(&desk.answer(&["rank", file]), &["2.000"]);
    }
}

#[test]
fn impossible_values_are_refused_with_file_and_line() {
    let desk = desk();
    for (from, to, said) in [
        (",2000,", ",1e-90,", "`makespan_ps` is 1e-90"),
        (",2000,", ",1e19,", "`makespan_ps` is 1e19"),
        (",2000,", ",18446744073709551616,", "`makespan_ps` is "),
        ("dynamic,4,", "dynamic,4.5,", "`threads` is 4.5"),
        ("dynamic,4,", "dynamic,-4,", "`threads` is -4"),
        (",0,2000", ",x,2000", "`seed` is x"),
        (",2000,", ",2000,too large", "an `error` and a `makespan_ps`"),
        (",2000,", ",,", "neither a `makespan_ps` nor an `error`"),
    ] {
        desk.put("z.csv", &ROWS.replace(from, to));
        for command in [&["rank", "z.csv"][..], &["compare", "q.csv", "z.csv"]] {
            says(&desk.refusal(command), &["z.csv:3:", said]);
        }
    }
    desk.put("z.jsonl", "{\"policy\":\"a\",\"makespan_ps\":1}\n{\"policy\":\"b\"}\n");
    says(&desk.refusal(&["rank", "z.jsonl"]), &["z.jsonl:2:", "neither a `makespan_ps` nor an `error`"]);
    // Two results for the same run are refused.
    desk.put("z.csv", &format!("{ROWS}m,dynamic,4,0,3000,\n"));
    for command in [
        &["rank", "z.csv"][..],
        &["pareto", "z.csv", "--x", "threads", "--y", "makespan_ps"],
        &["plot", "z.csv", "--x", "policy", "--y", "makespan_ps", "-o", "p.svg"],
        &["compare", "q.csv", "z.csv"],
    ] {
        says(&desk.refusal(command), &["two different results, in rows 2 and 3"]);
    }
    // A repeated row is accepted, and so is another seed, which makes another run.
    desk.put("z.csv", &format!("{ROWS}m,dynamic,4,0,2000,\nm,dynamic,4,1,3000,\n"));
    desk.answer(&["rank", "z.csv"]);
    desk.put("z.csv", &ROWS.replace(",2000,", ",9000000000000,"));
    says(&desk.answer(&["rank", "z.csv"]), &["9.00e9"]);
}

#[test]
fn wrong_processor_lists_have_specific_errors() {
    let desk = Desk::empty();
    for wrong in ["x0", "x-1", "xnan", "x1e308"] {
        let set = format!("machine.memory.bandwidth={wrong}");
        says(
            &desk.refusal(&["sim", "hp8", "loadbal", "--set", &set]),
            &["--set:1:26", wrong, "is no multiple", "x2"],
        );
    }
    let run = ["sim", "socket:2 core:4", "loadbal", "-p", "static", "--set", "workload.footprint=10 MB"];
    fn with<'a>(run: &[&'a str], flags: &[&'a str]) -> Vec<&'a str> {
        [run, flags].concat()
    }
    says(
        &desk.refusal(&with(&run, &["--likwid-pin", "E:S0:4000"])),
        &["--likwid-pin: \"E:S0:4000\"", "at most once, but it names 4 in 4000 places"],
    );
    // A single number is a bitmap, of any length; its processors must exist.
    desk.answer(&with(&run, &["--cpuset", "000000000000000f", "--no-sequential"]));
    let long = format!("0x1{}", "0".repeat(40));
    says(&desk.refusal(&with(&run, &["--cpuset", &long])), &["--cpuset: the list names processor 160"]);
    // A shortened argument ends with an ellipsis.
    let list = "1-".repeat(60);
    says(&desk.refusal(&with(&run, &["--physcpubind", &list])), &["…\" is not understood"]);
}

#[test]
fn failed_runs_name_file_and_line_of_the_phase() {
    let desk = Desk::empty();
    for (command, parts) in [
        (
            &["sim", "hp8", "dsm_bandwidth", "--no-series"][..],
            &["dsm_bandwidth.yaml (built in):", "phase \"echo\""][..],
        ),
        (&["sim", "hp8", "heat", "-p", "static"], &["heat.yaml (built in):", "which static cannot execute"]),
        (
            &["sim", "hp8", "stream", "-p", "static", "--no-series", "--set", "workload.footprint=100TB"],
            &["stream.yaml (built in):", "is full"],
        ),
        (&["explain", "hp8", "heat", "-p", "static"], &["heat.yaml (built in):"]),
    ] {
        says(&desk.refusal(command), parts);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for words in [&["help", "sim"][..], &["--version"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_numalab"))
            .args(words)
            .stdout(full)
            .stderr(std::process::Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(1), "{words:?}");
    }
}

#[test]
fn reserved_catalogue_names_are_reported() {
    let desk = Desk::empty();
    says(&desk.answer(&["new", "machine", "bcs16"]), &["replaces the built-in machine of that name"]);
    assert!(!desk.answer(&["new", "machine", "mine"]).contains("catalogue"));
}

#[test]
fn piped_inputs_are_named_after_their_program() {
    let desk = desk();
    let mut command = desk.numalab(&["sim", "socket:1 core:2", "-", "--format", "csv", "--no-sequential"]);
    let piped = command.write_stdin(fs::read(desk.path().join("r.nlt")).unwrap()).assert().success();
    says(&text(&piped.get_output().stdout), &["fib"]);
}
