//! Phases with nothing to do: loops without iterations, tasks that are not created, regions without bytes. They take
//! the time of their construct, and every output stays free of NaN.

use crate::support::Desk;
use serde_json::Value;

/// Loops, tasks and accesses whose numbers are all `n`.
const LOOPS: &str = "
name: empty
parameters: { n: 0, instructions: 0 }
regions:
  none: { size: 4096 * n }
  some: { size: 1 MiB }
phases:
  - name: fill
    loop:
      iterations: n
      touches:
        - { region: some, slice: { partition: 1 }, mode: write }
  - name: work
    measured: true
    loop:
      iterations: n
      instructions: instructions
      split_by: i + 1
      touches:
        - { region: some, slice: { partition: 1, halo: 64 }, mode: update }
        - { region: some, slice: { start: 8 * i, length: 8 }, mode: read }
        - { region: some, slice: { start: 8 * i, length: 8, stride: 16, count: 4 }, mode: read }
        - { region: some, slice: { gather: 8, element: 8 }, mode: read }
        - { region: none, slice: whole, mode: read }
  - name: nowhere
    measured: true
    loop:
      iterations: 16
      touches:
        - { region: none, slice: { partition: 1 }, mode: write }
        - { region: none, slice: { gather: n, element: 8 }, mode: read }
        - { region: none, slice: { start: 0, length: 0 }, mode: read }
";

const TASKS: &str = "
name: empty
parameters: { n: 0 }
regions: { none: { size: 4096 * n } }
phases:
  - name: loop
    measured: true
    loop: { iterations: n, instructions: 10, tasks: { grain: 4, affinity: { region: none, at: i } } }
  - name: ordered
    measured: true
    loop: { iterations: n, instructions: 10, tasks: { depends: [{ in: i - 1, out: i }] } }
  - name: created
    measured: true
    tasks:
      root: { task: leaf, for: k, from: 1, to: n, arguments: [k] }
      kinds:
        leaf:
          arguments: [k]
          instructions: 1000
          affinity: { region: none, at: 0 }
          touches: [{ region: none, slice: whole, mode: read }]
";

/// Runs of a comparison: machine, workload file, policies.
const RUNS: [(&str, &str, &[&str]); 4] = [
    (
        "socket:2 core:4",
        "loops.yaml",
        &["static", "dynamic", "guided", "numa-steal:random", "tasks", "align"],
    ),
    ("cxl-pool4", "loops.yaml", &["static"]),
    ("xeon-phi", "tasks.yaml", &["tasks", "tasks:central"]),
    ("socket:2 core:4", "tasks.yaml", &["tasks:thread-local", "tasks:hierarchical", "tasks:locality"]),
];

fn desk() -> Desk {
    let desk = Desk::with("loops.yaml", LOOPS);
    desk.put("tasks.yaml", TASKS);
    desk
}

fn is_free_of_nan(text: &str) -> bool {
    !["NaN", "inf,", "inf\n", " inf ", "Infinity"].iter().any(|wrong| text.contains(wrong))
}

#[test]
fn empty_phases_show_in_every_output() {
    let desk = desk();
    for (machine, workload, policies) in RUNS {
        for policy in policies {
            let run = [machine, workload, "-p", policy, "-t", "4"];
            for (command, form) in [
                ("sim", "table"),
                ("sim", "csv"),
                ("sim", "json"),
                ("explain", "table"),
                ("explain", "markdown"),
                ("explain", "json"),
                ("explain", "csv"),
            ] {
                let text = desk.answer(&[&[command][..], &run, &["--format", form]].concat());
                assert!(is_free_of_nan(&text), "{command} {run:?} --format {form}\n{text}");
            }
            for file in ["page.html", "picture.svg"] {
                desk.answer(&[&["sim"][..], &run, &["-o", file]].concat());
            }
            assert!(is_free_of_nan(&std::fs::read_to_string(desk.path().join("picture.svg")).unwrap()));
            desk.answer(&[&["explain"][..], &run, &["-o", "why.html"]].concat());
            desk.answer(&[&["sim"][..], &run, &["--trace", "run.pftrace"]].concat());
        }
    }
}

#[test]
fn recordings_of_empty_phases_can_be_replayed() {
    let desk = desk();
    let makespan = |workload: &str| {
        let run = ["sim", "socket:2 core:4", workload, "-p", "static", "--format", "json"];
        let results: Value = serde_json::from_str(&desk.answer(&run)).unwrap();
        results["runs"][0]["makespan_ps"].as_u64().unwrap()
    };
    desk.answer(&["sim", "socket:2 core:4", "loops.yaml", "-p", "static", "--trace", "run.nlt"]);
    assert_eq!(makespan("run.nlt"), makespan("loops.yaml"));
}

/// Under a static schedule no thread does anything in one iteration without instructions and accesses.
#[test]
fn empty_loop_takes_the_time_of_its_construct() {
    let desk = Desk::with(
        "loop.yaml",
        "{name: loop, parameters: {n: 0}, regions: {}, phases: [{name: work, measured: true, loop: {iterations: n}}]}",
    );
    for runtime in ["plain", "gcc", "llvm"] {
        let run = |n: &str| {
            let n = format!("workload.n={n}");
            let run =
                ["sim", "socket:2 core:4", "loop.yaml", "--runtime", runtime, "-p", "static", "--set", &n];
            let results: Value =
                serde_json::from_str(&desk.answer(&[&run[..], &["--format", "json"]].concat())).unwrap();
            results["runs"][0]["makespan_ps"].as_u64().unwrap()
        };
        assert_eq!(run("0"), run("1"), "{runtime}");
    }
}
