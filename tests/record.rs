//! Programs recorded on this computer and replayed on others. How long anything took is nobody's verdict.
//!
//! They need clang with LLVM's OpenMP library; where these are missing, a line says so and the tests that need them end.

use crate::support::{Desk, failure, says, text};
use numalab_nlt::work::{Footprint, Form};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/record");

/// Compilers here whose programs run on LLVM's OpenMP library.
fn compilers() -> Vec<&'static str> {
    let builds = |name: &&&str| {
        let folder = tempfile::tempdir().unwrap();
        build(name, "fixed", folder.path()).is_some()
    };
    let clang: Vec<&str> =
        ["clang", "clang-19", "clang-20", "clang-18"].iter().filter(builds).take(1).copied().collect();
    if clang.is_empty() {
        eprintln!("skipped: no clang with libomp here (apt-get install clang-19 libomp-19-dev)");
        return clang;
    }
    clang.into_iter().chain(["gcc"].iter().filter(builds).copied()).collect()
}

/// A program of the fixtures, built by a compiler.
fn build(compiler: &str, name: &str, folder: &Path) -> Option<PathBuf> {
    let program = folder.join(name);
    let source = format!("{FIXTURES}/{name}.c");
    let words = ["-g", "-O1", "-fopenmp", "-o", program.to_str()?, &source];
    let built = Command::new(compiler).args(words).output().is_ok_and(|output| output.status.success());
    built.then_some(program)
}

/// Records a program and answers with what `trace show` says of it.
fn record(desk: &Desk, flags: &[&str], program: &Path, more: &[&str], schedule: &str) -> Value {
    let mut words = vec!["record", "-o", "prog.nlt", "--rounds", "1"];
    words.extend(flags);
    words.extend(["--", program.to_str().unwrap()]);
    words.extend(more);
    let output = desk.numalab(&words).env("OMP_SCHEDULE", schedule).assert().success().get_output().clone();
    says(&text(&output.stderr), &["prog.nlt: ", "kinds of work"]);
    serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap()
}

/// Classes of a kind: place, iterations, schedule, and how often it comes.
fn classes(shown: &Value, what: &str) -> Vec<(String, u64, String, u64)> {
    let classes = shown["classes"].as_array().unwrap().iter().filter(|class| class["what"] == what);
    let class = |class: &Value| {
        let word = |key: &str| class[key].as_str().unwrap().to_owned();
        let number = |key: &str| class[key].as_u64().unwrap();
        (word("place"), number("iterations"), word("recorded"), number("times"))
    };
    classes.map(class).filter(|class| class.3 > 0).collect()
}

#[test]
fn loops_are_found_with_their_lines_iterations_and_schedules() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "loop", desk.path()).unwrap();
        for (schedule, recorded) in
            [("dynamic,4", "dynamic,4"), ("guided,2", "guided,2"), ("static,8", "static,8")]
        {
            let shown = record(&desk, &["-t", "8"], &program, &["200"], schedule);
            let found = classes(&shown, "loop");
            let hot =
                found.iter().find(|class| class.3 == 3).unwrap_or_else(|| panic!("{compiler} {found:?}"));
            assert_eq!((hot.1, hot.2.as_str()), (200, recorded), "{compiler}");
            assert!(hot.0.starts_with("loop.c:1"), "{compiler} {hot:?}");
        }
    }
}

#[test]
fn chunks_that_the_runtime_does_not_tell_of_are_filled_in() {
    let desk = Desk::empty();
    for compiler in compilers().into_iter().filter(|name| name.starts_with("clang")) {
        let program = build(compiler, "fixed", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "4"], &program, &[], "static");
        assert_eq!(classes(&shown, "loop"), [("fixed.c:6".to_owned(), 50, "static,4".to_owned(), 1)]);
    }
}

/// fib(10) is 2 fib(11) - 1 = 177 calls, and the first of them is a task too. Six queens have 152 places to stand on
/// before or at the end of a row: the nodes of the search below its root.
#[test]
fn task_graphs_are_the_same_however_they_are_recorded() {
    let desk = Desk::empty();
    let mut graphs: Vec<(String, Vec<Value>)> = Vec::new();
    for compiler in compilers() {
        for (name, tasks) in [("fib", 177), ("nqueens", 152), ("chain", 24)] {
            let program = build(compiler, name, desk.path()).unwrap();
            for flags in [&["-t", "1"][..], &["-t", "2"], &["-t", "8"], &["-t", "8", "--free"]] {
                let shown = record(&desk, flags, &program, &[], "static");
                let found = classes(&shown, "tasks");
                assert_eq!(
                    found.iter().map(|class| class.1).collect::<Vec<_>>(),
                    [tasks],
                    "{compiler} {name} {flags:?}"
                );
                let graph = graph(&desk);
                match graphs.iter().find(|(known, _)| known == name) {
                    Some((_, known)) => assert!(*known == graph, "{compiler} {name} {flags:?}"),
                    None => graphs.push((name.to_owned(), graph)),
                }
            }
        }
    }
}

