//! Numbers and slices that a workload takes from files beside it.

use crate::support::{FACTS, Scratch, assert_shows};
use numalab_lower::workload;
use numalab_nlt::{Meta, Site};
use numalab_replay::Recording;
use numalab_replay::work::{Allocation, Chunk, Class, Footprint, Form, Order, Recorded, Run, Work};
use std::fs;

const TABLES: &str = "\
name: w
tables: { cost: { file: t.csv, column: us }, bare: bare.txt }
parameters: { n: cost_rows }
regions: { x: { size: 8 * n } }
phases:
  - name: p
    measured: true
    loop:
      iterations: n
      touches: [{ region: x, slice: { partition: \"table_value(cost, i)\" }, mode: read }]
      instructions: 1000 * table_value(cost, i) + table_value(bare, n - 1 - i)
";

#[test]
fn tables_are_read_beside_their_workload() {
    let scratch = Scratch::new();
    scratch.write("t.csv", "id,us\na,1\nb,2.5\n# none\nc,4\n");
    scratch.write("bare.txt", "7\n8\n9\n");
    let load = |text: &str| {
        let path = scratch.write("w.yaml", text);
        let loaded = workload(path.to_str().unwrap(), &[], &FACTS);
        loaded.map_err(|error| error.to_string().replace(scratch.0.path().to_str().unwrap(), "DIR"))
    };
    let loaded = load(TABLES).unwrap().workload;
    let phase = &loaded.value.phases[0];
    // 1000 times a row of t.csv, plus a row of bare.txt from its end: 1000 x 1 + 9, 1000 x 2.5 + 8, 1000 x 4 + 7.
    assert_eq!(phase.instructions[..], [1009.0, 2508.0, 4007.0]);
    // 24 bytes in parts of 1, 2.5 and 4 out of 7.5.
    assert_eq!([0, 1, 2].map(|i| phase.accesses[0].slice.range(i)), [(0, 3), (3, 11), (11, 24)]);
    // The contents of the files are a part of the workload's hash.
    scratch.write("bare.txt", "7\n8\n10\n");
    assert_ne!(load(TABLES).unwrap().workload.hash, loaded.hash);
    let wrong = |from: &str, to: &str, parts: &[&str]| {
        assert!(TABLES.contains(from), "{from}");
        assert_shows(&load(&TABLES.replacen(from, to, 1)).err().unwrap(), parts);
    };
    wrong(
        "column: us",
        "column: su",
        &["DIR/t.csv:1: there is no column su", "DIR/w.yaml:2", "expected one of id, us"],
    );
    wrong("column: us", "column: id", &["DIR/t.csv:2: a is no number", "expected a number in the column id"]);
    wrong("bare.txt", "t.csv", &["DIR/t.csv:1: id,us is no number", "{ file: …, column: … }"]);
    wrong("bare.txt", "none.txt", &["cannot read DIR/none.txt", "relative to this file"]);
    wrong("table_value(bare,", "table_value(bore,", &["there is no table `bore`", "did you mean `bare`?"]);
    wrong("table_value(bare, n - 1 - i)", "table_value(1, i)", &["expected the name of a table"]);
    wrong("table_value(bare, n - 1 - i)", "table_value(bare)", &["`table_value` takes a name and a row"]);
    wrong("n - 1 - i", "n - i", &["iteration 0 has NaN instructions"]);
    wrong(
        "{ n: cost_rows }",
        "{ n: cost_rows, bare_rows: 2 }",
        &["`bare_rows` has a meaning in expressions"],
    );
    wrong("bare: bare.txt", "1bare: bare.txt", &["`1bare` cannot name a table"]);
}

const PAGE: u64 = 4096;

/// Recording of a loop of 4 iterations on an array of 8 pages. The first chunk reads pages 0 to 3 and writes page 1;
/// the second reads pages 3 to 7.
fn recording() -> Recording {
    let run = |page: u64, pages: u64, written: bool| Run {
        allocation: 0,
        written,
        first: page * PAGE,
        bytes: pages * PAGE,
    };
    let class = Class {
        site: 2,
        form: Form::Loop,
        iterations: 4,
        team: 2,
        schedule: Recorded::Static,
        instances: 1,
        filled: false,
        varies: false,
        recorder_ns: 0,
        least_ns: 0,
        most_ns: 0,
        ordered: false,
        locked_ns: 0,
        chunks: vec![Chunk { count: 2, cost_ns: 9, spread_ns: 0, samples: 1 }; 2],
        tasks: Vec::new(),
        footprint: vec![
            Footprint { count: 2, runs: vec![run(0, 1, false), run(1, 1, true), run(2, 2, false)] },
            Footprint { count: 2, runs: vec![run(3, 5, false)] },
        ],
    };
    let site = |address: u64, line: u32, variable: Option<&str>| Site {
        address,
        file: Some("lb.c".to_owned()),
        line: Some(line),
        variable: variable.map(str::to_owned),
        ..Site::default()
    };
    Recording {
        meta: Meta { threads: 2, rounds: 1, ..Meta::default() },
        sites: vec![site(1, 9, Some("u")), site(2, 24, None)],
        allocations: vec![Allocation { start: 1 << 30, bytes: 8 * PAGE, site: 1 }],
        work: Work { classes: vec![class], order: Order::of(&[0], 0), refusals: Vec::new() },
        ..Recording::default()
    }
}

const TRACE: &str = "\
name: w
regions: { x: { size: 8 * 4096 } }
phases:
  - name: p
    measured: true
    loop:
      iterations: 4
      touches: [{ region: x, slice: { trace: p.nlt, loop: \"lb.c:24\", array: u (lb.c:9) }, mode: read }]
";

/// The chunks have the bytes 0 to 16384 and 12288 to 32768. They share a page, half of which goes to each, so the
/// border is at 14336. Each iteration has half of its chunk's bytes.
#[test]
fn a_recorded_footprint_is_a_slice() {
    let scratch = Scratch::new();
    let mut bytes = Vec::new();
    recording().write(&mut bytes).unwrap();
    fs::write(scratch.0.path().join("p.nlt"), &bytes).unwrap();
    let load = |text: &str| {
        let path = scratch.write("w.yaml", text);
        let loaded = workload(path.to_str().unwrap(), &[], &FACTS);
        loaded.map_err(|error| error.to_string().replace(scratch.0.path().to_str().unwrap(), "DIR"))
    };
    let loaded = load(TRACE).unwrap().workload;
    let slice = &loaded.value.phases[0].accesses[0].slice;
    let ranges = [0, 1, 2, 3].map(|i| slice.range(i));
    assert_eq!(ranges, [(0, 7168), (7168, 14336), (14336, 23552), (23552, 32768)]);
    assert!(loaded.resolved.json()["traces_blake3"]["p.nlt"].is_string(), "{}", loaded.resolved);
    let wrong = |from: &str, to: &str, parts: &[&str]| {
        assert!(TRACE.contains(from), "{from}");
        assert_shows(&load(&TRACE.replacen(from, to, 1)).err().unwrap(), parts);
    };
    wrong("p.nlt", "q.nlt", &["DIR/q.nlt", "expected the path of a recorded program"]);
    wrong("lb.c:24", "lb.c:25", &["no loop that was watched is called lb.c:25", "did you mean `lb.c:24`?"]);
    wrong(
        "u (lb.c:9)",
        "v (lb.c:9)",
        &["no array that was watched is called v (lb.c:9)", "did you mean `u (lb.c:9)`?"],
    );
    wrong("iterations: 4", "iterations: 5", &["the recorded loop has 4 iterations, and this one 5"]);
    wrong("size: 8 * 4096", "size: 4096", &["u (lb.c:9) has 32768 bytes, and the region has 4096"]);
    wrong(
        ", array: u (lb.c:9)",
        "",
        &["this is not a recorded slice", "{ trace: FILE.nlt, loop: …, array: … }"],
    );
}
