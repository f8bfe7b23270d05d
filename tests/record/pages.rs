//! Pages that recorded programs touch.

use super::{build, compilers, makespan_ms, record};
use crate::support::{Desk, text};
use numalab_replay::work::{Footprint, Form};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// A touched page: number of the array in order of allocation, true if written, index of the page in the array.
type Page = (u32, bool, u64);

const PAGE: u64 = 4096;

fn pages(part: &Footprint) -> BTreeSet<Page> {
    let run = |run: &numalab_replay::work::Run| {
        let (allocation, written) = (run.allocation, run.written);
        (run.first / PAGE..(run.first + run.bytes).div_ceil(PAGE))
            .map(move |page| (allocation, written, page))
    };
    part.runs.iter().flat_map(run).collect()
}

/// Law: Watched pages are those that a chunk touches.
///
/// The program has arrays a, b and c of 2^18 doubles each, and the indices of 4 bytes each; all begin at a page
/// border. Element i of a, b or c is on page i / 512. A page that is read and written counts as written.
#[test]
fn watched_pages_equal_touched_pages() {
    const N: u64 = 1 << 18;
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "arrays", desk.path()).unwrap();
        let words = ["record", "-o", "prog.nlt", "--rounds", "1", "-t", "4", "--", program.to_str().unwrap()];
        let output = desk.numalab(&words).assert().success().get_output().clone();
        if let Some(why) = text(&output.stderr).lines().find(|line| line.contains("it has no footprints")) {
            eprintln!("skipped: {why}");
            return;
        }
        // The recorded program prints the same as without the recorder.
        let alone = Command::new(&program).output().unwrap();
        assert_eq!(text(&output.stdout), text(&alone.stdout));
        let recording = numalab_replay::recording(desk.path().join("prog.nlt").to_str().unwrap()).unwrap();
        let sizes: Vec<u64> =
            recording.allocations.iter().map(|allocation| allocation.bytes).take(4).collect();
        assert_eq!(sizes, [8 * N, 8 * N, 8 * N, 4 * N], "{compiler}");
        let names: Vec<String> =
            recording.allocations.iter().take(4).map(|allocation| recording.name(allocation.site)).collect();
        let expected = [("a", 8), ("b", 8), ("c", 8), ("from", 9)]
            .map(|(name, line)| format!("{name} (arrays.c:{line})"));
        assert_eq!(names, expected, "{compiler}");
        let dynamic =
            |class: &&numalab_replay::work::Class| class.form == Form::Loop && class.chunks.len() > 4;
        let loops: Vec<_> = recording.work.classes.iter().filter(dynamic).collect();
        assert_eq!(loops.len(), 4, "{compiler}");
        let reads = |array: u32, bytes: u64, from: u64, to: u64| {
            (from * bytes / PAGE..(to * bytes).div_ceil(PAGE)).map(move |page| (array, false, page))
        };
        let writes = |array: u32, from: u64, to: u64| {
            reads(array, 8, from, to).map(|(array, _, page)| (array, true, page))
        };
        type Expected<'e> = &'e dyn Fn(u64, u64) -> BTreeSet<Page>;
        let triad: Expected<'_> = &|from, to| {
            writes(2, from, to).chain(reads(0, 8, from, to)).chain(reads(1, 8, from, to)).collect()
        };
        // Iterations begin at 1 and read both neighbours.
        let stencil: Expected<'_> =
            &|from, to| writes(1, from + 1, to + 1).chain(reads(0, 8, from, to + 2)).collect();
        // One element on every second page.
        let strided: Expected<'_> = &|from, to| (from..to).map(|i| (2, true, 2 * i)).collect();
        let gather: Expected<'_> = &|from, to| {
            let drawn = (from..to).map(|i| (0, false, i * 7919 % N * 8 / PAGE));
            writes(1, from, to).chain(reads(3, 4, from, to)).chain(drawn).collect()
        };
        for (class, expected) in loops.iter().zip([triad, stencil, strided, gather]) {
            let mut from = 0;
            for part in &class.footprint {
                let to = from + part.count;
                assert_eq!(pages(part), expected(from, to), "{compiler} iterations {from} to {to}");
                from = to;
            }
            assert_eq!(from, class.iterations);
        }
    }
}

/// Element i of two arrays of 2^16 doubles, which begin at a page border, is on page i / 512. Chunk k of 4096
/// iterations writes pages 8 k to 8 k + 7 of one array and reads pages 120 - 8 k to 127 - 8 k of the other. gcc
/// passes no address to the second thread of a region without captured variables; its loop is still recorded as one
/// loop.
#[test]
fn static_arrays_are_watched_by_name() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "statics", desk.path()).unwrap();
        let words = ["record", "-o", "prog.nlt", "--rounds", "2", "-t", "4", "--", program.to_str().unwrap()];
        let output = desk.numalab(&words).assert().success().get_output().clone();
        let alone = Command::new(&program).output().unwrap();
        assert_eq!(text(&output.stdout), text(&alone.stdout));
        let recording = numalab_replay::recording(desk.path().join("prog.nlt").to_str().unwrap()).unwrap();
        let loops: Vec<_> =
            recording.work.classes.iter().filter(|class| class.iterations == 1 << 16).collect();
        assert_eq!(loops.len(), 1, "{compiler}");
        assert_eq!((loops[0].form, loops[0].chunks.len()), (Form::Loop, 16), "{compiler}");
        if text(&output.stderr).contains("it has no footprints") {
            eprintln!("skipped: no footprints here");
            return;
        }
        let number = |name: &str| {
            let named =
                |allocation: &numalab_replay::work::Allocation| recording.name(allocation.site) == name;
            let at =
                recording.allocations.iter().position(named).unwrap_or_else(|| panic!("{compiler} {name}"));
            assert_eq!(recording.allocations[at].bytes, 8 << 16);
            at as u32
        };
        let (from, to) = (number("from"), number("to"));
        for (k, part) in (0..).zip(&loops[0].footprint) {
            let written = (8 * k..8 * k + 8).map(|page| (to, true, page));
            let read = (120 - 8 * k..128 - 8 * k).map(|page| (from, false, page));
            assert_eq!(pages(part), written.chain(read).collect(), "{compiler} chunk {k}");
        }
    }
}