/// Parents and predecessors of the recorded tasks.
fn graph(desk: &Desk) -> Vec<Value> {
    let path = desk.path().join("prog.nlt");
    let recording = numalab_formats::recording(path.to_str().unwrap()).unwrap();
    let tasks = recording.work.classes.iter().flat_map(|class| &class.tasks);
    tasks.map(|task| serde_json::json!([task.parent, task.waits, task.predecessors])).collect()
}

#[test]
fn a_recording_is_replayed_on_other_machines_and_teams() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "16"], &program, &["160"], "dynamic,1");
    let time = |ratio: &str, threads: &str| {
        let words = ["-p", "static", "--core-ratio", ratio, "-t", threads];
        let (result, notes) = replay(&desk, &words);
        says(&notes, &["note: it has no footprints"]);
        makespan_ms(&result, 0)
    };
    // Half as fast, twice as long: all of it is computing, but for a little of the runtime's.
    let ratio = time("0.25", "8") / time("0.5", "8");
    assert!((1.9..=2.0).contains(&ratio), "{ratio}");
    // One thread takes what was recorded, times two: the classes' costs.
    let shown: Value =
        serde_json::from_str(&desk.answer(&["trace", "show", "prog.nlt", "--format", "json"])).unwrap();
    let cost = |class: &Value| class["alone_ns"].as_f64().unwrap() * class["times"].as_f64().unwrap();
    let alone: f64 = shown["classes"].as_array().unwrap().iter().map(cost).sum();
    let ratio = time("0.5", "1") / (2e-6 * alone);
    assert!((0.99..1.02).contains(&ratio), "{ratio}");
}

/// An array by its order of allocation, whether it was written, and a page of it.
type Page = (u32, bool, u64);

const PAGE: u64 = 4096;

fn pages(part: &Footprint) -> BTreeSet<Page> {
    let run = |run: &numalab_nlt::work::Run| {
        let (allocation, written) = (run.allocation, run.written);
        (run.first / PAGE..(run.first + run.bytes).div_ceil(PAGE))
            .map(move |page| (allocation, written, page))
    };
    part.runs.iter().flat_map(run).collect()
}

