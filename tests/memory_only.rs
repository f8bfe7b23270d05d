//! Memory-only nodes, from the command line.

use crate::support::{Desk, says};

/// Bandwidth of `stream` with streaming stores, in GB/s.
fn stream(machine: &str, placement: &str) -> f64 {
    let set = ["--set", "workload.stores=streaming", "--placement", placement, "--format", "json"];
    let answer = Desk::empty().answer(&[&["sim", machine, "stream", "--no-series"][..], &set].concat());
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    answer["runs"][0]["measures"][0]["value"].as_f64().unwrap()
}

/// HBM is faster than DDR5, and CXL is slower. With suitable weights, DDR5 and CXL together are faster than DDR5
/// alone.
#[test]
fn placements_on_them_by_name() {
    let own = stream("xeon-max-9480-2p", "first-touch");
    let fast = stream("xeon-max-9480-2p", "hbw");
    assert!(fast > 2.0 * own, "{fast} {own}");
    assert_eq!(fast, stream("xeon-max-9480-2p", "bind:hbm"));
    // The CXL expanders move 61 GB/s, for any number of threads.
    let far = stream("xeon-8480-2p-cxl", "bind:cxl");
    assert!((60.0..61.01).contains(&far), "{far}");
    // `hbw` does not prefer memory-only nodes that are no faster than the processors' nodes.
    assert_eq!(stream("xeon-8480-2p-cxl", "hbw"), stream("xeon-8480-2p-cxl", "first-touch"));
}

#[test]
fn they_are_shown() {
    let desk = Desk::empty();
    let shown = desk.answer(&["show", "xeon-max-9480-2p"]);
    says(&shown, &["memory without processors: hbm (nodes 2-3)", "memory only"]);
    let way = desk.answer(&["show", "xeon-8480-2p-cxl", "--between", "1", "2"]);
    says(&way, &["cxl memory of node 2 (reads)", "upi socket 0 -> socket 1"]);
    says(&desk.answer(&["show", "xeon-max-9480-2p", "--between", "2", "0"]), &["Node 2 has memory only"]);
}

#[test]
fn unknown_names_are_refused() {
    let refusal =
        |more: &[&str]| Desk::empty().refusal(&[&["sim", "xeon-max-9480-2p", "stream"], more].concat());
    says(&refusal(&["--placement", "bind:hbn"]), &["nodes \"hbn\"", "did you mean \"hbm\"?"]);
    says(&refusal(&["--placement", "bind:4"]), &["node 4", "0-3"]);
    let plain = Desk::empty().refusal(&["sim", "bcs16", "loadbal", "--membind", "hbm"]);
    says(&plain, &["--membind names nodes \"hbm\", which bcs16 does not have"]);
    let beyond = Desk::empty().refusal(&["sim", "xeon-8480-2p", "stream", "--membind", "7"]);
    says(&beyond, &["--membind names node 7, but xeon-8480-2p has 2", "its nodes are 0-1"]);
    // One round of weighted interleaving: 255 pages on each of a hundred thousand nodes.
    let long =
        ["sim", "board:1000 socket:100 core:1", "loadbal", "--placement", "weighted-interleave:all:255"];
    says(&Desk::empty().refusal(&long), &["pages in a round of its nodes"]);
}

/// Workload files may name memory-only nodes. An unknown name is reported with its line.
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

/// Bytes from memory-only nodes are neither local nor remote: each output format counts them separately.
#[test]
fn they_have_a_column_of_their_own() {
    let desk = Desk::empty();
    let placed = |more: &[&str]| {
        desk.answer(
            &[&["sim", "xeon-max-9480-2p", "stream", "--no-series", "--placement", "hbw"][..], more].concat(),
        )
    };
    let table = placed(&["--bars", "none"]);
    let row = table.lines().find(|line| line.starts_with("static ")).expect("a row of the policy");
    let shares: Vec<&str> = row.split_whitespace().filter(|word| word.ends_with('%')).take(3).collect();
    assert_eq!(shares, ["0%", "0%", "100%"], "{table}");
    let json: serde_json::Value = serde_json::from_str(&placed(&["--format", "json"])).unwrap();
    let levels = &json["runs"][0]["bytes_by_level"];
    let bytes = levels["memory_only"].as_u64().unwrap();
    assert!(bytes > 0 && levels["node"] == 0 && levels["machine"] == 0, "{levels}");
    let csv = placed(&["--format", "csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, cells) = (lines.next().unwrap(), lines.next().unwrap());
    let at = names.iter().position(|name| *name == "bytes_memory_only").unwrap();
    assert_eq!(cells[at], bytes.to_string());
}

/// A large array fills the readers' node, so that a small array is placed on a memory-only node. Promotion moves the
/// small array to the readers, and bytes from memory-only nodes decrease.
#[test]
fn hot_pages_are_promoted() {
    let touch = |region: &str, mode: &str| {
        format!("        - {{ region: {region}, slice: {{ partition: 1 }}, mode: {mode} }}\n")
    };
    let hot = format!(
        "name: hot\nregions: {{ cold: {{ size: 4 GB }}, hot: {{ size: 512 MB }} }}\nphases:\n  - name: place\n    loop:\n      \
         iterations: 112\n      schedule: static\n      touches:\n{}{}  - name: read\n    measured: true\n    repeat: \
         4000\n    loop:\n      iterations: 112\n      schedule: static\n      touches:\n{}",
        touch("cold", "streaming-write"),
        touch("hot", "streaming-write"),
        touch("hot", "read")
    );
    let desk = Desk::with("hot.yaml", &hot);
    let run = |placement: &str| -> serde_json::Value {
        let answer = desk.answer(&[
            "sim",
            "xeon-8480-2p-cxl",
            "hot.yaml",
            "--threads",
            "56",
            "--policy",
            "static",
            "--format",
            "json",
            "--placement",
            placement,
            "--set",
            "machine.memory.capacity=2 GB",
            "--set",
            "machine.os.tiering.watermark_scale=0.02",
            "--set",
            "machine.os.balancing.scan_size=1 GB",
        ]);
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        answer["runs"][0].clone()
    };
    let (still, moving) = (run("first-touch"), run("tiering"));
    let far = |run: &serde_json::Value| run["bytes_by_level"]["memory_only"].as_u64().unwrap();
    assert!(2 * far(&moving) < far(&still), "{} {}", far(&moving), far(&still));
    let phase = &moving["phases"][0];
    assert!(
        phase["pages_promoted"].as_u64() > Some(1000) && phase["pages_demoted"].as_u64() > Some(1000),
        "{phase}"
    );
    assert!(still["phases"][0].get("pages_promoted").is_none(), "nothing is said where nothing moves");
}
