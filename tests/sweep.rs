//! Sweeps from the command line: order of points, stored results, gates that fail.

use crate::support::{Desk, failure, says, text};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

const SWEEP: &str = "\
name: small
points:
  machine: [socket:2 core:2, socket:4 core:1]
  workload: loadbal
  threads: [2, cores]
  placement: [default, interleave]
  policy: [static, dynamic, numa-steal:random]
  set:
    workload.footprint: 100 MB
    workload.packages: [64, 128]
  seed: [0, 1]
filters:
  stealing: { policy: numa-steal:* }
";

/// Number of points: machines × threads × placements × policies × packages × seeds.
const POINTS: usize = 2 * 2 * 2 * 3 * 2 * 2;

fn desk() -> Desk {
    Desk::with("small.yaml", SWEEP)
}

fn read(desk: &Desk, file: &str) -> String {
    fs::read_to_string(desk.path().join(file)).unwrap()
}

/// Relative paths in a sweep file start at its folder, wherever the command is started.
#[test]
fn paths_in_a_sweep_are_relative_to_it() {
    let desk = Desk::with(
        "sub/s.yaml",
        "name: s\npoints: { machine: [m.toml, far/m.toml], workload: w.yaml, runtime: r.toml, policy: static }\nfilters:\n  \
         near: { machine: m.toml }\n",
    );
    let machine = desk.answer(&["show", "socket:2 core:2", "--format", "toml"]);
    desk.put("sub/m.toml", &machine);
    desk.put("sub/far/m.toml", &machine.replace("name = \"synthetic\"", "name = \"far\""));
    desk.put("sub/r.toml", &desk.answer(&["show", "gcc", "--format", "toml"]));
    let workload = "name: w\nruntime: r.toml\nmatrix: x.mtx\nregions: { a: { size: 64 * rows } }\nphases:\n  - { name: p, measured: \
                    true, loop: { iterations: rows, touches: [{ region: a, mode: read }] } }\n";
    desk.put("sub/w.yaml", workload);
    desk.put("sub/x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 1.0\n");
    // Invalid files of the same names in the current folder, which must not be read.
    desk.put("m.toml", "");
    desk.put("r.toml", "");
    let rows =
        |more: &[&str]| desk.answer(&[&["sweep", "sub/s.yaml", "-o", "-"], more].concat()).lines().count();
    assert_eq!((rows(&[]), rows(&["--filter", "near"])), (3, 2));
    says(&desk.answer(&["sim", "sub/m.toml", "sub/w.yaml", "-p", "static"]), &["runtime gcc"]);
    desk.put("sub/t.yaml", "name: t\npoints: { machine: none/m.toml, workload: w.yaml }\n");
    says(
        &desk.refusal(&["sweep", "sub/t.yaml"]),
        &["there is no file sub/none/m.toml", "relative to this file"],
    );
}