/// Of arrays of 2^18 doubles, which begin at a page, element i is on page i / 512. The arrays are a, b, c and the indices, of 4
/// bytes, in this order. A page that is read and written counts as written.
#[test]
fn watched_pages_are_those_that_each_chunk_touches() {
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
        // What the program answers is what it answers by itself.
        let alone = Command::new(&program).output().unwrap();
        assert_eq!(text(&output.stdout), text(&alone.stdout));
        let recording = numalab_formats::recording(desk.path().join("prog.nlt").to_str().unwrap()).unwrap();
        let sizes: Vec<u64> =
            recording.allocations.iter().map(|allocation| allocation.bytes).take(4).collect();
        assert_eq!(sizes, [8 * N, 8 * N, 8 * N, 4 * N], "{compiler}");
        let names: Vec<String> =
            recording.allocations.iter().take(4).map(|allocation| recording.name(allocation.site)).collect();
        let expected = [("a", 8), ("b", 8), ("c", 8), ("from", 9)]
            .map(|(name, line)| format!("{name} (arrays.c:{line})"));
        assert_eq!(names, expected, "{compiler}");
        let dynamic = |class: &&numalab_nlt::work::Class| class.form == Form::Loop && class.chunks.len() > 4;
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
        // Iterations begin at 1, and each looks at both neighbours.
        let stencil: Expected<'_> =
            &|from, to| writes(1, from + 1, to + 1).chain(reads(0, 8, from, to + 2)).collect();
        // An element on every second page.
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

/// Of arrays of 2^16 doubles, which begin at a page, element i is on page i / 512: chunk k of 4096 writes pages 8 k to 8 k + 7 of
/// one and reads pages 120 - 8 k to 127 - 8 k of the other. A region that captures nothing tells gcc's second thread of no
/// address; the loop is one all the same.
#[test]
fn static_arrays_are_watched_by_name() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "statics", desk.path()).unwrap();
        let words = ["record", "-o", "prog.nlt", "--rounds", "2", "-t", "4", "--", program.to_str().unwrap()];
        let output = desk.numalab(&words).assert().success().get_output().clone();
        let alone = Command::new(&program).output().unwrap();
        assert_eq!(text(&output.stdout), text(&alone.stdout));
        let recording = numalab_formats::recording(desk.path().join("prog.nlt").to_str().unwrap()).unwrap();
        let loops: Vec<_> =
            recording.work.classes.iter().filter(|class| class.iterations == 1 << 16).collect();
        assert_eq!(loops.len(), 1, "{compiler}");
        assert_eq!((loops[0].form, loops[0].chunks.len()), (Form::Loop, 16), "{compiler}");
        if text(&output.stderr).contains("it has no footprints") {
            eprintln!("skipped: no footprints here");
            return;
        }
        let number = |name: &str| {
            let named = |allocation: &numalab_nlt::work::Allocation| recording.name(allocation.site) == name;
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

/// Costs of a nanosecond a byte, and the pages that were watched: on a machine of 3 instructions a nanosecond that is a workload
/// of 3 instructions a byte, and of the same accesses. Borders of packages lie within pages.
#[test]
fn a_recorded_load_balance_is_what_its_workload_is() {
    const PACKAGES: u64 = 768;
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
    for compiler in compilers() {
        // In the present folder it would stand for the workload.
        let folder = tempfile::tempdir().unwrap();
        let program = build(compiler, "loadbal", folder.path()).unwrap();
        record(&desk, &["-t", "16"], &program, &[], "static");
        let path = desk.path().join("prog.nlt");
        let mut recording = numalab_formats::recording(path.to_str().unwrap()).unwrap();
        let is_loop = |class: &numalab_nlt::work::Class| class.iterations == PACKAGES;
        let loops: Vec<u32> = (0..recording.work.classes.len() as u32)
            .filter(|at| is_loop(&recording.work.classes[*at as usize]))
            .collect();
        let [first, work] = loops[..] else { panic!("{compiler} {loops:?}") };
        if recording.work.classes[work as usize].footprint.is_empty() {
            eprintln!("skipped: no footprints here");
            return;
        }
        recording.work.order = numalab_nlt::work::Order::of(&[first, work], 0);
        let bytes = |package: u64| 3 * 8 * 16 * (package + 1);
        for (at, cost) in [(first, 0), (work, 1)] {
            let class = &mut recording.work.classes[at as usize];
            class.schedule = numalab_nlt::work::Recorded::Static;
            for (package, chunk) in (0..).zip(&mut class.chunks) {
                assert_eq!(chunk.count, 1);
                chunk.cost_ns = cost * bytes(package);
            }
        }
        recording.write(fs::File::create(&path).unwrap()).unwrap();
        let name = recording.name(recording.work.classes[work as usize].site);
        let policies: Vec<&str> = POLICIES.iter().flat_map(|policy| ["-p", policy]).collect();
        let common = [&["-t", "16", "--format", "json", "--no-sequential"], &policies[..]].concat();
        let json = |words: &[&str]| -> Value {
            let output = desk.numalab(&[words, &common[..]].concat()).assert().success().get_output().clone();
            serde_json::from_slice(&output.stdout).unwrap()
        };
        let compared = format!("workload.compared={name}");
        let replay = json(&["sim", "bcs16", "prog.nlt", "--core-ratio", "1", "--set", &compared]);
        let footprint = format!("workload.footprint={}", (0..PACKAGES).map(bytes).sum::<u64>());
        let mut words = vec!["sim", "bcs16", "loadbal"];
        for value in [
            &*footprint,
            "workload.packages=768",
            "workload.stores=ordinary",
            "workload.instructions_per_byte=3",
        ] {
            words.extend(["--set", value]);
        }
        words.extend(["--set", "workload.lines=10", "--set", "workload.overlap=1"]);
        let yaml = json(&words);
        for (at, policy) in POLICIES.iter().enumerate() {
            let phases = replay["runs"][at]["phases"].as_array().unwrap();
            let of = phases.iter().find(|phase| phase["name"] == *name).unwrap();
            let (recorded, written) = (of["time_ps"].as_f64().unwrap(), 1e9 * makespan_ms(&yaml, at));
            let ratio = recorded / written;
            assert!((0.98..1.02).contains(&ratio), "{compiler} {policy}: {recorded} {written} {ratio}");
        }
    }
}

/// A replay of `prog.nlt` on eight cores, and what was said beside it.
fn replay(desk: &Desk, words: &[&str]) -> (Value, String) {
    let all = [&["sim", "socket:2 core:4", "prog.nlt", "--format", "json"], words].concat();
    let output = desk.numalab(&all).assert().success().get_output().clone();
    (serde_json::from_slice(&output.stdout).unwrap(), text(&output.stderr))
}

fn makespan_ms(result: &Value, run: usize) -> f64 {
    result["runs"][run]["makespan_ps"].as_f64().unwrap() / 1e9
}

/// Eight iterations of 1, 2, to 8 ms on four threads. `static` gives the last one 7 and 8: 15 ms. Under `dynamic` threads
/// are free after 1, 2, 3 and 4 ms, and take 5, 6, 7 and 8 in turn: 6, 8, 10, 12 ms.
#[test]
fn imported_chunks_are_replayed_as_calculated_by_hand() {
    let mut table = "id,region,first,count,us\n".to_owned();
    // In any order.
    for i in [7, 0, 3, 1, 2, 6, 5, 4] {
        table += &format!("g{i},hot,{i},1,{}\n", 1000 * (i + 1));
    }
    let desk = Desk::with("grains.csv", &table);
    assert_eq!(desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]), "");
    let (result, _) = replay(&desk, &["-t", "4", "--core-ratio", "1", "-p", "static", "-p", "dynamic"]);
    for (run, expected) in [(0, 15.0), (1, 12.0)] {
        let ms = makespan_ms(&result, run);
        assert!((expected..expected + 0.05).contains(&ms), "{ms} instead of {expected}");
    }
}

