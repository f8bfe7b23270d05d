//! `numalab calibrate`: failures, tested with fake compilers, and real kernels that build and run. No test depends on
//! measured speeds.

use crate::support::{Desk, failure, says, text};
use numalab_imports::measurements;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/calibrate");

/// `calibrate run` with the compiler that builds this program, a plan, and enough time for all rounds of the plan on
/// a slow machine.
fn run(desk: &Desk, plan: &str, more: &[&str]) -> assert_cmd::Command {
    let compiler = format!("sh '{FIXTURE}/cc'");
    let mut command =
        desk.numalab(&["calibrate", "run", "--cc", &compiler, "--budget", "24h", "-o", "host.jsonl"]);
    command.args(more).env("FIXTURE", FIXTURE).env("PLAN", plan);
    command
}

fn count(text: &str, experiment: &str) -> usize {
    text.matches(&format!("\"experiment\":\"{experiment}\"")).count()
}

#[test]
fn steady_kernels_run_three_times_and_drifting_ones_every_round() {
    let desk = Desk::empty();
    let output = run(&desk, "steady drifting impossible", &[]).assert().success().get_output().clone();
    let lines = fs::read_to_string(desk.path().join("host.jsonl")).unwrap();
    let counts = ["steady", "drifting", "impossible"].map(|experiment| count(&lines, experiment));
    assert_eq!(counts, [3, 5, 1], "{lines}");
    assert!(lines.starts_with("{\"record\":\"host\""), "{lines}");
    says(
        &text(&output.stderr),
        &["host.jsonl: 2 of 3 measurements in 5 rounds\n1 not possible here:\n  impossible: needs 2 nodes\n"],
    );
    assert_eq!(desk.files(), ["host.jsonl"]);
}

#[test]
fn failed_kernels_are_listed_and_others_continue() {
    let desk = Desk::empty();
    let output = run(&desk, "wrong crashing babbling steady", &[]).assert().success().get_output().clone();
    says(
        &text(&output.stderr),
        &[
            "1 of 4 measurements",
            "3 failed:\n",
            "  wrong: exit status 1: numalab-kernels: wrong: wrong result: sum\n",
            "  crashing: ended by signal 11\n",
            "  babbling: printed what is no JSON",
        ],
    );
    let lines = fs::read_to_string(desk.path().join("host.jsonl")).unwrap();
    assert!(!lines.contains("what is no record"), "{lines}");
    assert_eq!(count(&lines, "steady"), 3);
}

#[test]
fn nothing_measured_is_a_failure_and_leaves_no_file() {
    let desk = Desk::empty();
    for plan in ["wrong impossible", ""] {
        let message = failure(run(&desk, plan, &[]).assert().code(1));
        says(&message, &["nothing could be measured; nothing is written"]);
    }
    assert!(desk.files().is_empty());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_measured() {
    let desk = Desk::with("host.jsonl", "older");
    let temporary = desk.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let stopped = |plan| failure(run(&desk, plan, &[]).env("TMPDIR", &temporary).assert().code(130));
    says(&stopped("interrupted steady"), &["stopped by Ctrl-C: nothing was measured; nothing is written"]);
    assert_eq!(fs::read_to_string(desk.path().join("host.jsonl")).unwrap(), "older");
    says(&stopped("steady interrupted drifting"), &["stopped", "is written", "1 of 3 measurements"]);
    let lines = fs::read_to_string(desk.path().join("host.jsonl")).unwrap();
    assert_eq!((count(&lines, "steady"), count(&lines, "drifting")), (1, 0), "{lines}");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "the temporary folder is gone");
}

#[test]
fn unusable_compilers_get_a_sentence_and_a_help() {
    let desk = Desk::empty();
    let without = format!("sh '{FIXTURE}/cc-without-openmp'");
    for (cc, parts) in [
        ("/nonexistent", &["there is no C compiler \"/nonexistent\"; install gcc", "--cc"][..]),
        (&without, &["has no OpenMP; install", "libomp-dev", "--cc gcc", "unsupported option '-fopenmp'"]),
        ("false", &["builds no programs"]),
        (FIXTURE, &["cannot be started: permission denied"]),
    ] {
        let message = failure(desk.numalab(&["calibrate", "run", "-o", "x", "--cc", cc]).assert().code(1));
        says(&message, parts);
        let help = message.matches("\n  help: ").count();
        assert!(help <= 1, "{message}");
        assert_eq!(message.trim_end().lines().count(), 1 + help, "{message}");
        // Without `--cc` the compiler of the variable `CC` is used.
        let mut command = desk.numalab(&["calibrate", "run", "-o", "x", "--verbose"]);
        says(&failure(command.env("CC", cc).assert().code(1)), &parts[..1]);
    }
    assert!(desk.files().is_empty());
}

