//! What the language of workload files says about mistakes in it.

use crate::support::{Scratch, assert_shows};
use numalab_formats::{Experiment, Facts, parse_overrides, workload};
use numalab_program::{Mode, NodeSet, Page, Placement, Slice};
use numalab_units::Bytes;
use std::fs;

/// Two boards of two nodes with four cores each.
const FACTS: Facts = Facts {
    threads: 8,
    nodes: 4,
    sockets: 4,
    boards: 2,
    cores: 16,
    processors: 32,
    line: 64,
    page: 4096,
    last_level_cache: 1 << 20,
};

const FILE: &str = "\
name: w
parameters:
  n: threads * 2
  variant: { choices: [serial, parallel, on/off], default: parallel }
  size: if(variant == serial, 1 MB, 2 MB)
regions:
  data:
    size: size
    placement: { if: variant == serial, then: { bind: nodes - 1 }, else: interleave:0-2 }
    page: 64 KiB
phases:
  - name: first-touch
    when: variant == serial
    loop: { iterations: n, touches: [{ region: data, slice: { partition: 1 }, mode: write }] }
  - name: work
    measured: true
    repeat: n / 4
    loop: { iterations: n, touches: [{ region: data, slice: { partition: 1 }, mode: read, when: n > 1 }] }
rounds: n / 8
binding: { places: cores, proc_bind: close }
series: { over: threads, values: { from: 1, to: threads, factor: 2 } }
measures:
  bandwidth: { value: bytes / time, unit: GB/s }
  speedup: { value: base_time / time, against: { threads: 1, variant: serial } }
  drop: { value: bandwidth, unit: '%', of_series: min / first }
";

fn load(text: &str, set: &[&str]) -> Result<Experiment, String> {
    let scratch = Scratch::new();
    let path = scratch.write("w.yaml", text);
    let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    let (_, set) = parse_overrides(&set).unwrap();
    let path = path.to_str().unwrap();
    workload(path, &set, &FACTS).map_err(|error| error.to_string().replace(path, "FILE"))
}

/// The file with one text replaced by another is wrong so.
#[track_caller]
fn wrong(from: &str, to: &str) -> String {
    assert!(FILE.contains(from), "{from}");
    load(&FILE.replacen(from, to, 1), &[]).err().unwrap()
}

