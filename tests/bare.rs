//! Machines of which other tools said only the shape: refused by what is missing, or taken with what is assumed.

use crate::support::{Desk, says, text};

const XML: &str = include_str!("fixtures/topology/gold.xml");

#[test]
fn a_topology_alone_is_refused_by_what_is_missing() {
    let desk = Desk::with("gold.xml", XML);
    for command in [&["sim", "gold.xml", "loadbal"][..], &["show", "gold.xml"]] {
        let message = desk.refusal(command);
        says(
            &message,
            &["gold.xml", "not how fast", "memory.latency", "memory.bandwidth", "--assume", "calibrate"],
        );
    }
}

#[test]
fn what_is_assumed_comes_first_with_its_source() {
    // Whatever it is called: its text says what it is.
    for file in ["gold.xml", "dump"] {
        let desk = Desk::with(file, XML);
        let sim = ["sim", file, "loadbal", "--set", "workload.footprint=100 MB", "-p", "static", "--assume"];
        let output = desk.numalab(&sim).assert().success().get_output().clone();
        says(
            &text(&output.stderr),
            &[
                "nobody measured",
                "memory.bandwidth = 102 GB/s",
                "6 channels of DDR4-2666",
                "Skylake-SP",
                "memory.latency = 85.0 ns",
                "assumed",
            ],
        );
        says(&text(&output.stdout), &["4 threads", "static"]);
        let show = desk.numalab(&["show", file, "--assume", "--format", "toml"]).assert().success();
        let shown = text(&show.get_output().stdout);
        // What the topology says is as it says it.
        says(
            &shown,
            &[
                "count = 2",
                "clock = \"2.4 GHz\"",
                "size = \"27.5 MiB\"",
                "capacity = \"8 GiB\"",
                "flops_per_cycle = 32",
            ],
        );
        desk.put("taken.toml", &shown);
        says(&desk.answer(&["show", "taken.toml"]), &["2 sockets"]);
    }
}

#[test]
fn assumed_values_can_be_replaced_and_varied() {
    let desk = Desk::with("gold.xml", XML);
    let csv = |more: &[&str]| {
        let sim = [
            "sim",
            "gold.xml",
            "loadbal",
            "--set",
            "workload.footprint=100 MB",
            "-p",
            "static",
            "--assume",
            "--no-sequential",
            "--format",
            "csv",
        ];
        text(&desk.numalab(&[&sim[..], more].concat()).assert().success().get_output().stdout)
    };
    assert_ne!(csv(&[]), csv(&["--set", "machine.memory.bandwidth=10 GB/s"]));
    assert_eq!(csv(&["--series", "machine.memory.bandwidth=x1,x0.1"]).lines().count(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn this_computer_is_a_machine_or_has_a_reason() {
    let desk = Desk::empty();
    let output = desk.numalab(&["show", "here", "--assume"]).output().unwrap();
    let (answer, message) = (text(&output.stdout), text(&output.stderr));
    match output.status.code() {
        Some(0) => says(&answer, &["cores"]),
        _ => says(&message, &["error: ", "here"]),
    }
    assert!(!message.contains("panicked"), "{message}");
}
