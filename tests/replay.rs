//! Recordings of simulated runs: a replay takes exactly as long as the run.

use crate::support::{Desk, failure, says, text};
use std::fs;
use std::path::Path;

const PAIR: &str = include_str!("fixtures/pair.toml");
const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// Rows of a comparison in CSV, without hashes and other columns about the origin of the workload.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let keep: Vec<bool> = header.iter().map(|name| !name.contains("workload")).collect();
    assert!(header.iter().any(|name| name == "makespan_ps"), "{header:?}");
    let kept = |row: Vec<String>| row.into_iter().zip(&keep).filter(|(_, keep)| **keep).map(|(cell, _)| cell);
    lines.map(|row| kept(row).collect()).collect()
}

/// Standard output of a command that must succeed; standard error is ignored.
fn said(desk: &Desk, words: &[&str]) -> String {
    text(&desk.numalab(words).assert().success().get_output().stdout)
}

/// Rows of a workload's run and of the replay of its recording, with the same flags.
fn both(desk: &Desk, workload: &str, values: &[&str], more: &[&str]) -> [Vec<Vec<String>>; 2] {
    let common = ["--no-series", "--format", "csv"];
    let yaml = [&["sim", "pair.toml", workload][..], &common, values];
    said(desk, &[yaml.concat(), vec!["--no-sequential", more[0], more[1], "--trace", "run.nlt"]].concat());
    let replay = [&["sim", "pair.toml", "run.nlt"][..], &common];
    [said(desk, &[&yaml.concat(), more].concat()), said(desk, &[&replay.concat(), more].concat())]
        .map(|csv| rows(&csv))
}

/// Law: A simulated run replays to the picosecond.
#[test]
fn every_shipped_workload_replays_to_the_picosecond() {
    let desk = Desk::with("pair.toml", PAIR);
    let folder = fs::read_dir(Path::new(REPOSITORY).join("workloads")).unwrap();
    let mut names: Vec<String> = folder
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        // Left out: `dsm_synthetic`, which takes longest and has tests of its own, and `dsm_bandwidth`, which needs
        // software-shared memory.
        .filter(|name| name != "dsm_synthetic" && name != "dsm_bandwidth")
        .collect();
    names.sort();
    assert!(names.len() > 30);
    for name in names {
        let small: &[&str] = match &*name {
            "loadbal" => &["--set", "workload.footprint=1 GB", "--set", "workload.packages=96"],
            _ => &[],
        };
        let words =
            [&["sim", "pair.toml", &name, "--no-series", "--no-sequential", "--format", "csv"], small];
        let traced = [&words.concat()[..], &["--trace", "run.nlt"]].concat();
        let yaml = rows(&said(&desk, &traced));
        let replay = ["sim", "pair.toml", "run.nlt", "--no-series", "--no-sequential", "--format", "csv"];
        assert_eq!(yaml, rows(&said(&desk, &replay)), "{name}");
    }
}

/// Law: A simulated run replays to the picosecond.
#[test]
fn replay_equals_workload_under_other_policies() {
    let desk = Desk::with("pair.toml", PAIR);
    let small = ["--set", "workload.footprint=1 GB", "--set", "workload.packages=96"];
    let policies = ["-p", "dynamic,3", "-p", "guided", "-p", "numa-steal:nearest", "-p", "tasks:locality"];
    let others = [&policies[..], &["--placement", "b=interleave", "--seed", "7"]].concat();
    let [yaml, replay] = both(&desk, "loadbal", &small, &others);
    assert_eq!((yaml.len(), &yaml), (4, &replay));
    let [yaml, replay] = both(&desk, "nqueens", &[], &["-p", "tasks:central", "-p", "tasks:thread-local"]);
    assert_eq!((yaml.len(), &yaml), (2, &replay));
    // Replays on other machines are equal too, as long as no value is computed from the machine.
    let of = |workload: &[&str]| {
        let words = [&["sim", "s6030", "--no-sequential"], workload, &["--format", "csv", "-p", "static"]];
        rows(&said(&desk, &words.concat()))
    };
    said(&desk, &[&["sim", "pair.toml", "loadbal", "--trace", "lb.nlt"][..], &small].concat());
    assert_eq!(of(&[&["loadbal"][..], &small].concat()), of(&["lb.nlt", "-t", "32"]));
}