/// Names of places are long, and tables narrow.
#[test]
fn no_phase_of_a_replay_is_cut() {
    let names: Vec<String> = (0..6).map(|i| format!("a_function_with_a_long_name_{i}")).collect();
    let mut table = "id,region,first,count,us\n".to_owned();
    names.iter().for_each(|name| table += &format!("{name},{name},0,1,10\n"));
    let desk = Desk::with("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let words = ["sim", "socket:2 core:4", "prog.nlt", "--core-ratio", "1", "-p", "static"];
    let shown = text(&desk.numalab(&words).assert().success().get_output().stdout);
    names.iter().for_each(|name| assert!(shown.contains(name), "{name}\n{shown}"));
}

/// b and c wait for a, d for both: 1 + 3 + 1 ms. e creates f and g: after 2 ms, 4 and 1 side by side.
#[test]
fn imported_tasks_are_replayed_as_calculated_by_hand() {
    for (table, expected) in [
        ("id,region,us,after\na,hot,1000,\nb,hot,3000,a\nc,hot,2000,a\nd,hot,1000,b c\n", 5.0),
        ("id,region,us,parent\ne,hot,2000,\nf,hot,4000,e\ng,hot,1000,e\n", 6.0),
    ] {
        let desk = Desk::with("grains.csv", table);
        desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
        let (result, _) = replay(&desk, &["-t", "4", "--core-ratio", "1"]);
        let ms = makespan_ms(&result, 0);
        assert!((expected..expected + 0.1).contains(&ms), "{ms} instead of {expected}");
    }
}

#[test]
fn tables_of_grains_are_checked_line_by_line() {
    for (table, parts) in [
        ("", &["grains.csv", "there are no grains"][..]),
        ("id,region,ms\n", &["grains.csv:1:11", "called ms", "expected one of id"]),
        ("id,region\n", &["the column us is missing"]),
        ("id,region,us\na,hot\n", &["grains.csv:2:1", "2 cells", "expected 3"]),
        ("id,region,us\na,hot,-1\n", &["grains.csv:2:7", "-1 is no time"]),
        ("id,region,us\na,hot,1\na,hot,1\n", &["grains.csv:3:1", "the task a is there twice"]),
        ("id,region,us,after\na,hot,1,b\nb,hot,1,\n", &["grains.csv:2:9", "the task b is no earlier task"]),
        (
            "id,region,us,first,count\na,hot,1,0,2\nb,hot,1,3,1\n",
            &["grains.csv:3:1", "expected 2 as the first"],
        ),
        ("id,region,us,first,count\na,hot,1,0,0\n", &["grains.csv:2:11", "no number of iterations"]),
        ("id,region,us,first,count\na,hot,1,0,\n", &["one is missing"]),
        (
            "id,region,us,parent,after\na,hot,1,,\nb,hot,1,a,a\n",
            &["parents and predecessors", "expected one of the two"],
        ),
    ] {
        let desk = Desk::with("grains.csv", table);
        says(&desk.refusal(&["trace", "import", "grains.csv", "-o", "prog.nlt"]), parts);
        assert_eq!(desk.files(), ["grains.csv"]);
    }
}

/// Data that the loop touches, as a workload file has it.
const DATA: &str = "\
name: data
description: What a recorded loop touches
regions:
  a: { size: 64 MB }
phases:
  - name: initialise
    loop:
      iterations: 8
      schedule: static
      touches: [{ region: a, slice: { partition: 1 }, mode: write }]
  - name: hot
    measured: true
    loop:
      iterations: 8
      touches: [{ region: a, slice: { partition: 1 }, mode: read }]
      overlap: 1
compare: [static]
";

/// Maximum of computing and waiting for data counts: 8 iterations of nothing take what the file alone takes, and 8 of
/// a second two seconds on four threads.
#[test]
fn a_file_lends_data_to_a_recorded_loop() {
    let desk = Desk::with("data.yaml", DATA);
    let import = |us: &str| {
        let row = |region: &str, i: u32, us: &str| format!("{region}{i},{region},{i},1,{us}\n");
        let mut table = "id,region,first,count,us\n".to_owned();
        (0..8).for_each(|i| table += &row("initialise", i, "0"));
        (0..8).for_each(|i| table += &row("hot", i, us));
        desk.put("grains.csv", &table);
        desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    };
    let policies = ["-p", "static", "-p", "numa-steal:nearest"];
    let words = [&["-t", "4", "--core-ratio", "1", "--data", "data.yaml"], &policies[..]].concat();
    import("1000000");
    let (result, notes) = replay(&desk, &words);
    says(&notes, &["note: data are lent by a file"]);
    assert!((2000.0..2040.0).contains(&makespan_ms(&result, 0)), "{result}");
    import("0.001");
    desk.put("alone.yaml", &DATA.replace("name: initialise", "name: initialise\n    measured: true"));
    let alone = ["sim", "socket:2 core:4", "alone.yaml", "-t", "4", "--format", "json", "-p", "static"];
    let alone: Value = serde_json::from_str(&desk.answer(&alone)).unwrap();
    let set = ["--set", "workload.compared=hot"];
    let (result, _) = replay(&desk, &[&words[..], &set].concat());
    let (replayed, alone) = (makespan_ms(&result, 0), makespan_ms(&alone, 0));
    assert!(alone > 0.1 && (replayed / alone - 1.0).abs() < 0.01, "{replayed} {alone}");
    let refused = |data: &str| {
        desk.put("other.yaml", data);
        let words = ["sim", "socket:2 core:4", "prog.nlt", "--core-ratio", "1", "--data", "other.yaml"];
        desk.refusal(&words)
    };
    says(
        &refused(&DATA.replace("name: hot", "name: hit")),
        &["no recorded loop is called hit", "did you mean `hot`"],
    );
    says(
        &refused(&DATA.replace("iterations: 8", "iterations: 9")),
        &["other iterations", "expected 8, and it has 9"],
    );
    says(&refused("name: [\n"), &["other.yaml"]);
}

/// One run of a workload on one thread: milliseconds of its phases.
fn phases_ms(desk: &Desk, words: &[&str]) -> [f64; 2] {
    let all = [&["sim", "socket:2 core:4"], words, &["-t", "1", "--format", "json", "-p", "static"]].concat();
    let result: Value = serde_json::from_str(&desk.answer(&all)).unwrap();
    [0, 1].map(|at| result["runs"][0]["phases"][at]["time_ps"].as_f64().unwrap() / 1e9)
}

/// With I for the loop that initialises and M for the data of the other, which was recorded with T = 2 M: on the computer that
/// recorded, both ends take I + T. Where memory answers four times as slowly it is I' and M': if all of T is computing, I' and the
/// longer of T and M'; if T - M is, I' + T - M + M'.
#[test]
fn a_replay_lies_between_two_ends() {
    let desk = Desk::with("data.yaml", DATA);
    desk.put("alone.yaml", &DATA.replace("name: initialise", "name: initialise\n    measured: true"));
    let slow = ["--set", "machine.memory.latency=x4"];
    let [initialise, data] = phases_ms(&desk, &["alone.yaml"]);
    let [slow_initialise, slow_data] = phases_ms(&desk, &[&["alone.yaml"], &slow[..]].concat());
    assert!(slow_data > 2.5 * data, "{slow_data} {data}");
    let mut table = "id,region,first,count,us\n".to_owned();
    for (region, ms) in [("initialise", initialise), ("hot", 2.0 * data)] {
        (0..8).for_each(|i| table += &format!("{region}{i},{region},{i},1,{}\n", 1000.0 * ms / 8.0));
    }
    desk.put("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let known = ["--recorded-on", "socket:2 core:4", "--data", "data.yaml", "--set", "workload.compared=hot"];
    let words = [&["-t", "1", "--core-ratio", "1", "-p", "static"], &known[..]].concat();
    let ends = |more: &[&str]| {
        let (result, notes) = replay(&desk, &[&words[..], more].concat());
        says(&notes, &["one thread takes", "ms recorded", "within 2 %", "no team ran freely"]);
        let end = |at: usize| result["runs"][0]["measures"][at]["value"].as_f64().unwrap();
        [end(0), end(1)]
    };
    let near = |found: [f64; 2], expected: [f64; 2]| {
        let close = found.iter().zip(expected).all(|(found, expected)| (found / expected - 1.0).abs() < 0.01);
        assert!(close, "{found:?} {expected:?}");
    };
    let time = 2.0 * data;
    near(ends(&[]), [initialise + time, initialise + time]);
    let beside = slow_initialise + time.max(slow_data);
    let after = slow_initialise + time - data + slow_data;
    near(ends(&slow), [beside, after]);
    // Nobody says what the data took: all of the time is computing, at one end beside them and at the other before.
    let words = ["-t", "1", "--core-ratio", "1", "-p", "static", "--data", "data.yaml"];
    let (result, notes) = replay(&desk, &[&words[..], &["--set", "workload.compared=hot"]].concat());
    says(&notes, &["note: unproven: not held against the recording computer", "--recorded-on"]);
    let most = result["runs"][0]["measures"][1]["value"].as_f64().unwrap();
    near([most, most], [2.0 * initialise + time + data; 2]);
    for (flags, parts) in [
        (&["--recorded-on", "bcs17"][..], &["bcs17"][..]),
        (&["--set", "workload.waited=1"], &["waited is 1", "for each of 2 kinds of work"]),
        (&["--set", "workload.overlap=2"], &["overlap is 2", "between 0 and 1"]),
    ] {
        says(&desk.refusal(&[&["sim", "bcs16", "prog.nlt", "--core-ratio", "1"], flags].concat()), parts);
    }
}

/// The order of two policies may depend on how much of the recorded time is waiting for memory: then it is no order.
#[test]
fn what_two_ends_do_not_decide_is_a_tie() {
    // Thread 0 computes without data, the others touch data of another node. What of it is waiting decides who is last.
    let data =
        DATA.replace("iterations: 8\n      schedule: static", "iterations: 8\n      schedule: \"static,8\"");
    let desk = Desk::with("data.yaml", &data);
    let mut table = "id,region,first,count,us\n".to_owned();
    (0..8).for_each(|i| table += &format!("a{i},initialise,{i},1,1\n"));
    for (i, us) in [9000, 100, 100, 100, 3000, 3000, 3000, 9000].iter().enumerate() {
        table += &format!("b{i},hot,{i},1,{us}\n");
    }
    desk.put("grains.csv", &table);
    desk.answer(&["trace", "import", "grains.csv", "-o", "prog.nlt"]);
    let policies =
        ["static", "static,1", "static,2", "dynamic", "guided", "tasks:central", "numa-steal:nearest"];
    let words: Vec<&str> = policies.iter().flat_map(|policy| ["-p", policy]).collect();
    let fixed = ["-t", "4", "--core-ratio", "1", "--data", "data.yaml", "--set", "workload.compared=hot"];
    let (result, _) = replay(&desk, &[&fixed[..], &words].concat());
    let other = [&fixed[..], &words, &["--set", "workload.overlap=0"]].concat();
    let (other, _) = replay(&desk, &other);
    let mut ties = 0;
    for (at, run) in result["runs"].as_array().unwrap().iter().enumerate() {
        let tied = |with: usize| {
            let order = |result: &Value| makespan_ms(result, at).total_cmp(&makespan_ms(result, with));
            order(&result) != order(&other)
        };
        let expected: Vec<&str> =
            (0..policies.len()).filter(|with| tied(*with)).map(|with| policies[with]).collect();
        let found = run["findings"].as_array().into_iter().flatten().find(|finding| finding["name"] == "tie");
        match found {
            Some(finding) => {
                let evidence = finding["evidence"].as_str().unwrap();
                assert!(
                    evidence.starts_with(&format!("with {}: ", expected.join(", "))),
                    "{evidence} {expected:?}"
                );
            }
            None => assert!(expected.is_empty(), "{expected:?}"),
        }
        ties += expected.len();
    }
    assert!(ties > 0, "{result}");
}

/// On two threads at once, without a token: how long it took within regions.
#[test]
fn a_team_that_runs_freely_is_recorded_beside() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    let shown = record(&desk, &["-t", "16", "--pages", "off"], &program, &["96"], "dynamic,4");
    let here = std::thread::available_parallelism().unwrap().get().min(16);
    if here < 2 {
        eprintln!("skipped: one processor");
        return;
    }
    let free = &shown["recording"]["free"];
    assert_eq!(free["threads"].as_u64(), Some(here as u64));
    let times = free["regions_ns"].as_array().unwrap();
    assert!(times.len() == 1 && times[0].as_u64() > Some(0), "{free}");
    says(&desk.answer(&["trace", "show", "prog.nlt"]), &[&format!("a free team of {here} took")]);
}

/// The pages of an array that one thread initialises are all on its node.
#[test]
fn advice_names_arrays_and_lines() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "serial_init", desk.path()).unwrap();
    let shown = record(&desk, &["-t", "16"], &program, &[], "static");
    if shown["classes"].as_array().unwrap().iter().all(|class| class["touched_bytes"].is_null()) {
        eprintln!("skipped: no footprints here");
        return;
    }
    // Of cores that compute in no time only waiting for data is left.
    let words = [
        "explain",
        "board:4 socket:2 core:2",
        "prog.nlt",
        "--core-ratio",
        "100",
        "--format",
        "json",
        "-p",
        "static",
    ];
    let output = desk.numalab(&words).assert().success().get_output().clone();
    let explained: Value = serde_json::from_slice(&output.stdout).unwrap();
    let advice = explained["advice"].as_array().unwrap();
    let first_touch =
        advice.iter().find(|one| one["changes"][0] == "first-touch u (serial_init.c:8) in parallel");
    let first_touch = first_touch.unwrap_or_else(|| panic!("{explained}"));
    assert!(first_touch["gain"].as_f64() > Some(0.03), "{first_touch}");
    says(first_touch["how"][0].as_str().unwrap(), &["#pragma omp parallel for schedule(static)"]);
}

