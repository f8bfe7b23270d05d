//! Phases with teams of their own, in workload files.

use crate::support::{Desk, text};

/// Workload file with two phases: one, with the keys `team`, initialises an array; the other reads it.
fn workload(team: &str) -> String {
    format!(
        "name: apart
regions: {{ data: {{ size: 64 MiB }} }}
phases:
  - name: init
    {team}
    loop:
      iterations: threads
      schedule: static
      touches: [{{ region: data, slice: {{ partition: 1 }}, mode: write }}]
  - name: read
    measured: true
    loop:
      iterations: threads
      touches: [{{ region: data, slice: {{ partition: 1 }}, mode: read }}]
binding: {{ places: cores, proc_bind: spread }}
compare: [static]
"
    )
}

/// Results of a run with eight threads on two sockets of eight cores.
fn run(team: &str, more: &[&str]) -> serde_json::Value {
    let desk = Desk::empty();
    desk.put("apart.yaml", &workload(team));
    let arguments = [&["sim", "socket:2 core:8", "apart.yaml", "-t", "8", "--format", "json"], more].concat();
    let output = desk.numalab(&arguments).assert().success().get_output().clone();
    serde_json::from_str(&text(&output.stdout)).unwrap()
}

fn level(results: &serde_json::Value, level: &str) -> u64 {
    results["runs"][0]["bytes_by_level"][level].as_u64().unwrap()
}

/// Eight threads under `spread` are four on each socket. With `close`, an initialising team of four is on the first
/// socket, so that half of the reads are remote. With the run's `spread`, two are on each socket, and all reads are
/// local.
#[test]
fn pages_are_where_the_phases_team_is() {
    let all = 64 << 20;
    let own = run("threads: 4", &[]);
    assert_eq!(level(&own, "machine"), 0);
    let close = run("threads: 4\n    binding: { proc_bind: close }", &[]);
    assert_eq!(level(&close, "machine"), all / 2);
    assert!(makespan(&close) > makespan(&own));
    // The command line's binding applies only where the phase gives none.
    let said = run("threads: 4", &["--proc-bind", "close"]);
    assert_eq!(level(&said, "machine"), 0);
    let places = run("binding: { proc_bind: close }", &["--places", "{8:8}"]);
    assert_eq!(level(&places, "machine"), 0);
}

fn makespan(results: &serde_json::Value) -> u64 {
    results["runs"][0]["makespan_ps"].as_u64().unwrap()
}

#[test]
fn impossible_teams_are_refused() {
    let cases = [
        ("threads: 9", "expected at most the 8 threads of the run", "apart.yaml:5"),
        ("threads: 0", "expected at least 1", "apart.yaml:5"),
        ("threads: 2.5", "expected a whole number", "apart.yaml:5"),
        ("thread: 4", "threads", "apart.yaml:5"),
        ("binding: { proc_bin: close }", "proc_bind", "apart.yaml:5"),
        ("binding: { proc_bind: closer }", "close", "phase init"),
        ("binding: { places: \"{99}\" }", "99", "phase init"),
    ];
    for (team, expected, place) in cases {
        let desk = Desk::empty();
        desk.put("apart.yaml", &workload(team));
        let error = desk.refusal(&["sim", "socket:2 core:8", "apart.yaml", "-t", "8"]);
        assert!(error.contains(expected) && error.contains(place), "{team}: {error}");
    }
}
