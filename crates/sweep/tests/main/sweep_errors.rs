//! Errors of a wrong sweep file.

use crate::scratch::assert_shows;
use crate::sweeps::{read, with};

fn error(text: &str) -> String {
    read(text).err().unwrap_or_else(|| panic!("no error in\n{text}"))
}

/// Several mistakes in one file are reported together, each at its position.
#[test]
fn a_file_with_several_errors() {
    let text = "\
name: s
points:
  machine: [bcs16, hp9]
  workload: loadbl
  policy: [static, numa-steal:most-loded]
  set:
    machine.memory.bandwith: 12 GB/s
replica: 3
gates:
  - { name: g, policy: static, no_worse_than: best, on: hierarchical, by: 5 }
";
    insta::assert_snapshot!(error(text), @r#"
    error: there is no machine `hp9`
     --> FILE:3:20
      |
    3 |   machine: [bcs16, hp9]
      |                    ^^^ did you mean `hp8`? `numalab list` shows all

    error: there is no workload `loadbl`
     --> FILE:4:13
      |
    4 |   workload: loadbl
      |             ^^^^^^ did you mean `loadbal`? `numalab list` shows all

    error: unknown policy "numa-steal:most-loded"
     --> FILE:5:20
      |
    5 |   policy: [static, numa-steal:most-loded]
      |                    ^^^^^^^^^^^^^^^^^^^^^ did you mean `numa-steal:most-loaded`?

    error: nothing in a machine is called `bandwith` here
     --> FILE:7:5
      |
    7 |     machine.memory.bandwith: 12 GB/s
      |     ^^^^^^^^^^^^^^^^^^^^^^^ did you mean `bandwidth`?

    error: unknown key `replica`
     --> FILE:8:1
      |
    8 | replica: 3
      | ^^^^^^^ did you mean `replicas`?

    error: there is no filter `hierarchical`
      --> FILE:10:57
       |
    10 |   - { name: g, policy: static, no_worse_than: best, on: hierarchical, by: 5 }
       |                                                         ^^^^^^^^^^^^ expected it among `filters`

    error: "5" is no fraction
      --> FILE:10:75
       |
    10 |   - { name: g, policy: static, no_worse_than: best, on: hierarchical, by: 5 }
       |                                                                           ^ expected for example 5 % or 0.05
    "#);
}

#[test]
fn axes() {
    for (points, parts) in [
        ("  machine: x\n", &["duplicate key `machine`"][..]),
        ("  thread: 8\n", &["unknown key `thread` in `points`", "did you mean `threads`?"]),
        (
            "  policy: [dynamic, static, 'dynamic,1']\n",
            &["dynamic stands twice", "the same as points.policy[0]"],
        ),
        ("  policy: []\n", &["points.policy has 0 values", "expected at least one"]),
        ("  policy: { from: 1, to: 2 }\n", &["points.policy is a table"]),
        ("  placement: interleaved\n", &["did you mean `interleave`?"]),
        ("  places: ''\n", &["points.places is empty"]),
        ("  runtime: lvm\n", &["there is no runtime `lvm`", "did you mean `llvm`?"]),
        ("  set: { memory.bandwidth: 1 }\n", &["nothing is called `memory` here", "machine"]),
        ("  set: { machine: 1 }\n", &["`machine` names no value of the machine"]),
        ("  set: { machine.core.clok: 1 }\n", &["called `clok` here", "did you mean `clock`?"]),
        ("  set: { runtime.frok: 1 }\n", &["nothing in a runtime is called `frok`"]),
        ("  set: { workload.x: }\n", &["points.set.workload.x has no value"]),
        ("  set: { workload.x: [1, 1.0] }\n", &["1 stands twice"]),
        ("  set: { workload.x: [1, ''] }\n", &["points.set.workload.x[1] is empty"]),
        ("  seed: [-1]\n", &["\"-1\" is no seed"]),
        ("  seed: 1, 2, 1\n", &["1 stands twice"]),
    ] {
        assert_shows(&error(&with(points, "")), parts);
    }
    assert_shows(&error("name: s\npoints: { workload: loadbal }\n"), &["missing key `machine` in `points`"]);
    assert_shows(
        &error("name: s\npoints: { workload: loadbal, machine: no/such.toml }\n"),
        &["there is no file", "no/such.toml", "paths are relative to this file"],
    );
    let synthetic = error("name: s\npoints: { workload: loadbal, machine: 'board:4 socket:0 core:8' }\n");
    assert_shows(&synthetic, &["FILE:2:", "^"]);
    assert_shows(
        &error("name: a/b\npoints: { workload: loadbal, machine: bcs16 }\n"),
        &["a sweep cannot be called \"a/b\""],
    );
}

#[test]
fn threads() {
    for (text, parts) in [
        ("0", &["a team cannot have 0 threads"][..]),
        ("[threads]", &["`threads` cannot be used here: this value sets it"]),
        ("[4, corse / 2]", &["unknown name `corse`", "did you mean `cores`?", "FILE:5:16"]),
        ("8, 1.5", &["1.5 threads", "FILE:5:15"]),
        ("1..cores", &["`cores` is not the same on every machine"]),
        ("[row_entries(1)]", &["there is no matrix here"]),
        ("8..4", &["points.threads goes from 8 to 4", "expected to go up"]),
        ("0..8", &["a range cannot reach to 0"]),
        ("1..8..9", &["a range has two ends"]),
        ("1..4, 8", &["a range cannot be mixed with other values"]),
        ("8, 16,", &["empty"]),
        ("{ from: 1, to: 8 }", &["points.threads is not a range", "`step`, `factor` and `count`"]),
        ("{ from: 1, to: 8, step: 1, factor: 2 }", &["is not a range"]),
        ("{ from: 1, to: 8, step: 0 }", &["points.threads.step is 0", "expected more than 0"]),
        ("{ from: 1, to: 8, count: 1 }", &["points.threads.count is 1", "expected at least 2"]),
        ("{ from: 1, to: 8, factor: 2, log: true }", &["points.threads.log goes with `count`"]),
    ] {
        assert_shows(&error(&with(&format!("  threads: {text}\n"), "")), parts);
    }
}

#[test]
fn quantities() {
    for (text, parts) in [
        ("{ from: 12 GB/s, to: 24 MB/s, step: 4 GB/s }", &["\"24 MB/s\" has `MB/s`", "expected `GB/s`"][..]),
        ("{ from: 12 GB/s, to: 24 GB/s, step: 4 }", &["\"4\" has no unit", "expected `GB/s`"]),
        ("{ from: 12 GB/s, to: 24 GB/s, factor: 2 GB/s }", &["\"2 GB/s\" has `GB/s`", "expected no unit"]),
        ("12 GB/s..x", &["\"x\" is no number", "FILE:6:40"]),
        (
            "{ from: 0, to: 8, factor: 2 }",
            &["machine.memory.bandwidth.from is 0", "expected more than 0, since a factor multiplies it"],
        ),
    ] {
        assert_shows(&error(&with("  set:\n", &format!("    machine.memory.bandwidth: {text}\n"))), parts);
    }
}

#[test]
fn filters_and_keep() {
    for (rest, parts) in [
        ("filters: { a: { machne: x } }\n", &["no coordinate `machne`", "did you mean `machine`?"][..]),
        ("filters: { a: { machine: bcs* } }\nkeep: b\n", &["there is no filter `b`"]),
        ("keep: [b]\n", &["there is no filter `b`", "expected it among `filters`"]),
        (
            "filters: { a: { machine: bsc16 } }\n",
            &["no machine of this sweep is `bsc16`", "did you mean `bcs16`?"],
        ),
        ("filters: { a: { not: { policy: statik } } }\n", &["unknown policy", "did you mean `static`?"]),
        ("filters: { a: { where: bords > 1 } }\n", &["unknown name `bords`", "did you mean `boards`?"]),
        ("filters: { a: }\n", &["this filter has no condition"]),
        ("filters: { a: {} }\n", &["this filter has no condition"]),
        ("filters: { a: { machine: [] } }\n", &["filters.a.machine has no values"]),
        ("filters: { a: { workload.x: 1 } }\n", &["no coordinate `workload.x`"]),
    ] {
        assert_shows(&error(&with("", rest)), parts);
    }
}

#[test]
fn gates() {
    for (gate, parts) in [
        ("", &["this is no gate, or more than one"][..]),
        ("holds: 1 < nodes, order: [static, dynamic]", &["this is no gate, or more than one"]),
        ("policy: static", &["compares something with nothing"]),
        ("policy: guided, no_worse_than: best", &["guided is no policy of this sweep"]),
        ("policy: static, no_worse_than: dynamik", &["unknown policy", "did you mean `dynamic`?"]),
        ("policy: static, no_worse_than: [static, dynamic]", &["never worse than itself"]),
        ("policy: static, no_worse_than: best, by: 5", &["\"5\" is no fraction", "5 % or 0.05"]),
        (
            "policy: static, no_worse_than: best, tie: 5 %",
            &["`tie` has no effect beside `policy`", "it goes with order"],
        ),
        ("order: [static]", &["one alone has no order"]),
        ("over: thread, value: 2, no_worse_than: 1", &["points do not differ in `thread`"]),
        ("over: machine, policy: static, no_worse_than: hp8", &["`policy` does not go with `machine`"]),
        ("value: static, no_worse_than: dynamic", &["`value` does not go with `policy`"]),
        ("policy: static, value: hp8, no_worse_than: best", &["this gate is about two things"]),
        ("over: machine, value: hp9, no_worse_than: best", &["hp9 is no machine of this sweep"]),
        ("over: machine, holds: nodes > 1", &["`over` has no effect beside `holds`", "policy, order"]),
        ("order: [static, dynamic, static]", &["static stands twice"]),
        ("baseline: ''", &["this names no file"]),
        ("baseline: x.csv, within: -1 %", &["\"-1 %\" is no fraction"]),
        ("baseline: x.csv, measure: findings", &["findings is a text"]),
        (
            "baseline: x.csv, measure: make span",
            &["\"make span\" names no figure", "did you mean `makespan`?"],
        ),
        ("baseline: x.csv, better: mor", &["did you mean `more`?"]),
        ("holds: 1 < 2", &["this is the same for every point"]),
        ("holds: findings == 1", &["findings is a text"]),
        ("holds: bytes_node <", &["expected"]),
        ("holds: nodes > 1, measure: makespan", &["`measure` has no effect beside `holds`"]),
        ("holds: nodes > 1, on: x", &["there is no filter `x`"]),
    ] {
        let comma = if gate.is_empty() { "" } else { ", " };
        let rest = format!("gates: [{{ name: g{comma}{gate} }}]\n");
        assert_shows(&error(&with("  policy: [static, dynamic]\n", &rest)), parts);
    }
    let alone = "gates: [{ name: g, policy: static, no_worse_than: best }]\n";
    assert_shows(&error(&with("  policy: static\n", alone)), &["the sweep has no other policy"]);
    let twice = "gates: [{ name: g, holds: nodes > 1 }, { name: g, holds: nodes > 2 }]\n";
    assert_shows(&error(&with("", twice)), &["two gates are called \"g\"", "the other is gates[0]"]);
}

/// One mistake yields one error; its consequences are not reported.
#[test]
fn errors_do_not_breed() {
    for text in [
        with("  policy: [statik, dynamic]\n", "gates: [{ name: g, order: [static, dynamic] }]\n"),
        with(
            "  set: { machine.memory.bandwidth: 1..0 }\n",
            "filters: { f: { machine.memory.bandwidth: 1 } }\n",
        ),
        "name: s\npoints: { machine: bsc16, workload: loadbal }\nfilters: { f: { machine: bcs16 } }\n"
            .to_owned(),
    ] {
        let error = error(&text);
        assert_eq!(error.matches("error:").count(), 1, "{error}");
    }
}

#[test]
fn huge_sweeps_are_refused_at_once() {
    let axis = |name: &str| format!("    workload.{name}: 1..100000\n");
    let all: String = ["a", "b", "c", "d", "e"].map(axis).concat();
    assert_shows(&error(&with("  set:\n", &all)), &["far too many runs"]);
    assert_shows(&error(&with("  seed: 1..1000\n  threads: 1..1001\n", "")), &["the sweep has 1001000 runs"]);
    assert_shows(
        &error(&with("  threads: 1..101\n", "replicas: 10000\n")),
        &["has 1010000 runs, replicas included"],
    );
    assert_shows(
        &error(&with("  threads: 1..100001\n", "")),
        &["goes from 1 to 100001", "at most 99999 steps"],
    );
    assert_shows(&error(&with(&format!("  seed: {}1\n", "1,".repeat(100_000)), "")), &["has 100001 values"]);
    assert_shows(&error(&with("", "replicas: 10001\n")), &["replicas is 10001", "at most 10000"]);
    let many: String = (0..1001).map(|k| format!("    workload.x{k}: 1\n")).collect();
    assert_shows(&error(&with("  set:\n", &many)), &["points.set has 1001 entries"]);
}

#[test]
fn a_sweep_is_no_toml_and_no_unknown_name() {
    let error = |name: &str| numalab_sweep::file::sweep(name).err().unwrap().to_string();
    assert_shows(&error("polices"), &["there is no sweep `polices`", "did you mean `policies`?"]);
    let folder = crate::scratch::Scratch::new();
    let path = folder.write("s.toml", "name = 's'");
    assert_shows(&error(path.to_str().unwrap()), &["this is TOML, and a sweep is written in YAML"]);
}