/// Workload file: two blocks of four tiles of 4e9 instructions. Each tile depends on the tiles to its left and above
/// it, and the second block on the first.
const WAVES: &str = "name: waves
regions: {}
phases:
  - name: sweep
    measured: true
    tasks:
      root: { task: block, for: b, from: 0, to: 1 }
      kinds:
        block:
          spawn: [{ task: tile, for: t, from: 0, to: 3, arguments: [t] }]
          depends: [{ inout: 0 }]
        tile:
          arguments: [t]
          instructions: 4e9
          depends: [{ in: \"if(t % 2 == 1, t - 1, -1)\" }, { in: t - 2 }, { out: t }]
";

/// Law: With dependences each task is created once.
///
/// A tile takes 1 s at 2 GHz and 2 instructions per cycle. The first and the last tile of a block run alone, so a
/// block takes 3 s and both take 6 s, with any queue. Without the `depends` clauses four threads take 2 s for the
/// eight tiles.
#[test]
fn tasks_that_create_tasks_wait_for_siblings() {
    let desk = Desk::with("pair.toml", PAIR);
    desk.put("waves.yaml", WAVES);
    let free: String =
        WAVES.lines().filter(|line| !line.contains("depends")).map(|line| format!("{line}\n")).collect();
    desk.put("free.yaml", &free);
    let queues = ["-p", "tasks:central", "-p", "tasks:thread-local", "-p", "tasks:hierarchical"];
    let seconds = |workload: &str| -> Vec<f64> {
        let words =
            [&["sim", "pair.toml", workload, "--no-sequential", "--format", "json"][..], &queues].concat();
        let answer: serde_json::Value = serde_json::from_str(&said(&desk, &words)).unwrap();
        let runs = answer["runs"].as_array().unwrap();
        runs.iter().map(|run| run["makespan_ps"].as_f64().unwrap() / 1e12).collect()
    };
    let close = |found: Vec<f64>, expected: f64| {
        assert!(found.len() == 3 && found.iter().all(|one| (one / expected - 1.0).abs() < 1e-3), "{found:?}");
    };
    close(seconds("waves.yaml"), 6.0);
    close(seconds("free.yaml"), 2.0);
    let [yaml, replay] = both(&desk, "waves.yaml", &[], &queues);
    assert_eq!((yaml.len(), &yaml), (3, &replay));
}

#[test]
fn simulated_recordings_are_shown_with_ignored_flags() {
    let desk = Desk::with("pair.toml", PAIR);
    said(&desk, &["sim", "pair.toml", "epcc", "--no-series", "--trace", "run.nlt"]);
    let shown = desk.answer(&["trace", "show", "run.nlt"]);
    says(&shown, &["numalab sim pair epcc", "simulated with a team of", "phase", "instructions"]);
    assert!(!shown.contains("-0"), "{shown}");
    says(&desk.answer(&["trace", "check", "run.nlt"]), &["program        1 blocks"]);
    says(
        &desk.refusal(&["sim", "pair.toml", "run.nlt", "--core-ratio", "0.5"]),
        &["run.nlt is a simulated run, which has no value core_ratio"],
    );
    let window = ["sim", "pair.toml", "epcc", "--no-series", "--trace", "w.nlt", "--trace-limit", "1MB"];
    says(&failure(desk.numalab(&window).assert().code(2)), &["a recording holds the whole program"]);
    assert!(!desk.path().join("w.nlt").exists());
    // A recording without part of its program is refused, not completed.
    let bytes = fs::read(desk.path().join("run.nlt")).unwrap();
    fs::write(desk.path().join("torn.nlt"), &bytes[..bytes.len() / 2]).unwrap();
    says(&desk.refusal(&["sim", "pair.toml", "torn.nlt"]), &["torn.nlt"]);
}

/// A replay without `--threads` has the number of threads of the recording.
#[test]
fn a_replay_has_the_team_of_the_simulated_run() {
    let desk = Desk::with("pair.toml", PAIR);
    let run = |what: &str, more: &[&str]| {
        let words = ["sim", "pair.toml", what, "--no-series", "--no-sequential", "--format", "csv"];
        rows(&said(&desk, &[&words, more].concat()))
    };
    let three = run("heat", &["-t", "3", "--trace", "run.nlt"]);
    assert_eq!(three, run("run.nlt", &[]));
    assert_ne!(three, run("run.nlt", &["-t", "2"]));
}
