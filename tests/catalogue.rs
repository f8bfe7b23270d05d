//! Built-in machines, workloads, runtimes, sweeps and policies: `list`, `show` and `new` know every name, and `--set`,
//! `--what-if` and `--series` vary them.

use crate::support::{Desk, says};
use serde_json::Value as Json;
use std::fs;

const SMALL: [&str; 3] = ["--set", "workload.footprint=100 MB", "--no-sequential"];

fn json(desk: &Desk, arguments: &[&str]) -> Json {
    serde_json::from_str(&desk.answer(&[arguments, &["--format", "json"]].concat())).unwrap()
}

/// Points of a series under one policy: label and makespan in picoseconds.
fn points(series: &Json, policy: &str) -> Vec<(String, u64)> {
    let makespan = |point: &Json| {
        let run = point["runs"].as_array().unwrap().iter().find(|run| run["policy"] == policy).unwrap();
        run["makespan_ps"].as_u64().unwrap()
    };
    let points = series["points"].as_array().unwrap().iter();
    points.map(|point| (point["text"].as_str().unwrap().to_owned(), makespan(point))).collect()
}

#[test]
fn listed_names_are_shown_in_all_formats() {
    let desk = Desk::empty();
    let list = json(&desk, &["list"]);
    for (kind, folder, ending) in [
        ("machine", "machines", "toml"),
        ("workload", "workloads", "yaml"),
        ("runtime", "runtimes", "toml"),
        ("sweep", "sweeps", "yaml"),
        ("policy", "policies", "yaml"),
    ] {
        for item in list[folder].as_array().unwrap() {
            let name = item["name"].as_str().unwrap();
            let root = env!("CARGO_MANIFEST_DIR");
            let file = fs::read_to_string(format!("{root}/{folder}/{name}.{ending}")).unwrap();
            let show = |format: &str| desk.answer(&["show", name, "--kind", kind, "--format", format]);
            assert_eq!(show(ending), file, "the file itself, with its comments");
            let whole: Json = serde_json::from_str(&show("json")).unwrap();
            assert_eq!(whole["name"], name);
            // Other formats have the same content.
            let other = if ending == "toml" { "yaml" } else { "toml" };
            says(&show(other), &["name"]);
            says(&show("table"), &[name]);
        }
    }
    // A synthetic machine, written as TOML, reads back to the same machine.
    desk.put("again.toml", &desk.answer(&["show", "socket:2 core:4", "--format", "toml"]));
    assert_eq!(desk.answer(&["show", "again.toml"]), desk.answer(&["show", "socket:2 core:4"]));
}

#[test]
fn file_kind_is_detected_from_text() {
    let desk = Desk::empty();
    for (name, kind) in
        [("hp8", "toml"), ("stream", "yaml"), ("llvm", "toml"), ("policies", "yaml"), ("tss", "yaml")]
    {
        let file = format!("some-{name}");
        desk.put(&file, &desk.answer(&["show", name, "--format", kind]));
        assert_eq!(
            desk.answer(&["show", &format!("./{file}"), "--format", "json"]),
            desk.answer(&["show", name, "--format", "json"])
        );
    }
    desk.put("other", "x: 1\n");
    says(&desk.refusal(&["show", "./other"]), &["other:1", "no machine, workload, runtime, sweep or policy"]);
    says(
        &desk.refusal(&["show", "stream", "--dot", "-"]),
        &["\"stream\" is a workload", "only machines can be drawn"],
    );
    says(&desk.refusal(&["show", "strean"]), &["nothing is called `strean`", "stream"]);
    says(&desk.refusal(&["show", "stream", "--set", "workload.blocks=1"]), &["cannot be changed here"]);
}

