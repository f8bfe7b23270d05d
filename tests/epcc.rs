//! Workloads that measure constructs, clauses and schedules as the microbenchmarks of EPCC do.

use crate::support::Desk;
use serde_json::Value;

/// The only run of a workload on two sockets of four cores, with eight threads.
fn run(workload: &str, arguments: &[&str]) -> Value {
    let words = ["sim", "socket:2 core:4", workload, "--no-series", "--no-sequential", "--replicas", "1"];
    let all = [&words[..], &["--format", "json"], arguments].concat();
    let mut answer: Value = serde_json::from_str(&Desk::empty().answer(&all)).expect("JSON");
    answer["runs"][0].take()
}

fn overhead(run: &Value) -> f64 {
    run["measures"][0]["value"].as_f64().expect("the overhead in us")
}

fn array(clause: &str, elements: &str) -> Value {
    run(
        "epcc_array",
        &["--set", &format!("workload.clause={clause}"), "--set", &format!("workload.elements={elements}")],
    )
}

/// Bytes that all constructs named `name` touch.
fn bytes(run: &Value, name: &str) -> u64 {
    let phases = run["phases"].as_array().expect("phases");
    phases.iter().find(|phase| phase["name"] == name).map_or(0, |phase| phase["bytes"].as_u64().unwrap())
}

/// A copy of 729 numbers reads 5832 bytes and writes as many. In 100 regions all eight threads copy: 100 x 8 x 2 x 5832 bytes.
/// With `copyin` the first thread has the array: 7/8 of it. `copyprivate` copies in the threads' broadcast.
#[test]
fn threads_copy_arrays_as_their_clause_says() {
    let all = 100 * 8 * 2 * 5832;
    assert_eq!(bytes(&array("private", "729"), "copy"), 0);
    assert_eq!(bytes(&array("firstprivate", "729"), "copy"), all);
    assert_eq!(bytes(&array("copyin", "729"), "copy_first"), all / 8 * 7);
    assert_eq!(bytes(&array("copyprivate", "729"), "broadcast"), all);
    // Of the first copies, one on the other node reads the source from there: its neighbours find it in their shared cache.
    assert_eq!(array("firstprivate", "729")["phases"][0]["remote_bytes"], 5832);
}

/// An array of a thread's own costs as little as none: the region costs what `epcc` measures of `parallel`, within 5 %. Copies
/// cost more the longer they are; `copyin` adds a barrier to them, and `copyprivate` a `single` and two barriers.
#[test]
fn clauses_cost_what_they_do() {
    let plain = overhead(&run("epcc", &["--set", "workload.construct=parallel"]));
    let private = overhead(&array("private", "729"));
    assert!((private / plain - 1.0).abs() < 0.05, "{private} and {plain} us");
    assert_eq!(private, overhead(&array("private", "6561")));
    let first = |elements| overhead(&array("firstprivate", elements));
    assert!(first("81") < first("729") && first("729") < first("6561"));
    let barrier = overhead(&run("epcc", &["--set", "workload.construct=barrier"]));
    let copyin = overhead(&array("copyin", "1"));
    assert!(
        (copyin - first("1") - barrier).abs() < 0.2 * barrier,
        "{copyin}, {} and {barrier} us",
        first("1")
    );
    assert!(overhead(&array("copyprivate", "1")) > first("1") + 2.0 * barrier);
}

/// `static` hands out nothing, so a loop costs what `epcc` measures of `for` within 5 %. Each chunk of `dynamic` costs its
/// thread's turn at the shared counter: 128 of each thread cost more than 16, and 16 more than 2.
#[test]
fn small_chunks_cost_more() {
    // The region is opened once for all executions.
    let of =
        |policy: &str| overhead(&run("epcc_schedule", &["-p", policy, "--set", "workload.executions=100"]));
    let plain = overhead(&run("epcc", &["--set", "workload.construct=for"]));
    assert!((of("static") / plain - 1.0).abs() < 0.05, "{} and {plain} us", of("static"));
    let [one, eight, many] = ["dynamic,1", "dynamic,8", "dynamic,64"].map(of);
    assert!(one > eight && eight > many && many > of("static"), "{one}, {eight}, {many} us");
}