#[test]
fn compiler_output_needs_its_flag() {
    let desk = Desk::empty();
    let said = |more: &[&str]| text(&run(&desk, "steady", more).assert().success().get_output().stderr);
    assert!(!said(&["--cflags", "-O3"]).contains("warning"));
    says(&said(&["--cflags", "-O3", "-v"]), &["a warning of the compiler", "-fopenmp -O3"]);
}

#[test]
fn wrong_flags_are_refused() {
    let desk = Desk::empty();
    for (flags, parts) in [
        (&["--budget", "2"][..], &["has no unit", "\"2m\""][..]),
        (&["--budget", "2 d"], &["unknown unit \"d\"", "s, m, h"]),
        (&["--budget", "0s"], &["between 1 s and 24 h"]),
        (&["--cflags", "'open"], &["open quote"]),
        (&["--cc", ""], &["it is empty"]),
    ] {
        says(&desk.refusal(&[&["calibrate", "run", "-o", "x"], flags].concat()), parts);
    }
    says(&desk.refusal(&["calibrate", "run"]), &["--output <FILE>"]);
    let message = failure(desk.numalab(&["calibrate", "run", "-o", "no/x"]).assert().code(1));
    says(&message, &["there is no folder \"no\""]);
}

#[test]
fn a_folder_in_use_is_not_exported_into() {
    let desk = Desk::with("used/a.txt", "");
    says(&desk.refusal(&["calibrate", "export", "used"]), &["\"used\" is not empty", "--force"]);
    let next = desk.answer(&["calibrate", "export", "used", "--force"]);
    says(&next, &["scp -r used", "make && ./run.sh -o host.jsonl", "numalab calibrate fit host.jsonl"]);
}

/// True if the real kernels can be built with these flags. With `CI=true` a failure is an error.
fn can_build(flags: &[&str]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    fs::write(&source, "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n").unwrap();
    let mut cc = Command::new("cc");
    let built = cc.arg("-fopenmp").args(flags).arg("-o").arg(&program).arg(&source).output();
    let works = built.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success());
    if !works {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no C compiler with OpenMP and {flags:?}");
        eprintln!("SKIPPED: no C compiler with OpenMP and {flags:?}: the kernels are not tested");
    }
    works
}

/// Checks that a file has every experiment of the tiny plan, with a value or with the reason for its absence.
fn is_complete(file: &Path, program: &Path) {
    let plan = succeeds(Command::new(program).args(["plan", "--tiny"]));
    let lines = fs::read_to_string(file).unwrap();
    let read = measurements::measurements(file).unwrap_or_else(|wrong| panic!("{}", wrong.render(false)));
    let measured: BTreeSet<&str> = read.rows.iter().map(|row| row.experiment.as_str()).collect();
    let plan = text(&plan.stdout);
    let planned: BTreeSet<&str> = plan.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(planned.len() > 10, "{planned:?}");
    for experiment in planned {
        let skipped = format!("{{\"record\":\"skipped\",\"experiment\":\"{experiment}\"");
        assert!(measured.contains(experiment) || lines.contains(&skipped), "{experiment} is missing");
    }
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{message}", output.status);
    output
}

#[test]
fn the_kernels_run_here_at_a_tiny_size() {
    if !can_build(&[]) {
        return;
    }
    let desk = Desk::empty();
    let arguments = ["calibrate", "run", "--tiny", "--cc", "cc", "--keep", "kept", "-o", "host.jsonl"];
    let output = desk.numalab(&arguments).assert().success().get_output().clone();
    assert!(!text(&output.stderr).contains("failed"), "{}", text(&output.stderr));
    is_complete(&desk.path().join("host.jsonl"), &desk.path().join("kept/numalab-kernels"));
}

