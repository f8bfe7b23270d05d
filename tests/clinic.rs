//! `numalab advise`: the same answers as simulating each schedule, and schedules that can be typed.

use crate::support::Desk;
use serde_json::Value;

/// Loops of a stranger: times that fall linearly, and times with a lognormal distribution.
const FALLING: &str = "\
workload: 1
name: falling
phases:
  - name: sweep
    repeat: 20
    loop:
      iterations: 480
      instructions: 20000 * (480 - i)
";

const LOGNORMAL: &str = "\
workload: 1
name: lognormal
phases:
  - name: sweep
    repeat: 20
    loop:
      iterations: 480
      instructions: 1e6 * exp(0.8 * normal(i))
";

fn json(desk: &Desk, words: &[&str]) -> Value {
    serde_json::from_str(&desk.answer(&[words, &["--format", "json"]].concat())).expect("JSON")
}

/// Time of a run's phase in picoseconds.
fn time_of(run: &Value, phase: &str) -> u64 {
    let phases = run["phases"].as_array().expect("phases");
    let of_name = phases.iter().find(|one| one["name"] == phase).expect("the phase");
    of_name["time_ps"].as_u64().expect("a time")
}

/// Law: The clinic times a loop under a schedule as `sim` does, and its best schedule is that of an exhaustive search.
#[test]
fn the_best_schedule_is_that_of_an_exhaustive_search() {
    let desk = Desk::empty();
    for (name, text) in [("falling.yaml", FALLING), ("lognormal.yaml", LOGNORMAL)] {
        desk.put(name, text);
    }
    let cases = [
        ("board:2 socket:2 core:4", "loadbal", "work"),
        ("bcs16", "falling.yaml", "sweep"),
        ("epyc-9654-2p-nps4", "lognormal.yaml", "sweep"),
        ("hp8", "falling.yaml", "sweep"),
    ];
    for (machine, workload, phase) in cases {
        let clinic = json(&desk, &["advise", machine, workload]);
        let of_loop = clinic["loops"].as_array().unwrap().iter().find(|one| one["name"] == phase);
        let rows = of_loop.expect("the loop")["schedules"].as_array().unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row["schedule"].as_str().unwrap()).collect();
        // Commas separate policies and chunks alike, so each is a run of its own.
        let times: Vec<u64> = names
            .iter()
            .map(|name| {
                let run = json(&desk, &["sim", machine, workload, "--no-series", "-p", name, "--replicas", "1"]);
                time_of(&run["runs"][0], phase)
            })
            .collect();
        let clinic_times: Vec<u64> = rows.iter().map(|row| row["time_ps"].as_u64().unwrap()).collect();
        assert_eq!(clinic_times, times, "{machine} {workload} {names:?}");
        assert!(names.len() >= 10, "{machine} {workload} {names:?}");
        // Rows are in the order of their medians, which replicas shift by little.
        let least = *times.iter().min().unwrap() as f64;
        assert!(times[0] as f64 <= 1.02 * least, "{machine} {workload}: {names:?} {times:?}");
    }
}

/// Law: The program with the best schedule of each loop takes the time that the clinic says.
#[test]
fn the_best_schedules_are_simulated_together() {
    let desk = Desk::empty();
    let inputs = ["board:2 socket:2 core:4", "loadbal"];
    let clinic = json(&desk, &[&["advise"], &inputs[..]].concat());
    let best = &clinic["best"];
    let schedule = best["schedules"][0].as_str().unwrap();
    let run = json(&desk, &[&["sim"], &inputs[..], &["--no-series", "-p", schedule]].concat());
    assert_eq!(best["makespan_ps"], run["runs"][0]["makespan_ps"]);
    assert!(best["gain"].as_f64().unwrap() > 0.01);
    // What every compiler has can be typed.
    let typed = clinic["typed"]["schedules"][0].as_str().unwrap();
    let rows = clinic["loops"][0]["schedules"].as_array().unwrap();
    let row = rows.iter().find(|row| row["schedule"] == typed).unwrap();
    assert!(row["typed"].is_string(), "{row}");
}

/// Same bytes on any number of workers, and with the same budget.
#[test]
fn advice_is_deterministic() {
    let desk = Desk::empty();
    let of = |jobs: &str, budget: &str| {
        let words = ["advise", "hp8", "loadbal", "--format", "json", "--budget", budget, "-j", jobs];
        desk.answer(&words)
    };
    assert_eq!(of("1", "3G"), of("4", "3G"));
    assert_eq!(of("1", "20M"), of("3", "20M"));
}

/// A budget too small for all runs is said, and the answer has what was simulated.
#[test]
fn what_the_budget_leaves_out_is_said() {
    let desk = Desk::empty();
    let clinic = json(&desk, &["advise", "bcs16", "loadbal", "--budget", "4M"]);
    assert!(clinic["left_out"].as_u64().unwrap() > 0);
    let text = desk.answer(&["advise", "bcs16", "loadbal", "--budget", "4M"]);
    assert!(text.contains("Left out: "), "{text}");
}

/// Tasks that create tasks are compared under queues; a program without loops has an answer, too.
#[test]
fn tasks_are_compared_under_queues() {
    let desk = Desk::empty();
    let clinic = json(&desk, &["advise", "socket:2 core:4", "fib", "--set", "workload.n=12"]);
    let rows = clinic["loops"][0]["schedules"].as_array().unwrap();
    let all_are_queues = rows.iter().all(|row| row["schedule"].as_str().unwrap().starts_with("tasks"));
    assert!(all_are_queues && rows.len() >= 5, "{rows:?}");
    let text = desk.answer(&["advise", "socket:2 core:4", "core_to_core"]);
    assert!(text.contains("No measured phase is a loop"), "{text}");
}

/// Two loops of one name on teams of different sizes, under a policy that measures: each has times of its own.
#[test]
fn measured_times_belong_to_one_team() {
    let desk = Desk::empty();
    desk.put(
        "two.yaml",
        "name: two\nphases:\n\
         - { name: work, measured: true, threads: 2, loop: { iterations: 100, instructions: 10000 } }\n\
         - { name: work, measured: true, threads: 8, loop: { iterations: 100, instructions: 10000 } }\n",
    );
    let run = json(&desk, &["sim", "bcs16", "two.yaml", "-p", "awf-b", "--no-series", "--replicas", "1"]);
    assert!(time_of(&run["runs"][0], "work") > 0);
}

/// Names that use each other in a long chain are refused by their number, before any is lowered.
#[test]
fn policies_with_many_names_are_refused() {
    let desk = Desk::empty();
    let chain: String = (0..30_000).map(|at| format!("  a{at}: a{}\n", at + 1)).collect();
    desk.put("deep.yaml", &format!("name: deep\nfirst: shared\ntake: a0\nlet:\n{chain}  a30000: 1\n"));
    let message = desk.refusal(&["show", "./deep.yaml"]);
    assert!(message.contains("names"), "{message}");
}