#[test]
fn facts_words_and_conditions_decide() {
    let loaded = load(FILE, &[]).unwrap();
    let workload = &loaded.workload.value;
    assert_eq!(workload.regions[0].size, Bytes(2_000_000));
    assert_eq!(workload.regions[0].placement, Placement::Interleave(NodeSet::List(vec![0, 1, 2])));
    assert_eq!(workload.regions[0].page, Page::Fixed(Bytes(65536)));
    assert_eq!(workload.phases.len(), 1);
    assert_eq!((workload.rounds, workload.phases[0].repeat, workload.phases[0].iterations), (2, 4, 16));
    assert_eq!(workload.binding.places.as_deref(), Some("cores"));
    let pairs =
        [("n", "threads * 2"), ("variant", "parallel"), ("size", "if(variant == serial, 1 MB, 2 MB)")];
    assert_eq!(workload.parameters, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let serial = load(FILE, &["workload.variant=serial"]).unwrap().workload;
    assert_eq!(serial.value.regions[0].placement, Placement::Bind(NodeSet::List(vec![3])));
    assert_eq!(serial.value.phases.len(), 2);
    assert_ne!(serial.hash, loaded.workload.hash);
    // A choice that is no name can be taken too.
    assert!(load(FILE, &["workload.variant=on/off"]).is_ok());
}

#[test]
fn measures_are_evaluated_from_what_runs_yield() {
    let questions = load(FILE, &[]).unwrap().questions;
    let run = |name: &str, change: Option<&numalab_formats::Change>| match (name, change) {
        ("time", None) => Some(2.0),
        ("bytes", None) => Some(8e9),
        ("time", Some(change)) => {
            assert_eq!(change.threads, Some(1));
            assert_eq!(change.overrides, ["workload.parameters.variant=serial"]);
            Some(9.0)
        }
        _ => None,
    };
    assert_eq!(questions.value("bandwidth", &run), Some(4e9));
    assert_eq!(questions.measures[0].unit.show(4e9), 4.0);
    assert_eq!(questions.value("speedup", &run), Some(4.5));
    assert_eq!(questions.value("drop", &run), Some(4e9));
    assert_eq!(questions.value("n", &run), Some(16.0));
    assert_eq!(questions.value("pages_moved", &run), None);
    // A phase that is left out takes no time; one that runs takes what it takes.
    assert_eq!(questions.value("time_first_touch", &run), Some(0.0));
    assert_eq!(questions.value("time_work", &run), None);
    let drop = &questions.measures[2];
    assert_eq!(drop.of_series(&[4.0, 1.0, 2.0]), Some(0.25));
    assert_eq!(drop.unit.show(0.25), 25.0);
    assert_eq!(drop.of_series(&[]), None);
}

#[test]
fn series_end_where_they_say() {
    let values = |text: &str, over: &str| -> Vec<f64> {
        let file = FILE.replace("{ from: 1, to: threads, factor: 2 }", text);
        let file = file.replace("over: threads", &format!("over: {over}"));
        let series = load(&file, &[]).unwrap().questions.series.unwrap();
        series.points.iter().map(|point| point.value).collect()
    };
    assert_eq!(values("{ from: 1, to: 12, factor: 2 }", "threads"), [1.0, 2.0, 4.0, 8.0, 12.0]);
    assert_eq!(values("{ from: 0, to: 1, step: 0.25 }", "n"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(values("{ from: 3, to: 3, step: 1 }", "n"), [3.0]);
    assert_eq!(values("\"1, max(2, 3), 2 * threads\"", "threads"), [1.0, 3.0, 16.0]);
    assert_eq!(values("[1 KiB, n]", "size"), [1024.0, 16.0]);
    let file = FILE.replace(
        "over: threads, values: { from: 1, to: threads, factor: 2 }",
        "over: variant, values: [serial, on/off]",
    );
    let series = load(&file, &[]).unwrap().questions.series.unwrap();
    let texts: Vec<&str> = series.points.iter().map(|point| point.text.as_str()).collect();
    assert_eq!(texts, ["serial", "on/off"]);
    assert_eq!(series.points[1].change.overrides, ["workload.parameters.variant=on/off"]);
}

#[test]
fn a_wrong_choice_is_shown_with_the_nearest() {
    let error = load(FILE, &["workload.variant=seral"]).err().unwrap();
    assert_shows(
        &error,
        &["--> --set:1:18", "parameters.variant cannot be \"seral\"", "did you mean `serial`?"],
    );
    let error = wrong("default: parallel", "default: paralel");
    assert_shows(&error, &["FILE:4", "did you mean `parallel`?"]);
    assert_shows(
        &wrong("variant == serial, 1 MB", "variant == seril, 1 MB"),
        &["unknown name `seril`", "did you mean `serial`?"],
    );
    assert_shows(&wrong("choices: [serial, parallel, on/off]", "choices: []"), &["expected at least 1"]);
    assert_shows(
        &wrong("[serial, parallel, on/off]", "[serial, parallel, parallel]"),
        &["`parallel` is here twice"],
    );
    assert_shows(&wrong("[serial, parallel, on/off]", "[n, parallel]"), &["`n` is a parameter and a word"]);
    assert_shows(&wrong("[serial, parallel, on/off]", "[nodes, parallel]"), &["`nodes` has a meaning"]);
    assert_shows(&wrong("  n: threads", "  threads: threads"), &["`threads` has a meaning in expressions"]);
    assert_shows(
        &wrong("  n: threads", "  bytes: 1\n  n: threads"),
        &["`bytes` has a meaning in expressions"],
    );
}

#[test]
fn comparisons_and_conditions_say_what_is_wrong() {
    let size = |text: &str| wrong("size: if(variant == serial, 1 MB, 2 MB)", &format!("size: {text}"));
    assert_shows(&size("1 < n < 3"), &["comparisons do not chain", "expected `and`"]);
    assert_shows(&size("if(n, 1)"), &["expected `,`: `if` takes 3 arguments"]);
    assert_shows(&size("n = 3"), &["did you mean `==`?"]);
    assert_shows(&size("n and"), &["the expression ends too early"]);
    assert_shows(&size("row_entries(3)"), &["there is no matrix here", "expected `matrix: FILE.mtx`"]);
}

#[test]
fn placements_and_pages_fit_the_machine() {
    let placement = |text: &str| {
        wrong("{ if: variant == serial, then: { bind: nodes - 1 }, else: interleave:0-2 }", text)
    };
    assert_shows(&placement("{ bind: nodes }"), &["the machine has no node 4", "expected 0 to 3"]);
    assert_shows(&placement("bind:0-7"), &["the machine has no node 4"]);
    assert_shows(&placement("interleav"), &["unknown placement \"interleav\"", "did you mean `interleave`?"]);
    assert_shows(&placement("{ bind: 3-1 }"), &["run backwards"]);
    assert_shows(&placement("{ bind: 0, preferred: 1 }"), &["this says no placement"]);
    assert_shows(&placement("{ if: 1 }"), &["this says no placement"]);
    assert_shows(&placement("{ if: 1, then: bind:0, else: { migrate: 9 } }"), &["no node 9"]);
    assert_shows(&placement("{ preferred: 0.5 }"), &["preferred is 0.5", "expected a whole number"]);
    assert_shows(&wrong("page: 64 KiB", "page: 60 KiB"), &["page is 61440 bytes", "expected a power of two"]);
    assert_shows(&wrong("page: 64 KiB", "page: 16"), &["page is 16", "expected at least 64"]);
    let file = FILE.replace("page: 64 KiB", "page: transparent");
    assert_eq!(load(&file, &[]).unwrap().workload.value.regions[0].page, Page::Transparent);
}

#[test]
fn phases_say_when_and_how_often() {
    assert_shows(&wrong("rounds: n / 8", "rounds: n / 7"), &["rounds is 2.28", "expected a whole number"]);
    assert_shows(&wrong("rounds: n / 8", "rounds: 0"), &["rounds is 0", "expected at least 1"]);
    assert_shows(&wrong("rounds: n / 8", "rounds: 1e9"), &["1000000000 in all"]);
    assert_shows(&wrong("repeat: n / 4", "repeat: 0"), &["repeat is 0"]);
    assert_shows(&wrong("when: variant == serial", "when: variant == serail"), &["unknown name `serail`"]);
    assert_shows(
        &wrong("    measured: true", "    measured: true\n    when: 0"),
        &["every measured phase is left out"],
    );
    // Names are looked up in what is left out as well.
    assert_shows(
        &wrong("{ partition: 1 }, mode: write", "{ partition: m }, mode: write"),
        &["unknown name `m`"],
    );
    assert_shows(
        &wrong("region: data, slice: { partition: 1 }, mode: write", "region: dat, mode: write"),
        &["did you mean `data`?"],
    );
    assert_shows(&wrong("when: n > 1", "when: n > o"), &["unknown name `o`"]);
}

#[test]
fn series_and_measures_say_what_is_wrong() {
    let series = |text: &str| wrong("{ from: 1, to: threads, factor: 2 }", text);
    assert_shows(
        &wrong("over: threads", "over: thread"),
        &["there is no parameter `thread`", "did you mean `threads`?"],
    );
    assert_shows(&series("{ from: 1, to: 8 }"), &["this says no range"]);
    assert_shows(&series("{ from: 1, to: 8, factor: 1 }"), &["factor is 1", "expected more than 1"]);
    assert_shows(&series("{ from: 8, to: 1, step: 1 }"), &["from 8 to 1"]);
    assert_shows(&series("{ from: 1, to: 1e9, step: 1 }"), &["at most 10000 steps"]);
    assert_shows(&series("\"1, tow, 4\""), &["unknown name `tow`"]);
    assert_shows(&series("[1, 2.5]"), &["a team cannot have 2.5 threads"]);
    assert_shows(&series("[]"), &["the series has no values"]);
    let value = |text: &str| wrong("value: bytes / time,", &format!("value: {text},"));
    assert_shows(&value("byte / time"), &["unknown name `byte`", "did you mean `bytes`?"]);
    assert_shows(&value("bytes_wrk"), &["did you mean `bytes_work`?"]);
    assert_shows(&value("base_time"), &["`base_time` needs another run", "expected `against`"]);
    assert_shows(&value("speedup"), &["unknown name `speedup`"]);
    assert_shows(&value("row_entries(1)"), &["a measure has no rows"]);
    assert_shows(&wrong("unit: GB/s", "unit: GBs"), &["unknown unit \"GBs\""]);
    assert_shows(
        &wrong("variant: serial }", "variant: seral }"),
        &["variant cannot be \"seral\"", "did you mean `serial`?"],
    );
    assert_shows(&wrong("threads: 1,", "threads: 0,"), &["threads is 0"]);
    assert_shows(&wrong("threads: 1,", "thrads: 1,"), &["there is no parameter `thrads`"]);
    assert_shows(&wrong("of_series: min / first", "of_series: min / frst"), &["did you mean `first`?"]);
    assert_shows(
        &wrong("  drop: { value: bandwidth,", "  drop: { value: base_speedup, against: { n: 1 },"),
        &["`speedup` compares runs itself"],
    );
    assert_shows(&wrong("  speedup:", "  time:"), &["`time` has a meaning in expressions"]);
}

#[test]
fn patterns_of_access_become_slices() {
    let slice = |text: &str| {
        let file = FILE.replace("slice: { partition: 1 }, mode: read", &format!("slice: {text}, mode: read"));
        load(&file, &[]).map(|loaded| loaded.workload.value.phases[0].accesses[0].slice.clone())
    };
    // 16 iterations on 2 MB: 125 000 bytes each.
    assert_eq!(slice("{ partition: 1, halo: 100 }").unwrap().range(1), (124_900, 250_100));
    assert_eq!(
        slice("{ start: 64 * i, length: 8, stride: 6400, count: 10 }").unwrap().range(1),
        (64, 57_672)
    );
    assert_eq!(slice("{ gather: 5, element: 8 }").unwrap().range(1), (0, 2_000_000));
    assert!(matches!(slice("{ gather: 5, element: 8, around: i, width: 64 }"), Ok(Slice::Sparse(_))));
    let error = |text: &str| slice(text).unwrap_err();
    assert_shows(&error("{ partition: 1, halo: 0 - 1 }"), &["the halo of iteration 0 is -1 bytes"]);
    assert_shows(&error("{ partition: 1, count: 1 }"), &["this says no slice", "gather"]);
    assert_shows(&error("{ gather: 5 }"), &["this says no slice"]);
    assert_shows(&error("{ gather: 5, element: 0 }"), &["element is 0"]);
    assert_shows(&error("{ gather: 5, element: 8, around: 3 MB, width: 8 }"), &["around byte 3000000"]);
    assert_shows(&error("{ start: 0, length: 1 MB, stride: 1 MB, count: 3 }"), &["reaches byte 3000000"]);
}

#[test]
fn modes_may_act_on_pages() {
    let mode = |text: &str| {
        let file = FILE.replace("mode: read", &format!("mode: {text}"));
        load(&file, &[]).map(|loaded| loaded.workload.value.phases[0].accesses[0].mode)
    };
    assert_eq!(mode("fetch").unwrap(), Mode::Fetch);
    assert_eq!(mode("next-touch").unwrap(), Mode::NextTouch);
    assert_eq!(mode("{ migrate: nodes - 2 }").unwrap(), Mode::Migrate(2));
    assert_shows(&mode("{ migrate: 4 }").unwrap_err(), &["the machine has no node 4"]);
    assert_shows(&mode("{ move: 4 }").unwrap_err(), &["unknown key `move`", "missing key `migrate`"]);
    assert_shows(&mode("fetsh").unwrap_err(), &["did you mean `fetch`?"]);
}

#[test]
fn a_matrix_is_read_beside_its_workload() {
    let scratch = Scratch::new();
    let matrix =
        "%%MatrixMarket matrix coordinate real symmetric\n% 3 x 3\n3 3 4\n1 1 2\n2 1 -1\n2 2 2\n3 3 1e0\n";
    scratch.write("m.mtx", matrix);
    let text = "name: w\nmatrix: m.mtx\nregions: { v: { size: 8 * entries }, x: { size: 8 * columns } }\nphases:\n\
                \x20 - name: product\n    measured: true\n    loop:\n      iterations: rows\n      touches:\n\
                \x20       - { region: v, slice: { partition: row_entries(i) }, mode: read }\n\
                \x20       - { region: x, slice: { start: 8 * first_column(i), length: 8 * (last_column(i) - first_column(i) + 1) }, mode: read }\n";
    let path = scratch.write("w.yaml", text);
    let load = || {
        let loaded = workload(path.to_str().unwrap(), &[], &FACTS);
        loaded.map_err(|error| error.to_string().replace(scratch.0.path().to_str().unwrap(), "DIR"))
    };
    let loaded = load().unwrap().workload;
    // (1, 1), (2, 1), (1, 2), (2, 2), (3, 3): rows of 2, 2 and 1 entries.
    let accesses = &loaded.value.phases[0].accesses;
    assert_eq!([0, 1, 2].map(|row| accesses[0].slice.range(row)), [(0, 16), (16, 32), (32, 40)]);
    assert_eq!([0, 1, 2].map(|row| accesses[1].slice.range(row)), [(0, 16), (0, 16), (16, 24)]);
    // What the file holds is part of what decides a result.
    fs::write(scratch.0.path().join("m.mtx"), matrix.replace("2 1 -1", "3 1 -1")).unwrap();
    assert_ne!(load().unwrap().workload.hash, loaded.hash);
    fs::write(scratch.0.path().join("m.mtx"), matrix.replace("2 1 -1", "4 1 -1")).unwrap();
    assert_shows(
        &load().err().unwrap(),
        &["DIR/m.mtx:5: there is no row 4, column 1", "DIR/w.yaml:2:9", "rows 1 to 3"],
    );
    fs::remove_file(scratch.0.path().join("m.mtx")).unwrap();
    assert_shows(&load().err().unwrap(), &["cannot read DIR/m.mtx: there is no such file", "DIR/w.yaml:2:9"]);
}