#[test]
fn exported_kernels_build_without_a_warning_and_run_clean_under_the_sanitizers() {
    const WARNINGS: &str = "-std=c11 -Wall -Wextra -Wpedantic -Werror";
    const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let sanitizers: &[&str] = if can_build(&SANITIZERS) { &SANITIZERS } else { &[] };
    if sanitizers.is_empty() && !can_build(&[]) {
        return;
    }
    let desk = Desk::empty();
    desk.answer(&["calibrate", "export", "kernels"]);
    let folder = desk.path().join("kernels");
    let flags = format!("CFLAGS=-O1 -g {WARNINGS} {}", sanitizers.join(" "));
    succeeds(Command::new("make").current_dir(&folder).args(["CC=cc", &flags]));
    let mut script = Command::new("./run.sh");
    let output = succeeds(script.current_dir(&folder).args(["-t", "-o", "host.jsonl"]));
    let said = text(&output.stderr);
    assert!(!said.contains("runtime error") && !said.contains("Sanitizer"), "{said}");
    is_complete(&folder.join("host.jsonl"), &folder.join("numalab-kernels"));
}

/// Output of `lscpu` for two sockets of 32 cores. Node 0 has every second processor, and only the model name gives
/// the clock.
const LSCPU: &str = "CPU(s): 64\nOn-line CPU(s) list: 0-63\nThread(s) per core: 1\nCore(s) per socket: 32\nSocket(s): 2\n\
                     Model name: Made-up Xeon @ 2.60GHz\nL1d cache: 2 MiB (64 instances)\nL2 cache: 64 MiB (64 instances)\n\
                     L3 cache: 96 MiB (2 instances)\nNUMA node(s): 2\nNUMA node0 CPU(s): 0-62:2\nNUMA node1 CPU(s): 1-63:2\n";

/// Output of STREAM's triad with this many threads.
fn stream(threads: u32, rate: f64) -> String {
    format!(
        "STREAM version $Revision: 5.10 $\nThis system uses 8 bytes per array element.\nArray size = 200000000 (elements), \
         Offset = 0 (elements)\nNumber of Threads counted = {threads}\nFunction    Best Rate MB/s  Avg time     Min time\n\
         Triad:           {rate:.1}     0.013600     0.013474     0.013800\n"
    )
}

fn value(desk: &Desk, file: &str, section: &str, key: &str) -> String {
    let text = fs::read_to_string(desk.path().join(file)).unwrap();
    let (_, rest) = text.split_once(&format!("\n{section}\n")).unwrap_or_else(|| panic!("{section}: {text}"));
    let rest = rest.split("\n[").next().unwrap();
    let line = rest.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.unwrap_or_else(|| panic!("{key}: {rest}")).trim_matches('"').to_owned()
}

#[test]
fn machines_without_measurements_are_refused() {
    let desk = Desk::with("lscpu.txt", LSCPU);
    let message = failure(desk.numalab(&["calibrate", "fit", "lscpu.txt", "-o", "m.toml"]).assert().code(1));
    says(&message, &["nothing of this machine was measured", "nothing is written", "--assume"]);
    assert_eq!(desk.files(), ["lscpu.txt"]);
    let said = desk.answer(&["calibrate", "fit", "lscpu.txt", "--assume", "-o", "m.toml"]);
    says(&said, &["0 are measured", "assumed as in a two-gigahertz server of 2010", "wrote m.toml"]);
    assert_eq!(value(&desk, "m.toml", "[core]", "clock"), "2.6 GHz");
}