#[test]
fn a_start_runs_as_it_is() {
    let desk = Desk::empty();
    for (kind, from) in [
        ("machine", "hp8"),
        ("workload", "loadbal"),
        ("runtime", "gcc"),
        ("sweep", "policies"),
        ("policy", "tss"),
    ] {
        says(&desk.answer(&["new", kind, "mine"]), &["wrote", "mine"]);
        says(&desk.refusal(&["new", kind, "mine"]), &["exists already", "mine"]);
        desk.answer(&["new", kind, "copy", "--from", from]);
        let copied = json(&desk, &["show", "copy", "--kind", kind]);
        let original = json(&desk, &["show", from, "--kind", kind]);
        assert_eq!((&copied["name"], &original["name"]), (&Json::from("copy"), &Json::from(from)));
        assert_eq!(copied.as_object().unwrap().len(), original.as_object().unwrap().len());
        let text = desk.answer(&["new", kind, "mine", "-o", "-"]);
        assert!(text.starts_with('#') && text.matches('#').count() > 3, "{text}");
    }
    desk.answer(&["sim", "mine", "mine", "--runtime", "mine", "--threads", "4", "-p", "mine,static"]);
    says(&desk.refusal(&["new", "machine", "../mine"]), &["cannot be the name of a machine"]);
    says(&desk.refusal(&["new", "machine", "x", "--from", "loadbal"]), &["loadbal"]);
    says(&desk.answer(&["list"]), &["machines/mine.toml", "sweeps/mine.yaml", "policies/mine.yaml"]);
}

#[test]
fn a_value_may_be_a_multiple() {
    let desk = Desk::empty();
    let show = |value: &str| {
        desk.answer(&[
            "show",
            "hp8",
            "--format",
            "toml",
            "--set",
            &format!("machine.memory.bandwidth={value}"),
        ])
    };
    // The file has 20.9 GB/s.
    assert_eq!(show("x2"), show("41.8 GB/s"));
    assert_eq!(show("x1.5"), show("31.35 GB/s"));
    let run = |value: &str| {
        desk.answer(&[
            "sim",
            "socket:4 core:2",
            "loadbal",
            "-p",
            "static",
            "--format",
            "csv",
            "--no-sequential",
            "--set",
            value,
        ])
    };
    // The file has 3840 packages. Only makespans are compared: the results also contain the hash of the typed text.
    let makespan = |csv: &str| csv.lines().nth(1).unwrap().split(',').nth(7).unwrap().to_owned();
    assert_eq!(makespan(&run("workload.packages=x0.5")), makespan(&run("workload.packages=1920")));
    let missing = desk.refusal(&["show", "hp8", "--set", "machine.core.copy_bandwidth=x2"]);
    says(&missing, &["does not give core.copy_bandwidth", "--set:1"]);
    says(&desk.refusal(&["show", "hp8", "--set", "machine.name=x2"]), &["nothing to multiply"]);
}

#[test]
fn machines_stand_in_one_table() {
    let desk = Desk::empty();
    let arguments =
        ["sim", "loadbal", "--machine", "socket:2 core:4", "--machine", "socket:4 core:2", "-p", "static"];
    let both = json(&desk, &[&arguments[..], &SMALL].concat());
    let alone = |machine: &str| {
        let run = json(&desk, &[&["sim", machine, "loadbal", "-p", "static"][..], &SMALL].concat());
        run["runs"][0]["makespan_ps"].as_u64().unwrap()
    };
    let expected = ["socket:2 core:4", "socket:4 core:2"].map(|machine| (machine.to_owned(), alone(machine)));
    assert_eq!(points(&both, "static"), expected);
    assert_eq!(both["over"], "machine");
    let table = desk.answer(&[&arguments[..], &SMALL].concat());
    says(&table, &["over machine", "socket:2 core:4", "socket:4 core:2"]);
    says(&desk.refusal(&["sim", "--machine", "hp8"]), &["no workload is named"]);
}

