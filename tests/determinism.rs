//! Results have the same bytes for any number of workers and any order of work.

use crate::support::{Desk, says};

#[test]
fn workers_do_not_show_in_the_answer() {
    let desk = Desk::empty();
    let ask = |more: &[&str]| {
        let run = ["sim", "bcs16", "loadbal", "--format", "json", "--set", "workload.packages=500"];
        desk.answer(&[&run[..], more].concat())
    };
    let first = ask(&[]);
    assert_eq!(first, ask(&[]), "two runs");
    for jobs in ["1", "2", "7"] {
        assert_eq!(first, ask(&["--jobs", jobs]), "--jobs {jobs}");
    }
    assert_ne!(first, ask(&["--seed", "1"]), "the seed is in the answer");
    // With a single schedule, the run on one thread is simulated in parallel with it or after it.
    assert_eq!(ask(&["-p", "dynamic", "--jobs", "1"]), ask(&["-p", "dynamic", "--jobs", "2"]));
}

#[test]
fn results_do_not_depend_on_compared_policies() {
    let desk = Desk::empty();
    let runs = |policies: &[&str]| {
        let mut arguments =
            vec!["sim", "bcs16", "loadbal", "--format", "json", "--set", "workload.packages=500"];
        for policy in policies {
            arguments.extend(["--policy", policy]);
        }
        let results: serde_json::Value = serde_json::from_str(&desk.answer(&arguments)).unwrap();
        results["runs"].as_array().unwrap().clone()
    };
    let together = runs(&["static", "numa-steal:random", "dynamic,4"]);
    assert_eq!(together[1], runs(&["numa-steal:random"])[0]);
    assert_eq!(together[2], runs(&["dynamic,4"])[0]);
}

/// Runs with moving pages and threads, shared caches, queues at locks, and comparisons with other runs.
#[test]
fn a_series_is_the_same_on_any_number_of_workers() {
    let desk = Desk::empty();
    let questions: [&[&str]; 8] = [
        &["migration_daxpy", "--set", "workload.mechanism=next_touch", "--set", "workload.vector=4 MB"],
        &["malloc"],
        &[
            "cg",
            "-t",
            "24",
            "--proc-bind",
            "false",
            "--set",
            "workload.n=100000",
            "--set",
            "workload.steps=5",
        ],
        &["epcc", "--runtime", "gcc", "--set", "workload.executions=50"],
        &["fib", "--set", "workload.n=16", "--runtime", "intel-14"],
        &["heat", "--series", "threads=2,5"],
        &["locks", "--set", "workload.kind=backoff", "--set", "workload.executions=500"],
        &["matvec", "--set", "workload.n=256", "--set", "workload.init=serial", "--placement", "interleave"],
    ];
    for question in questions {
        let ask = |more: &[&str]| {
            let run = ["sim", "board:2 socket:2 core:4", "--format", "json"];
            desk.answer(&[&run[..], question, more].concat())
        };
        let first = ask(&[]);
        assert_eq!(first, ask(&[]), "two runs of {question:?}");
        for jobs in ["1", "3"] {
            assert_eq!(first, ask(&["--jobs", jobs]), "{question:?} --jobs {jobs}");
        }
    }
}

/// Several runs fail, each with another text.
#[test]
fn the_first_failing_run_is_reported_on_any_number_of_workers() {
    let desk = Desk::empty();
    for question in [
        &["sim", "cxl-pool4", "loadbal", "-t", "12", "--no-series"][..],
        &["sim", "cxl-pool4", "loadbal", "--series", "threads=12,8,4"],
        &["explain", "cxl-pool4", "loadbal", "-t", "12", "-p", "guided"],
    ] {
        let refusal = |jobs: &str| {
            let command = desk.numalab(&[question, &["-j", jobs]].concat()).assert().failure();
            crate::support::failure(command)
        };
        let first = refusal("1");
        says(&first, &[if question[0] == "sim" { "dynamic:" } else { "guided:" }]);
        for jobs in ["2", "4", "4", "4", "9"] {
            assert_eq!(refusal(jobs), first, "{question:?} -j {jobs}");
        }
    }
}