/// From the source on the page to advice: every command of it, on a machine file that stands for this computer's.
#[test]
fn the_tutorial_works_from_the_source_to_advice() {
    let page = include_str!("../docs/tutorials/program.md");
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    desk.put("host.toml", &desk.answer(&["show", "socket:1 core:2", "--format", "toml"]));
    let source = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    desk.put("relax.c", source);
    let mut executed = 0;
    for line in page.lines() {
        let words = shlex::split(line).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.split_first() {
            Some((&"clang", words)) => {
                let built = Command::new(compiler).args(words).current_dir(desk.path()).output().unwrap();
                assert!(built.status.success(), "{line}: {}", text(&built.stderr));
            }
            Some((&"numalab", words)) => {
                let output = desk.numalab(words).assert().success().get_output().clone();
                let shown = text(&output.stdout);
                if text(&output.stderr).contains("it has no footprints") {
                    eprintln!("skipped: no footprints here");
                    return;
                }
                match words[0] {
                    "sim" => says(&shown, &["least", "most", "static"]),
                    "explain" => says(&shown, &["u (relax.c:8)", "in parallel"]),
                    _ => {}
                }
            }
            _ => continue,
        }
        executed += 1;
    }
    assert_eq!(executed, 7);
}

#[test]
fn what_a_replay_cannot_know_is_asked_for() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "2"], &program, &["16"], "static");
    let sim = ["sim", "socket:2 core:2", "prog.nlt"];
    let refused = |more: &[&str]| desk.refusal(&[&sim[..], more].concat());
    says(&refused(&[]), &["how fast the machine's cores are", "--core-ratio 1"]);
    says(&refused(&["--core-ratio", "0"]), &["core_ratio is 0", "between 0.001 and 1000"]);
    says(
        &refused(&["--core-ratio", "1", "-p", "numa-steal:nearest"]),
        &["decides by where data are", "tip:"],
    );
    says(
        &refused(&["--core-ratio", "1", "--set", "workload.compared=loop.c"]),
        &["no loop is called loop.c", "loop.c:"],
    );
    says(&refused(&["--core-ratio", "1", "--set", "workload.ratio=2"]), &["no value ratio", "core_ratio"]);
    let twice = ["--core-ratio", "1", "--set", "workload.core_ratio=1"];
    says(&refused(&twice), &["--core-ratio and workload.core_ratio say the same thing"]);
    for flag in ["--core-ratio=1", "--data=x.yaml", "--recorded-on=bcs16"] {
        says(&desk.refusal(&["sim", "bcs16", "loadbal", flag]), &["is for recorded programs"]);
    }
}