#[test]
fn what_if_prints_both_results() {
    let desk = Desk::empty();
    let run = ["sim", "socket:4 core:2", "loadbal", "-p", "static", "--no-sequential"];
    let sets = ["--set", "machine.memory.latency=x2", "--set", "workload.packages=x0.1"];
    let series = json(&desk, &[&run[..], &sets, &["--what-if"]].concat());
    let found = points(&series, "static");
    let labels: Vec<&str> = found.iter().map(|point| point.0.as_str()).collect();
    assert_eq!(labels, ["as it is", sets[1], sets[3], "all of these"]);
    let makespan =
        |sets: &[&str]| json(&desk, &[&run[..], sets].concat())["runs"][0]["makespan_ps"].as_u64().unwrap();
    let expected = [makespan(&[]), makespan(&sets[..2]), makespan(&sets[2..]), makespan(&sets)];
    assert_eq!(found.iter().map(|point| point.1).collect::<Vec<_>>(), expected);
    // Ratios to the unchanged run, which itself has 1.00.
    let table = desk.answer(&[&run[..], &sets, &["--what-if"]].concat());
    let ratio = format!("{:.2}", found[1].1 as f64 / found[0].1 as f64);
    says(&table, &["ratio", "1.00", &ratio]);
    says(&desk.refusal(&[&run[..], &["--what-if"]].concat()), &["has no change to compare with", "--set"]);
}

#[test]
fn series_go_over_machines_placements_and_bindings() {
    let desk = Desk::empty();
    let run = [&["sim", "socket:2 core:4", "loadbal", "-p", "static"][..], &SMALL].concat();
    let makespan =
        |more: &[&str]| json(&desk, &[&run[..], more].concat())["runs"][0]["makespan_ps"].as_u64().unwrap();
    for (series, each) in [
        ("placement=first-touch,bind:0", [["--placement", "first-touch"], ["--placement", "bind:0"]]),
        (
            "machine.memory.latency=100 ns,x2",
            [["--set", "machine.memory.latency=100 ns"], ["--set", "machine.memory.latency=x2"]],
        ),
        ("runtime=gcc,llvm", [["--runtime", "gcc"], ["--runtime", "llvm"]]),
        ("places=cores(2);{0},{4}", [["--places", "cores(2)"], ["--places", "{0},{4}"]]),
        ("procs=0-3;0,4", [["--procs", "0-3"], ["--procs", "0,4"]]),
    ] {
        let found = points(&json(&desk, &[&run[..], &["--series", series]].concat()), "static");
        let expected: Vec<u64> = each.iter().map(|more| makespan(more)).collect();
        assert_eq!(found.iter().map(|point| point.1).collect::<Vec<_>>(), expected, "{series}");
    }
    says(&desk.refusal(&[&run[..], &["--series", "policy=static,dynamic"]].concat()), &["-p and --series"]);
    says(&desk.refusal(&[&run[..], &["--series", "placement="]].concat()), &["no values"]);
    says(
        &desk.refusal(&[&run[..], &["--series", "machine.memory.latncy=1 ns"]].concat()),
        &["latncy", "latency"],
    );
}

#[test]
fn regions_have_separate_placements() {
    let desk = Desk::empty();
    let run = [&["sim", "socket:2 core:4", "loadbal", "-p", "static"][..], &SMALL].concat();
    let placed = |more: &[&str]| json(&desk, &[&run[..], more].concat());
    let all = placed(&["--placement", "bind:0"]);
    let each = placed(&["--placement", "a=bind:0", "--placement", "b=bind:0", "--placement", "c=bind:0"]);
    assert_eq!(all["runs"], each["runs"]);
    let one = placed(&["--placement", "bind:0", "--placement", "a=bind:1"]);
    assert_ne!(all["runs"][0]["makespan_ps"], one["runs"][0]["makespan_ps"]);
    assert_eq!(one["placement"], "bind:0 a=bind:1");
    let unknown = desk.refusal(&[&run[..], &["--placement", "d=bind:0"]].concat());
    says(&unknown, &["no region \"d\"", "a, b, c"]);
    says(&desk.refusal(&[&run[..], &["--placement", "a=bind:7"]].concat()), &["node 7", "0-1"]);
}