#[test]
fn imported_latencies_are_fitted() {
    let desk = Desk::with("lscpu.txt", LSCPU);
    let mlc = "Intel(R) Memory Latency Checker - v3.11\n\nMeasuring Loaded Latencies for the system\n\
               Using Read-only traffic type\nInject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n=====\n 00000\t240.0\t200000.0\n \
               00100\t120.0\t100000.0\n 20000\t80.0\t20000.0\n\nMeasuring cache-to-cache transfer latency (in ns)...\n\
               Local Socket L2->L2 HIT  latency\t47.3\nLocal Socket L2->L2 HITM latency\t48.0\n\
               Remote Socket L2->L2 HITM latency (data address homed in writer socket)\n\t\t\tReader Numa Node\n\
               Writer Numa Node     0\t     1\t\n            0\t     -\t 120.0\n            1\t 122.0\t     -\n";
    desk.put("mlc.txt", mlc);
    let said = desk.answer(&["calibrate", "fit", "lscpu.txt", "mlc.txt", "-o", "m.toml"]);
    says(&said, &["3 points of a loaded-latency curve: memory.loaded_latency"]);
    assert_eq!(value(&desk, "m.toml", "[memory]", "loaded_latency"), "[[0.1, 1.0], [0.5, 1.5], [1.0, 3.0]]");
    let sim =
        ["sim", "m.toml", "core_to_core", "--procs", "0,1", "-t", "2", "--no-series", "--format", "json"];
    let simulated = desk.answer(&sim);
    let (_, one_way) = simulated.split_once("\"one_way\",\"unit\":\"ns\",\"value\":").unwrap();
    let one_way: f64 = one_way.split('}').next().unwrap().parse().unwrap();
    assert!((one_way / 121.0 - 1.0).abs() < 0.01, "{one_way}");
    let text = fs::read_to_string(desk.path().join("m.toml")).unwrap();
    assert!(text.contains("core_to_core = \"48 ns\""), "{text}");
    desk.put(
        "mixed.txt",
        "Intel(R) Memory Latency Checker - v3.11\nCommand line parameters: --loaded_latency -W5\n\n\
         Measuring Loaded Latencies for the system\nInject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n=====\n \
         00000\t320.0\t160000.0\n 00100\t160.0\t100000.0\n 20000\t80.0\t20000.0\n",
    );
    let said = desk.answer(&["calibrate", "fit", "lscpu.txt", "mlc.txt", "mixed.txt", "-o", "m.toml"]);
    says(&said, &["a loaded-latency curve of as many writes as reads: memory.mixed_latency"]);
    // As many writes as reads get 160 of 200 GB/s: 2 x 200 / 160 - 1. Each of their bytes is 1.25 of a byte read.
    assert_eq!(value(&desk, "m.toml", "[memory]", "write_cost"), "1.5");
    assert_eq!(
        value(&desk, "m.toml", "[memory]", "mixed_latency"),
        "[[0.125, 1.0], [0.625, 2.0], [1.0, 4.0]]"
    );
}

#[test]
fn latencies_between_missing_nodes_are_refused() {
    let desk = Desk::with("lscpu.txt", LSCPU);
    desk.put("mlc.txt", "Measuring idle latencies (in ns)...\nNuma node 0 7\n 0 80.0 140.0\n 7 140.0 80.0\n");
    let message =
        failure(desk.numalab(&["calibrate", "fit", "lscpu.txt", "mlc.txt", "-o", "m.toml"]).assert().code(2));
    says(&message, &["mlc.txt", "lscpu.txt", "node 7", "not the same machine"]);
    assert_eq!(desk.files(), ["lscpu.txt", "mlc.txt"]);
}

// Latency matrix of 128 processors on two sockets: 50 ns within a socket, 130 ns across. There are 2 x 64 x 63 / 2 =
// 4032 pairs within a socket and 64 x 64 = 4096 across.
#[test]
fn all_pairs_of_core_to_core_matrices_are_used() {
    let desk = Desk::empty();
    let shape = "CPU(s): 128\nOn-line CPU(s) list: 0-127\nThread(s) per core: 1\nCore(s) per socket: 64\nSocket(s): 2\n\
                 L3 cache: 512 MiB (2 instances)\nNUMA node(s): 2\nNUMA node0 CPU(s): 0-63\nNUMA node1 CPU(s): 64-127\n";
    desk.put("lscpu.txt", shape);
    let cell = |a: usize, b: usize| match (a == b, a / 64 == b / 64) {
        (true, _) => String::new(),
        (false, true) => "50.0".to_owned(),
        (false, false) => "130.0".to_owned(),
    };
    let line = |a: usize| (0..128).map(|b| cell(a, b)).collect::<Vec<_>>().join(",") + "\n";
    desk.put("pairs.csv", &(0..128).map(line).collect::<String>());
    let said = desk.answer(&["calibrate", "fit", "lscpu.txt", "pairs.csv", "-o", "m.toml"]);
    let rows = |path: &str| said.lines().find(|line| line.starts_with(path)).unwrap().to_owned();
    says(&rows("cache[0].core_to_core"), &["50.0 ns", "4032"]);
    says(&rows("level[0].core_to_core"), &["4096"]);
    says(&rows("core to core, of two sockets"), &["4096", "130 ns", "130", "0.0%"]);
}