/// Whoever has the token waits for the other, which waits for the token.
#[test]
fn a_token_that_nobody_passes_is_given_up() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "flag", desk.path()).unwrap();
    let words = ["record", "-t", "2", "--rounds", "1", "--patience", "1", "-o", "prog.nlt", "--"];
    let words = [&words[..], &[program.to_str().unwrap()]].concat();
    let output = desk.numalab(&words).assert().success().get_output().clone();
    assert_eq!(text(&output.stdout), "ok\n");
    says(&text(&output.stderr), &["waited for each other unseen", "--patience"]);
    says(&replay(&desk, &["--core-ratio", "1"]).1, &["note: unproven"]);
}

#[test]
fn what_cannot_be_recorded_is_refused_with_the_reason() {
    let desk = Desk::empty();
    let record = |words: &[&str]| {
        let all = [&["record", "-o", "x.nlt", "--rounds", "1", "--"], words].concat();
        failure(desk.numalab(&all).assert().code(1))
    };
    says(&record(&["./nothing"]), &["cannot start \"./nothing\"", "no such program"]);
    says(&record(&["true"]), &["no parallel region was recorded", "tool interface"]);
    says(&record(&["false"]), &["\"false\" failed: exit status: 1"]);
    desk.put("static.c", "int main(void) { return 0; }\n");
    let built = Command::new("gcc")
        .args(["-static", "-o", "static", "static.c"])
        .current_dir(desk.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if built {
        says(&record(&["./static"]), &["is linked statically"]);
    }
    let message = failure(
        desk.numalab(&["record", "--cc", "/nonexistent", "-o", "x.nlt", "--", "true"]).assert().code(1),
    );
    says(&message, &["\"/nonexistent\" cannot be started", "--cc"]);
    assert!(!desk.path().join("x.nlt").exists(), "nothing half-written");
}

#[test]
fn the_recorder_can_be_taken_elsewhere() {
    let desk = Desk::empty();
    says(&desk.answer(&["record", "export", "recorder"]), &["recorder/README.md"]);
    says(&desk.refusal(&["record", "export", "recorder"]), &["is not empty"]);
    let folder = desk.path().join("recorder");
    let made = Command::new("make").current_dir(&folder).output().unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(text(&made.stderr), "", "no warnings");
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "fib", desk.path()).unwrap();
    let raw = desk.path().join("raw");
    fs::create_dir(&raw).unwrap();
    let ran = Command::new(&program)
        .env("OMP_TOOL_LIBRARIES", folder.join("numalab-recorder.so"))
        .env("NUMALAB_RECORD", &raw)
        .env("KMP_BLOCKTIME", "0")
        .env("OMP_NUM_THREADS", "3")
        .output()
        .unwrap();
    assert!(ran.status.success());
    let words = ["record", "--raw", "raw", "-o", "prog.nlt", "-t", "3", "--", "./fib"];
    desk.numalab(&words).assert().success();
    let shown = desk.answer(&["trace", "show", "prog.nlt"]);
    says(&shown, &["team of 3, 1 round", "tasks           177"]);
}

