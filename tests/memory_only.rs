//! Nodes that are memory alone, as users meet them.

use crate::support::{Desk, says};

/// Gigabytes per second of `stream` with streaming stores.
fn stream(machine: &str, placement: &str) -> f64 {
    let set = ["--set", "workload.stores=streaming", "--placement", placement, "--format", "json"];
    let answer = Desk::empty().answer(&[&["sim", machine, "stream", "--no-series"][..], &set].concat());
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    answer["runs"][0]["measures"][0]["value"].as_f64().unwrap()
}

/// HBM is faster than DDR5, CXL slower, and both together faster than DDR5 alone where the weights say so.
#[test]
fn placements_on_them_by_name() {
    let own = stream("xeon-max-9480-2p", "first-touch");
    let fast = stream("xeon-max-9480-2p", "hbw");
    assert!(fast > 2.0 * own, "{fast} {own}");
    assert_eq!(fast, stream("xeon-max-9480-2p", "bind:hbm"));
    // The expanders move 61 GB/s, whoever asks.
    let far = stream("xeon-8480-2p-cxl", "bind:cxl");
    assert!((60.0..61.01).contains(&far), "{far}");
    // Nodes that have no more than the processors' own are not preferred.
    assert_eq!(stream("xeon-8480-2p-cxl", "hbw"), stream("xeon-8480-2p-cxl", "first-touch"));
}

#[test]
fn they_are_shown() {
    let desk = Desk::empty();
    let shown = desk.answer(&["show", "xeon-max-9480-2p"]);
    says(&shown, &["memory without processors: hbm (nodes 2-3)", "of memory alone"]);
    let way = desk.answer(&["show", "xeon-8480-2p-cxl", "--between", "1", "2"]);
    says(&way, &["cxl memory of node 2 (reads)", "upi socket 0 -> socket 1"]);
    says(&desk.answer(&["show", "xeon-max-9480-2p", "--between", "2", "0"]), &["Node 2 is memory alone"]);
}

#[test]
fn names_that_are_not_there_are_refused() {
    let refusal =
        |more: &[&str]| Desk::empty().refusal(&[&["sim", "xeon-max-9480-2p", "stream"], more].concat());
    says(&refusal(&["--placement", "bind:hbn"]), &["nodes \"hbn\"", "did you mean \"hbm\"?"]);
    says(&refusal(&["--placement", "bind:4"]), &["node 4", "0-3"]);
    let plain = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--membind", "hbm"]);
    says(&plain, &["nodes \"hbm\", which bcs16 does not have"]);
    // A round of 255 pages on each of a hundred thousand nodes.
    let long =
        ["sim", "board:1000 socket:100 core:1", "loadbal", "--placement", "weighted-interleave:all:255"];
    says(&Desk::empty().refusal(&long), &["pages in a round of its nodes"]);
}

/// In a workload too; a name that is not there is shown in its line.
#[test]
fn workloads_name_them() {
    let text = |nodes: &str| {
        format!(
            "name: triad\nregions:\n  a: {{ size: 64 MB, placement: \"bind:{nodes}\" }}\nphases:\n  - name: read\n    \
             measured: true\n    loop:\n      iterations: 112\n      touches: [{{ region: a, slice: {{ partition: 1 }}, mode: read }}]\n"
        )
    };
    let desk = Desk::with("right.yaml", &text("0,hbm"));
    desk.put("wrong.yaml", &text("cxl"));
    desk.answer(&["sim", "xeon-max-9480-2p", "right.yaml"]);
    let refusal = desk.refusal(&["sim", "xeon-max-9480-2p", "wrong.yaml"]);
    says(&refusal, &["wrong.yaml:3", "no nodes called \"cxl\"", "hbm"]);
}