#[test]
fn row_order_is_that_of_the_file() {
    let desk = desk();
    let run = |jobs: &str, store: &str| {
        desk.answer(&["sweep", "small.yaml", "-o", "-", "--jobs", jobs, "--store", store])
    };
    let one = run("1", "one");
    assert_eq!(one, run("5", "five"));
    // Points that differ only in policy share their preparation, unless there are more workers than such groups.
    assert_eq!(one, run("50", "fifty"));
    // Stored points are not run again; their rows keep the same bytes.
    assert_eq!(one, run("2", "five"));
    assert_eq!(one.lines().count(), POINTS + 1);
    let mut lines = one.lines();
    let start = "machine,workload,policy,threads,placement,workload.footprint,workload.packages,seed,makespan_ps,replicas,";
    assert!(lines.next().unwrap().starts_with(start));
    let points: Vec<String> =
        lines.map(|line| line.split(',').take(8).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(points[0], "socket:2 core:2,loadbal,static,2,,100 MB,64,0");
    assert_eq!(points[1], "socket:2 core:2,loadbal,static,2,,100 MB,64,1");
    assert_eq!(points[2], "socket:2 core:2,loadbal,static,2,,100 MB,128,0");
    assert_eq!(points[4], "socket:2 core:2,loadbal,dynamic,2,,100 MB,64,0");
    assert_eq!(points[12], "socket:2 core:2,loadbal,static,2,interleave,100 MB,64,0");
    assert_eq!(points[24], "socket:2 core:2,loadbal,static,4,,100 MB,64,0");
    assert_eq!(points[48], "socket:4 core:1,loadbal,static,2,,100 MB,64,0");
}

#[test]
fn sweep_row_equals_sim_result() {
    let desk = desk();
    let rows = desk.answer(&["sweep", "small.yaml", "-o", "-", "--filter", "stealing"]);
    assert_eq!(rows.lines().count(), POINTS / 3 + 1);
    let arguments =
        ["sim", "socket:2 core:2", "loadbal", "-t", "2", "-p", "numa-steal:random", "--seed", "1"];
    let set = ["--set", "workload.footprint=100 MB", "--set", "workload.packages=64", "--format", "csv"];
    let sim = desk.answer(&[&arguments[..], &set, &["--placement", "interleave"]].concat());
    let figures = |csv: &str, at: usize, skipped: usize| {
        let line = csv.lines().nth(at).unwrap().to_owned();
        line.split(',').skip(skipped).map(str::to_owned).collect::<Vec<_>>().join(",")
    };
    let at = rows.lines().position(|line| {
        line.starts_with("socket:2 core:2,loadbal,numa-steal:random,2,interleave,100 MB,64,1,")
    });
    // A sweep row begins with eight coordinates, a `sim` row with seven columns. The sweep row ends with an empty
    // `error`.
    assert_eq!(figures(&rows, at.unwrap(), 8), figures(&sim, 1, 7) + ",");
}

#[test]
fn table_counts_new_and_stored_points() {
    let desk = desk();
    let text = desk.answer(&["sweep", "small.yaml", "--filter", "stealing"]);
    says(&text, &["small · loadbal · 32 points · 32 run now\n", "numa-steal:random", "spread of"]);
    let text = desk.answer(&["sweep", "small.yaml"]);
    says(&text, &["small · loadbal · 96 points · 64 run now · 32 stored before\n", "fastest", "next"]);
    assert_eq!(desk.files(), ["small.store", "small.yaml"]);
}

#[test]
fn one_failing_point_does_not_end_the_others() {
    let desk = Desk::with(
        "s.yaml",
        "name: s\npoints:\n  machine: socket:2 core:2\n  workload: loadbal\n  policy: [static, dynamic]\n  \
         threads: [2, 4000, cores / 3]\n  set: { workload.footprint: 100 MB }\n",
    );
    for _ in 0..2 {
        let output =
            desk.numalab(&["sweep", "s.yaml", "-o", "s.jsonl"]).assert().code(1).get_output().clone();
        says(&text(&output.stderr), &["error: s: 4 points do not run"]);
        let table = text(&output.stdout);
        says(
            &table,
            &[
                "s · loadbal · 6 points",
                "4 failed",
                "4000 threads",
                "at most 64",
                "1.3333",
                "which cannot be the size of a team",
            ],
        );
        let rows = read(&desk, "s.jsonl");
        assert_eq!(rows.lines().filter(|line| line.contains("\"makespan_ps\":null")).count(), 4, "{rows}");
        assert_eq!(rows.lines().filter(|line| line.contains("\"error\":null")).count(), 2, "{rows}");
    }
    // An error that no point can run with is refused as wrong input.
    desk.put("t.yaml", &SWEEP.replace("workload.packages", "workload.packges"));
    says(&desk.refusal(&["sweep", "t.yaml"]), &["packges", "packages"]);
}

#[test]
fn interrupted_sweeps_continue_to_the_same_bytes() {
    let desk = desk();
    desk.answer(&["sweep", "small.yaml", "--store", "whole", "-o", "whole.csv", "-o", "whole.parquet"]);
    // The sweep is stopped when its store has 0, 1, ... 9 tenths of its final bytes.
    let all = store_bytes(&desk, "whole");
    for tenths in 0..10 {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("numalab"))
            .args(["sweep", "small.yaml", "--store", "torn", "-o", "torn.csv"])
            .current_dir(desk.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while store_bytes(&desk, "torn") * 10 < all * tenths && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().unwrap();
        assert!(
            desk.files()
                .iter()
                .all(|file| !file.ends_with("torn.csv") || read(&desk, file) == read(&desk, "whole.csv"))
        );
    }
    desk.answer(&["sweep", "small.yaml", "--store", "torn", "-o", "torn.csv", "-o", "torn.parquet"]);
    assert_eq!(read(&desk, "torn.csv"), read(&desk, "whole.csv"));
    let bytes = |file: &str| fs::read(desk.path().join(file)).unwrap();
    assert_eq!(bytes("torn.parquet"), bytes("whole.parquet"));
}

/// Bytes in a store; 0 if it does not exist yet.
fn store_bytes(desk: &Desk, store: &str) -> u64 {
    let files = fs::read_dir(desk.path().join(store)).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
}

#[test]
fn failed_gates_name_points_and_policies() {
    let machine = include_str!("../machines/bcs16.toml");
    let slower = machine.replace("bandwidth = \"3.4 GB/s\"", "bandwidth = \"3.06 GB/s\"");
    assert_ne!(machine, slower);
    let sweep = "\
name: links
points:
  machine: bcs16
  workload: loadbal
  policy: [static, dynamic, numa-steal:most-loaded]
  threads: 64
  set: { workload.packages: 512 }
gates:
  - { name: as before, baseline: links.csv, within: 1 % }
";
    let desk = Desk::with("links.yaml", sweep);
    desk.put("machines/bcs16.toml", machine);
    // A gate without a baseline fails, and its message says how to make one.
    let output = desk.numalab(&["sweep", "links.yaml"]).assert().code(1).get_output().clone();
    says(&text(&output.stdout), &["as before", "links.csv", "-o"]);
    desk.numalab(&["sweep", "links.yaml", "-o", "links.csv"]).assert().code(1);
    desk.answer(&["sweep", "links.yaml"]);
    desk.put("machines/bcs16.toml", &slower);
    let arguments = ["sweep", "links.yaml", "--markdown", "m.md", "--junit", "j.xml", "--annotations"];
    let output = desk.numalab(&arguments).assert().code(1).get_output().clone();
    let said = text(&output.stdout);
    says(&said, &["as before", "bcs16 · loadbal · 64 threads: dynamic", "baseline", "allowed 1"]);
    says(&said, &["::error file=links.yaml,line=9"]);
    says(&text(&output.stderr), &["error: links: 1 gate does not hold"]);
    assert!(!said.contains("64 threads: static"), "all local: no link matters\n{said}");
    says(&read(&desk, "m.md"), &["as before", "dynamic"]);
    says(&read(&desk, "j.xml"), &["<testsuite", "<failure", "dynamic"]);
}

#[test]
fn errors_are_reported_before_the_first_run() {
    let desk = desk();
    for (arguments, parts) in [
        (&["sweep", "smal"][..], &["smal"][..]),
        (&["sweep", "small.yaml", "--filter", "stealin"], &["no filter \"stealin\"", "stealing"]),
        (&["sweep", "small.yaml", "-o", "x.txt"], &["x.txt", ".parquet"]),
        (&["sweep", "small.yaml", "--shard", "5/4"], &["no shard 5 of 4"]),
        (&["sweep", "small.yaml", "--jobs", "0"], &["--jobs"]),
        (&["sweep", "small.yaml", "--store", "."], &["is not a store", "--store"]),
        (&["sweep", "small.yaml", "--plan", "0"], &["it was submitted as 0"]),
    ] {
        says(&desk.refusal(arguments), parts);
    }
    let message = failure(desk.numalab(&["sweep", "small.yaml", "-o", "no/x.csv"]).assert().code(1));
    says(&message, &["there is no folder \"no\""]);
    assert_eq!(desk.files(), ["small.yaml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_lose_no_results() {
    let desk = desk();
    let arguments = ["sweep", "small.yaml", "-o", "/dev/full", "--format", "csv"];
    let full = desk.numalab(&arguments).assert().code(1).get_output().clone();
    says(&text(&full.stderr), &["/dev/full", "the disk is full"]);
    // Simulated points are counted in the table although their rows cannot be written.
    says(&text(&full.stdout), &["96 run now"]);
    says(&desk.answer(&["sweep", "small.yaml"]), &["96 stored before"]);
}
