//! Machines of which only the topology is known: refused with a list of missing values, or completed with `--assume`.

use crate::support::{Desk, says, text};

const XML: &str = include_str!("fixtures/topology/gold.xml");

#[test]
fn topology_without_measurements_is_refused() {
    let desk = Desk::with("gold.xml", XML);
    for command in [&["sim", "gold.xml", "loadbal"][..], &["show", "gold.xml"]] {
        let message = desk.refusal(command);
        says(
            &message,
            &["gold.xml", "without speeds", "memory.latency", "memory.bandwidth", "--assume", "calibrate"],
        );
    }
}

#[test]
fn assumed_values_are_listed_with_sources() {
    // The text determines the kind of file, not its name.
    for file in ["gold.xml", "dump", "gold.toml", "gold.yaml"] {
        let desk = Desk::with(file, XML);
        let sim = ["sim", file, "loadbal", "--set", "workload.footprint=100 MB", "-p", "static", "--assume"];
        let output = desk.numalab(&sim).assert().success().get_output().clone();
        says(
            &text(&output.stderr),
            &[
                "assumed, not measured",
                "memory.bandwidth = 109 GB/s",
                "memory.write_cost = 1.45",
                "6 channels of DDR4-2666",
                "Skylake-SP",
                "memory.latency = 85.0 ns",
                "assumed",
            ],
        );
        says(&text(&output.stdout), &["4 threads", "static"]);
        let show = desk.numalab(&["show", file, "--assume", "--format", "toml"]).assert().success();
        let shown = text(&show.get_output().stdout);
        // Values of the topology are used unchanged.
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

#[test]
fn pipes_are_read_once() {
    let desk = Desk::empty();
    let piped = |arguments: &[&str], text: &str| {
        let output = desk.numalab(arguments).write_stdin(text).assert().get_output().clone();
        (output.status.code(), self::text(&output.stdout), self::text(&output.stderr))
    };
    let sim = ["sim", "-", "loadbal", "--set", "workload.footprint=100 MB", "-p", "static", "--assume"];
    let (status, answer, told) = piped(&sim, XML);
    assert_eq!(status, Some(0), "{told}");
    says(&answer, &["4 threads", "static"]);
    says(&told, &["standard input: assumed, not measured", "6 channels of DDR4-2666"]);
    let explain =
        ["explain", "-", "loadbal", "--set", "workload.footprint=100 MB", "-p", "static", "--assume"];
    says(&piped(&explain, XML).1, &["loadbal · 4 threads"]);
    // Machine files and workloads can be piped as well.
    let machine = desk.answer(&["show", "hp8", "--format", "toml"]);
    says(&piped(&sim, &machine).1, &["hp8 · loadbal"]);
    says(&piped(&["show", "-"], &desk.answer(&["show", "fib", "--format", "yaml"])).1, &["fib: Fibonacci"]);
    says(
        &piped(&["show", "-", "--kind", "machine"], "name: w\nphases: []\n").2,
        &["standard input:1:1", "this is YAML"],
    );
    says(&piped(&sim, "").2, &["standard input", "empty"]);
}

#[test]
fn measurements_alone_are_no_machine() {
    let desk = Desk::with("c2c.csv", "num,0,1,2\n0,,30.5,60.5\n1,30.5,,60.5\n2,60.5,60.5,\n");
    desk.put(
        "mlc.txt",
        "Measuring idle latencies (in ns)...\n\tNuma node\nNuma node\t0\t1\n0\t80.1\t130.2\n1\t131.0\t80.5\n",
    );
    desk.put("slit.txt", "10 21\n21 10\n");
    for (file, what) in [
        ("c2c.csv", "core-to-core latencies"),
        ("mlc.txt", "Memory Latency Checker"),
        ("slit.txt", "the firmware's distances"),
    ] {
        for command in [&["sim", file, "loadbal", "--assume"][..], &["show", file]] {
            says(&desk.refusal(command), &[file, what, "has no topology", "calibrate fit"]);
        }
        says(&desk.refusal(&["places", file]), &[file, what, "has no topology", "calibrate fit"]);
    }
    desk.put("n.txt", "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 8000 MB\nnode 1 cpus: 2 3\nnode 1 size: 8000 MB\nnode distances:\nnode   0   1\n  0:  10  21\n  1:  21  10\n");
    let shown = desk.numalab(&["show", "n.txt", "--assume"]).assert().success().get_output().clone();
    says(&text(&shown.stdout), &["2 sockets", "4 in all"]);
    desk.put("t.xml", XML);
    desk.put("s.yaml", "name: s\npoints: { machine: t.xml, workload: loadbal, threads: 4 }\n");
    says(&desk.refusal(&["sweep", "s.yaml"]), &["s.yaml: t.xml", "without speeds", "`assume: true`"]);
    desk.put(
        "s.yaml",
        "name: s\nassume: true\npoints: { machine: t.xml, workload: loadbal, policy: static, threads: 4, set: { workload.footprint: 10 MB } }\n",
    );
    let swept = desk.numalab(&["sweep", "s.yaml", "-o", "s.csv"]).assert().success().get_output().clone();
    says(&text(&swept.stderr), &["t.xml: assumed, not measured"]);
    let rows = std::fs::read_to_string(desk.path().join("s.csv")).unwrap();
    assert!(rows.lines().count() == 2 && rows.lines().nth(1).unwrap().ends_with(','), "{rows}");
    // A file of distances counts only beside a tool that lists the nodes; distances of another machine are refused.
    desk.put("n.txt", "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 8000 MB\nnode 1 cpus: 2 3\nnode 1 size: 8000 MB\n");
    desk.answer(&["calibrate", "fit", "n.txt", "slit.txt", "--assume", "-o", "near.toml"]);
    desk.put("slit.txt", "10 42\n42 10\n");
    desk.answer(&["calibrate", "fit", "n.txt", "slit.txt", "--assume", "-o", "far.toml"]);
    let read = |file: &str| std::fs::read_to_string(desk.path().join(file)).unwrap();
    assert_ne!(read("near.toml"), read("far.toml").replace("far", "near"));
    desk.put("slit.txt", "10 42 42\n42 10 42\n42 42 10\n");
    let other = ["calibrate", "fit", "n.txt", "slit.txt", "--assume", "-o", "other.toml"];
    says(&desk.refusal(&other), &["n.txt and slit.txt: 2 nodes here and distances of 3 there"]);
    desk.put("m.txt", "available: 1 nodes (0)\nnode 0 cpus: 0 1 2\nnode 0 size: 8000 MB\n");
    let other = ["calibrate", "fit", "n.txt", "m.txt", "--assume", "-o", "other.toml"];
    says(&desk.refusal(&other), &["n.txt and m.txt: 4 processors here and 3 there"]);
    let other = ["calibrate", "fit", "m.txt", "c2c.csv", "--assume", "-o", "other.toml"];
    desk.put("c2c.csv", "0,30,60,60\n30,0,60,60\n60,60,0,30\n60,60,30,0\n");
    says(&desk.refusal(&other), &["m.txt and c2c.csv: 3 processors here and latencies between 4 there"]);
    assert!(!desk.path().join("other.toml").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn this_computer_is_a_machine_or_the_reason_is_printed() {
    let desk = Desk::empty();
    let output = desk.numalab(&["show", "here", "--assume"]).output().unwrap();
    let (answer, message) = (text(&output.stdout), text(&output.stderr));
    match output.status.code() {
        Some(0) => says(&answer, &["cores"]),
        _ => says(&message, &["error: ", "here"]),
    }
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn file_kind_depends_on_text_not_extension() {
    let desk = Desk::with("m.yaml", include_str!("fixtures/pair.toml"));
    desk.put("w.toml", "name: w\nregions: {}\nphases: [{ name: p, measured: true, loop: { iterations: 8, schedule: static, instructions: 10 } }]\ncompare: [static]\n");
    desk.answer(&["sim", "m.yaml", "w.toml", "-p", "static", "--bars", "none"]);
    // Swapped arguments: the message names the kind of each file.
    says(&desk.refusal(&["sim", "w.toml", "m.yaml"]), &["this is YAML, and a machine is written in TOML"]);
    says(&desk.refusal(&["sim", "m.yaml", "m.yaml"]), &["this is TOML, and a workload is written in YAML"]);
    desk.put("l.toml", "Architecture: x86_64\nCPU(s): 8\n");
    desk.put("s.yaml", "name: s\npoints: { machine: l.toml, workload: w.toml, threads: 4 }\n");
    says(&desk.refusal(&["sweep", "s.yaml"]), &["s.yaml", "l.toml", "without speeds", "`assume: true`"]);
}

#[test]
fn assumed_values_of_unknown_processors_are_listed() {
    let desk = Desk::with(
        "l.txt",
        "Architecture: x86_64\nCPU(s): 4\nThread(s) per core: 1\nCore(s) per socket: 4\nSocket(s): 1\nModel name: Foo\n",
    );
    let show = desk.numalab(&["show", "l.txt", "--assume"]).assert().success().get_output().clone();
    says(&text(&show.stderr), &["nothing is known of \"Foo\"", "core.clock = 2 GHz", "cache[0].latency = "]);
    assert!(text(&show.stderr).lines().all(|line| line.chars().count() < 140), "{}", text(&show.stderr));
}

/// The first line says what stands for an unknown processor, before the list of values.
#[test]
fn unknown_processors_are_a_warning_of_their_own() {
    let lscpu = |name: &str, more: &str| {
        format!(
            "Architecture: x86_64\nCPU(s): 8\nThread(s) per core: 1\nCore(s) per socket: 4\nSocket(s): 2\n\
             NUMA node(s): 2\nModel name: {name}\n{more}NUMA node0 CPU(s): 0-3\nNUMA node1 CPU(s): 4-7\n"
        )
    };
    let qemu = "QEMU Virtual CPU version 2.5+";
    let desk = Desk::with("plain.txt", &lscpu(qemu, ""));
    desk.put("flags.txt", &lscpu(qemu, "Vendor ID: GenuineIntel\nFlags: fpu sse4_1 avx avx2 avx512f\n"));
    desk.put("known.txt", &lscpu("Intel(R) Xeon(R) Silver 4510", ""));
    let told = |arguments: &[&str]| {
        let output = desk.numalab(arguments).assert().success().get_output().clone();
        (text(&output.stderr), text(&output.stdout))
    };
    let (plain, _) = told(&["show", "plain.txt", "--assume"]);
    let first = plain.lines().next().unwrap();
    says(first, &["warning: plain.txt", qemu, "unknown", "a machine of 2010", "--assume-as MACHINE"]);
    let (flags, shown) = told(&["show", "flags.txt", "--assume"]);
    says(
        flags.lines().next().unwrap(),
        &["unknown", "Cascade Lake-SP", "its vendor and flags", "--assume-as"],
    );
    says(&shown, &["memory 64 GiB, 120 GB/s", "2.50 GHz"]);
    let (known, _) = told(&["show", "known.txt", "--assume"]);
    assert!(known.starts_with("known.txt: assumed, not measured"), "{known}");
    // With a machine of the catalogue, nothing of 2010 is left.
    let (alike, shown) = told(&["show", "plain.txt", "--assume-as", "xeon-8480-2p"]);
    says(&alike, &["as of xeon-8480-2p", "memory.bandwidth = 246 GB/s", "link.socket-link.lanes = 4"]);
    assert!(!alike.contains("2010") && !alike.contains("a synthetic machine's:"), "{alike}");
    says(&shown, &["246 GB/s", "28 lines in flight", "4 cores (8 in all)"]);
    let sim =
        ["sim", "plain.txt", "stream", "--no-series", "--set", "workload.footprint=100 MB", "--assume-as"];
    told(&[&sim[..], &["epyc-7763-2p"]].concat());
    says(&desk.refusal(&["show", "plain.txt", "--assume-as", "xeon-8481"]), &["xeon-8481", "xeon-8480-2p"]);
}

/// Performance cores have two hardware threads and efficient ones have one: the counts of lscpu say it.
#[test]
fn cores_of_two_kinds_are_named_by_their_counts() {
    let lscpu = |threads: u32, cores: u32, processors: u32| {
        format!(
            "Architecture: x86_64\nCPU(s): {processors}\nOn-line CPU(s) list: 0-{}\nThread(s) per core: {threads}\n\
             Core(s) per socket: {cores}\nSocket(s): 1\nModel name: 12th Gen Intel(R) Core(TM) i9-12900H\n",
            processors - 1
        )
    };
    for (processors, said) in
        [(20, Some("cores of 2 kinds, with 12 and 8 processors")), (28, None), (14, None)]
    {
        let threads = if processors == 14 { 1 } else { 2 };
        let desk = Desk::with("l.txt", &lscpu(threads, 14, processors));
        let show = desk.numalab(&["show", "l.txt", "--assume"]).assert().success().get_output().clone();
        let told = text(&show.stderr);
        assert_eq!(told.contains("kinds"), said.is_some(), "{told}");
        assert!(told.contains(said.unwrap_or_default()), "{told}");
    }
}

/// Memory without processors and without a kind is named in one line, which says what to type; that works.
#[test]
fn memory_of_unknown_kind_is_asked_for() {
    let numactl = "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 8000 MB\nnode 1 cpus:\nnode 1 size: 8000 MB\n\
                   node distances:\nnode   0   1\n  0:  10  17\n  1:  17  10\n";
    let desk = Desk::with("n.txt", numactl);
    let told = |more: &[&str]| {
        let show = desk.numalab(&[&["show", "n.txt", "--assume"], more].concat()).assert().success();
        (text(&show.get_output().stderr), text(&show.get_output().stdout))
    };
    let (warned, _) = told(&[]);
    let line: Vec<&str> = warned.lines().filter(|line| line.contains("is not known")).collect();
    assert_eq!(line.len(), 1, "{warned}");
    let bandwidth = "--set machine.memory_only.memory.bandwidth=";
    says(line[0], &["memory without processors", bandwidth, "--set machine.memory_only.memory.latency="]);
    let (_, shown) = told(&["--set", "machine.memory_only.memory.bandwidth=7 GB/s"]);
    says(&shown, &["7.00 GB/s"]);
}

/// Every command about a machine takes a topology as `sim` does.
#[test]
fn topologies_are_taken_by_all_commands_about_machines() {
    let desk = Desk::with("gold.xml", XML);
    desk.put("counts.csv", "thread,0,1\n0,5,1\n1,1,5\n");
    for command in [
        &["distances", "gold.xml"][..],
        &["places", "gold.xml"],
        &["model", "gold.xml", "loadbal", "-t", "2", "--set", "workload.footprint=100 MB"],
        &["place-threads", "counts.csv", "--machine", "gold.xml"],
    ] {
        says(&desk.refusal(command), &["gold.xml", "without speeds", "--assume"]);
        for (flags, source) in [(&["--assume"][..], "Skylake-SP"), (&["--assume-as", "hp8"], "as of hp8")] {
            let output = desk.numalab(&[command, flags].concat()).assert().success().get_output().clone();
            says(&text(&output.stderr), &["assumed, not measured", source]);
            assert!(!output.stdout.is_empty());
        }
    }
}