// Threads are spread over both sockets. 32 threads move 180 GB/s; with the lines fetched before stores that is 180 x
// 4/3 = 240, or 120 per socket.
#[test]
fn stream_fit_is_independent_of_file_order() {
    let desk = Desk::with("lscpu.txt", LSCPU);
    for (threads, rate) in [(1, 14_000.0), (8, 98_000.0), (32, 180_000.0)] {
        desk.put(&format!("{threads}.txt"), &stream(threads, rate));
    }
    for files in [["1.txt", "32.txt"], ["32.txt", "1.txt"], ["8.txt", "32.txt"], ["32.txt", "8.txt"]] {
        desk.answer(&[&["calibrate", "fit", "lscpu.txt"], &files[..], &["-o", "m.toml"]].concat());
        let bandwidth = value(&desk, "m.toml", "[memory]", "bandwidth");
        let number: f64 = bandwidth.strip_suffix(" GB/s").unwrap().parse().unwrap();
        assert!((number / 120.0 - 1.0).abs() < 0.05, "{files:?}: {bandwidth}");
    }
}

// Firmware distances of 10 and 25: remote latency is 2.5 times the local latency, which is assumed to be 135 ns. The
// difference is the link in both directions: (337.5 - 135) / 2 = 101 ns each.
#[test]
fn firmware_distances_fill_missing_measurements() {
    let desk = Desk::with("lscpu.txt", LSCPU);
    let list = |first: u32| (first..64).step_by(2).map(|cpu| cpu.to_string()).collect::<Vec<_>>().join(" ");
    let numactl = format!(
        "available: 2 nodes (0-1)\nnode 0 cpus: {}\nnode 0 size: 64000 MB\nnode 0 free: 1 MB\nnode 1 cpus: {}\nnode 1 size: \
         64000 MB\nnode 1 free: 1 MB\nnode distances:\nnode   0   1\n  0:  10  25\n  1:  25  10\n",
        list(0),
        list(1)
    );
    desk.put("numactl.txt", &numactl);
    desk.answer(&["calibrate", "fit", "lscpu.txt", "numactl.txt", "--assume", "-o", "m.toml"]);
    let text = fs::read_to_string(desk.path().join("m.toml")).unwrap();
    let latency = value(&desk, "m.toml", "[link.socket-link]", "latency");
    let number: f64 = latency.strip_suffix(" ns").unwrap().parse().unwrap();
    assert!((number / 101.25 - 1.0).abs() < 0.1, "{text}");
}

/// A virtual machine reports a cache of 480 MiB but has 18 MiB of it. The fit uses the measured size, and the doctor
/// reports the difference.
#[test]
fn chase_overrides_reported_cache_sizes() {
    let desk = Desk::empty();
    desk.answer(&["calibrate", "synthesize", "socket:1 core:2", "-o", "known.jsonl"]);
    let text = fs::read_to_string(desk.path().join("known.jsonl")).unwrap();
    assert!(text.contains("\"18432K\""), "the size of the third level");
    desk.put("told.jsonl", &text.replace("\"18432K\"", "\"491520K\""));
    let said = desk.answer(&["calibrate", "fit", "told.jsonl", "-o", "m.toml"]);
    let size = said.lines().find(|line| line.starts_with("cache[2].size")).unwrap();
    let number: f64 = size.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((number / 18.87 - 1.0).abs() < 0.05, "{size}");
    let complaints = desk.answer(&["calibrate", "doctor", "told.jsonl"]);
    says(
        &complaints,
        &["contradictory", "the system claims 503 MB of cache level 3, and the measurements find 1"],
    );
}

/// The kernels hand lines over between nodes, which pages in software do not do: refused before a minute of simulation.
#[test]
fn machines_that_share_pages_in_software_are_not_synthesized() {
    let desk = Desk::empty();
    let refused =
        desk.numalab(&["calibrate", "synthesize", "scalemp16", "-o", "known.jsonl"]).assert().code(2);
    says(
        &text(&refused.get_output().stderr),
        &["scalemp16 shares memory between its nodes by pages", "help: name"],
    );
    assert!(!desk.path().join("known.jsonl").exists());
}