/// Law: A recorded load balance equals its workload, under every policy.
#[test]
fn recorded_load_balance_equals_workload() {
    for compiler in compilers() {
        load_balance(compiler, 768, 16, "16");
    }
}

/// The data are 268 MB on two boards. With larger teams the boards' controllers are congested, and small shifts of
/// packages change makespans by far more than the tolerance of this test.
#[test]
fn recorded_load_balance_of_256_packages_equals_workload() {
    for compiler in compilers().into_iter().take(1) {
        load_balance(compiler, 256, 340, "32");
    }
}

/// Compares a workload with a replay that has costs of 1 ns per byte and the watched pages. The workload has 3
/// instructions per byte, on a machine with 3 instructions per nanosecond, and the same accesses. Borders of packages
/// lie within pages.
fn load_balance(compiler: &str, packages: u64, unit: u64, team: &str) {
    const POLICIES: [&str; 11] = [
        "static",
        "dynamic",
        "guided",
        "numa-steal:random",
        "numa-steal:nearest",
        "numa-steal:most-loaded",
        "tasks:central",
        "tasks:thread-local",
        "tasks:hierarchical",
        "tasks:locality",
        "tasks:locality-strict",
    ];
    let desk = Desk::empty();
    // The program is built elsewhere: in the current folder the name `loadbal` would mean the program, not the
    // workload.
    let folder = tempfile::tempdir().unwrap();
    let program = build(compiler, "loadbal", folder.path()).unwrap();
    let size = [unit.to_string(), packages.to_string()];
    record(&desk, &["-t", team], &program, &[&size[0], &size[1]], "static");
    let path = desk.path().join("prog.nlt");
    let mut recording = numalab_replay::recording(path.to_str().unwrap()).unwrap();
    let is_loop = |class: &numalab_replay::work::Class| class.iterations == packages;
    let loops: Vec<u32> = (0..recording.work.classes.len() as u32)
        .filter(|at| is_loop(&recording.work.classes[*at as usize]))
        .collect();
    let [first, work] = loops[..] else { panic!("{compiler} {loops:?}") };
    if recording.work.classes[work as usize].footprint.is_empty() {
        eprintln!("skipped: no footprints here");
        return;
    }
    recording.work.order = numalab_replay::work::Order::of(&[first, work], 0);
    // Costs of the workload's own have nothing to do with what was measured beside the recording.
    (recording.meta.one_thread, recording.meta.recorder) = (None, None);
    let bytes = |package: u64| 3 * 8 * unit * (package + 1);
    for (at, cost) in [(first, 0), (work, 1)] {
        let class = &mut recording.work.classes[at as usize];
        class.schedule = numalab_replay::work::Recorded::Static;
        for (package, chunk) in (0..).zip(&mut class.chunks) {
            assert_eq!(chunk.count, 1);
            chunk.cost_ns = cost * bytes(package);
        }
    }
    recording.write(fs::File::create(&path).unwrap()).unwrap();
    let name = recording.name(recording.work.classes[work as usize].site);
    let policies: Vec<&str> = POLICIES.iter().flat_map(|policy| ["-p", policy]).collect();
    let common = [&["-t", team, "--format", "json", "--no-sequential"], &policies[..]].concat();
    let json = |words: &[&str]| -> Value {
        let output = desk.numalab(&[words, &common[..]].concat()).assert().success().get_output().clone();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let compared = format!("workload.compared={name}");
    let replay = json(&["sim", "bcs16", "prog.nlt", "--core-ratio", "1", "--set", &compared]);
    let footprint = format!("workload.footprint={}", (0..packages).map(bytes).sum::<u64>());
    let count = format!("workload.packages={packages}");
    let mut words = vec!["sim", "bcs16", "loadbal"];
    for value in [&*footprint, &*count, "workload.stores=ordinary", "workload.instructions_per_byte=3"] {
        words.extend(["--set", value]);
    }
    words.extend(["--set", "workload.lines=10", "--set", "workload.overlap=1"]);
    let yaml = json(&words);
    for (at, policy) in POLICIES.iter().enumerate() {
        let phases = replay["runs"][at]["phases"].as_array().unwrap();
        let of = phases.iter().find(|phase| phase["name"] == *name).unwrap();
        let (recorded, written) = (of["time_ps"].as_f64().unwrap(), 1e9 * makespan_ms(&yaml, at));
        let ratio = recorded / written;
        println!("{policy:22} {:9.3} ms  {:9.3} ms  {ratio:.4}", recorded / 1e9, written / 1e9);
        // A few picoseconds decide which thread takes a package from a shared counter, and from which memory it reads then.
        let within = if *policy == "static" { 0.02 } else { 0.03 };
        assert!((ratio - 1.0).abs() < within, "{compiler} {policy}: {recorded} {written} {ratio}");
    }
}