#[test]
fn recordings_are_shown_checked_and_dumped() {
    let desk = Desk::empty();
    let Some(compiler) = compilers().first().copied() else { return };
    let program = build(compiler, "loop", desk.path()).unwrap();
    record(&desk, &["-t", "4"], &program, &["32"], "dynamic,1");
    says(&desk.answer(&["trace", "check", "prog.nlt"]), &["meta ", "events ", " events\n"]);
    let lines = desk.answer(&["trace", "dump", "prog.nlt"]);
    let chunks = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "Chunk" && event["round"] == 0)
        .count();
    // 32 in each of three loops, and a block for each of four threads.
    assert_eq!(chunks, 100);
    says(&desk.answer(&["trace", "show", "prog.nlt", "--format", "csv"]), &["place,what,iterations"]);
    // Without its end the file still tells the work: it is made again of the events.
    let whole = fs::read(desk.path().join("prog.nlt")).unwrap();
    fs::write(desk.path().join("torn.nlt"), &whole[..whole.len() - 3]).unwrap();
    let torn = desk.numalab(&["trace", "check", "torn.nlt"]).assert().code(1).get_output().clone();
    says(&text(&torn.stdout), &["the file ends"]);
    let shown = |name: &str| desk.answer(&["trace", "show", name]);
    assert_eq!(shown("torn.nlt"), shown("prog.nlt"));
    desk.put("no.nlt", "name: loadbal\n");
    says(
        &desk.refusal(&["trace", "check", "no.nlt"]),
        &["no.nlt: it is no recorded program", "numalab record"],
    );
    says(&desk.refusal(&["trace", "show", "missing.nlt"]), &["missing.nlt"]);
}
