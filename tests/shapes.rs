//! Machines as Linux reports them: nodes without memory, processors that are off line, nodes of unequal size.

use crate::support::{Desk, says};

/// Two sockets of two nodes of two cores, with one module for each socket.
const ONE_MODULE: &str = "\
available: 4 nodes (0-3)
node 0 cpus: 0 1
node 0 size: 0 MB
node 0 free: 0 MB
node 1 cpus: 2 3
node 1 size: 16000 MB
node 1 free: 9000 MB
node 2 cpus: 4 5
node 2 size: 0 MB
node 2 free: 0 MB
node 3 cpus: 6 7
node 3 size: 16000 MB
node 3 free: 9000 MB
node distances:
node   0   1   2   3
  0:  10  16  32  32
  1:  16  10  32  32
  2:  32  32  10  16
  3:  32  32  16  10
";

/// Two sockets of four cores with four hardware threads; two cores of the first are off line. lscpu prints the mean of
/// cores.
const OFF_LINE: &str = "\
Architecture:            ppc64le
CPU(s):                  24
On-line CPU(s) list:     0-3,8-11,16-31
Thread(s) per core:      4
Core(s) per socket:      3
Socket(s):               2
NUMA node(s):            2
Model name:              POWER9, altivec supported
L1d cache:               192 KiB
NUMA node0 CPU(s):       0-3,8-11
NUMA node8 CPU(s):       16-31
";

fn desk() -> Desk {
    let desk = Desk::with("one-module.txt", ONE_MODULE);
    desk.put("off-line.txt", OFF_LINE);
    desk
}

/// Standard output of a command on a topology, which warns of what is assumed.
fn answer(desk: &Desk, arguments: &[&str]) -> String {
    let output = desk.numalab(arguments).assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

const SMALL: [&str; 3] = ["--no-series", "--set", "workload.footprint=64 MB"];

#[test]
fn nodes_without_memory_are_read_and_written() {
    let desk = desk();
    let shown = answer(&desk, &["show", "one-module.txt", "--assume"]);
    says(&shown, &["nodes 0,2: no memory", "memory            31.2 GiB"]);
    let file = answer(&desk, &["show", "one-module.txt", "--assume", "--format", "toml"]);
    says(&file, &["[memory_at.\"0,2\"]\ncapacity = \"0 B\""]);
    // The file says the same.
    desk.put("own.toml", &file);
    says(&answer(&desk, &["show", "own.toml"]), &["nodes 0,2: no memory", "memory            31.2 GiB"]);
    let distances = answer(&desk, &["distances", "own.toml"]);
    says(&distances, &["0:   - 185   - 535", "0: 10 14 40 40"]);
    let run = [&["sim", "own.toml", "loadbal", "--placement", "first-touch"], &SMALL[..]].concat();
    says(&answer(&desk, &run), &["same", "remote"]);
    for command in
        [&["model", "own.toml", "matvec"][..], &["places", "own.toml"], &["show", "own.toml", "--dot", "-"]]
    {
        assert!(!answer(&desk, command).is_empty(), "{command:?}");
    }
    let explain = [&["explain", "own.toml", "loadbal"], &SMALL[1..]].concat();
    says(&answer(&desk, &explain), &["time"]);
}

#[test]
fn placements_on_nodes_without_memory_name_those_with_some() {
    let desk = desk();
    let refusal = |more: &[&str]| {
        let arguments = [&["sim", "one-module.txt", "loadbal", "--assume"], more].concat();
        let output = desk.numalab(&arguments).assert().failure().code(2).get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    says(
        &refusal(&["--placement", "bind:2"]),
        &["--placement names node 2, which has no memory on one-module", "nodes with memory: 1,3"],
    );
    says(&refusal(&["--membind", "0-1"]), &["--membind names node 0, which has no memory"]);
    let workload =
        desk.numalab(&["sim", "one-module.txt", "node_bandwidth", "--assume", "--set", "workload.node=2"]);
    let output = { workload }.assert().failure().code(2).get_output().clone();
    says(
        &String::from_utf8(output.stderr).unwrap(),
        &["node 2 has no memory", "expected nodes with memory: 1,3"],
    );
}

/// Two sockets of four cores. Each of eight threads reads its part of the data, which it has written before, many times; all
/// memory is local. Without memory on node 1 its threads read over the link.
#[test]
fn missing_modules_can_be_asked_for() {
    let time = |set: &[&str]| {
        let run = [
            "sim",
            "socket:2 core:4",
            "stream",
            "--no-series",
            "--placement",
            "first-touch",
            "--format",
            "json",
        ];
        let answer: serde_json::Value =
            serde_json::from_str(&Desk::empty().answer(&[&run[..], set].concat())).unwrap();
        answer["runs"][0]["makespan_ps"].as_f64().unwrap()
    };
    let (both, one) = (time(&[]), time(&["--set", "machine.memory_at.1.capacity=0 B"]));
    assert!(one > 1.5 * both, "{one} {both}");
    let refusal = |set: &str| Desk::empty().refusal(&["sim", "socket:2 core:4", "stream", "--set", set]);
    says(&refusal("machine.memory_at.2.capacity=0 B"), &["no node 2 with processors", "these are 0-1"]);
    says(&refusal("machine.memory_at.x.capacity=0 B"), &["\"x\" is no number or range", "0-3,8"]);
    says(&refusal("machine.memory_at.0-1.capacity=0 B"), &["no node has memory"]);
    says(&refusal("machine.memory_at.0.capacty=0 B"), &["did you mean `capacity`?"]);
}

#[test]
fn processors_that_are_off_line_keep_their_numbers() {
    let desk = desk();
    let file = answer(&desk, &["show", "off-line.txt", "--assume", "--format", "toml"]);
    says(&file, &["numbering = \"threads-first\"\noffline = \"4-7,12-15\""]);
    desk.put("own.toml", &file);
    says(&answer(&desk, &["show", "own.toml"]), &["off line: processors 4-7,12-15", "cores             6"]);
    let bound = |more: &[&str]| {
        let run =
            [&["sim", "own.toml", "loadbal", "--display-affinity", "-t", "3"], &SMALL[..], more].concat();
        let output = desk.numalab(&run).assert().success().get_output().clone();
        let of_line = |line: &str| Some(line.split_once("OS proc set ")?.1.to_owned());
        String::from_utf8(output.stderr).unwrap().lines().filter_map(of_line).collect::<Vec<String>>()
    };
    assert_eq!(bound(&["--places", "cores", "--proc-bind", "close"]), ["{0-3}", "{8-11}", "{16-19}"]);
    assert_eq!(bound(&["--places", "cores", "--proc-bind", "spread"]), ["{0-3}", "{16-19}", "{24-27}"]);
    assert_eq!(
        bound(&["--places", "sockets", "--proc-bind", "close"]),
        ["{0-3,8-11}", "{0-3,8-11}", "{16-31}"]
    );
    // Processors that are off line are left out of places, as libgomp does.
    assert_eq!(bound(&["--places", "{0:8},{16:4}", "--proc-bind", "close"]), ["{0-3}", "{0-3}", "{16-19}"]);
    assert_eq!(bound(&["--cpunodebind", "0"]), ["{0}", "{8}", "{1}"]);
    assert_eq!(bound(&["--likwid-pin", "S0:1-3"]), ["{8}", "{1}", "{9}"]);
    assert_eq!(bound(&["--procs", "9,0,16"]), ["{9}", "{0}", "{16}"]);
    for (flag, list) in [("--procs", "0,5"), ("--physcpubind", "0,5")] {
        let arguments = ["sim", "own.toml", "loadbal", flag, list];
        says(
            &desk.refusal(&arguments),
            &["the list names processor 5, which is off line", "processors in use: 0-3,8-11,16-31"],
        );
    }
    let all =
        desk.numalab(&["sim", "own.toml", "loadbal", "--format", "json"]).args(SMALL).assert().success();
    let all: serde_json::Value = serde_json::from_slice(&all.get_output().stdout).unwrap();
    assert_eq!(all["runs"][0]["team"].as_array().unwrap().len(), 6);
}

/// The exports are read back with the same shape and values: two sockets of two nodes, two without memory, and a core that is
/// off line.
#[test]
fn exports_are_read_back() {
    let desk = Desk::empty();
    let machine = [
        "socket:2 node:2 core:4",
        "--set",
        "machine.memory_at.0,3.capacity=0 B",
        "--set",
        "machine.offline=5",
    ];
    let exports = ["--hwloc", "own.xml", "--numactl", "own.txt", "--svg", "own.svg"];
    let table = desk.answer(&[&["distances"], &machine[..], &exports].concat());
    says(&table, &["0:   - 185 185   -"]);
    let matrices = |text: &str| text.split_once("idle latency").unwrap().1.to_owned();
    let back = answer(&desk, &["distances", "own.xml", "--assume"]);
    assert_eq!(
        matrices(&back).lines().take(6).collect::<Vec<_>>(),
        matrices(&table).lines().take(6).collect::<Vec<_>>()
    );
    for file in ["own.xml", "own.txt"] {
        let file = answer(&desk, &["show", file, "--assume", "--format", "toml"]);
        says(&file, &["[memory_at.\"0,3\"]\ncapacity = \"0 B\"", "offline = \"5\"", "capacity = \"16 GiB\""]);
    }
    let compared = [&["distances"], &machine[..], &["--compare", "own.txt"]].concat();
    says(&desk.answer(&compared), &["firmware  off by 0.0 % on average, 0.0 % at most"]);
    let picture = std::fs::read_to_string(desk.path().join("own.svg")).unwrap();
    says(
        &picture,
        &["Idle latency, ns", "Bandwidth of all cores of a node, GB/s", "node 0 reads from node 1: 185.0"],
    );
}
