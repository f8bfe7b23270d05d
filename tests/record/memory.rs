//! Memory that recordings contain: that of the program, in the bytes that it can have accessed.

use super::{build, compilers, record, replay};
use crate::support::{Desk, says};

/// Law: Memory of the OpenMP runtime is no footprint.
///
/// The program has tasks and no array.
#[test]
fn memory_of_the_runtime_is_left_out() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "fib", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "8"], &program, &["16"], "static");
        let touched: Vec<_> =
            shown["classes"].as_array().unwrap().iter().map(|class| &class["touched_bytes"]).collect();
        assert!(touched.iter().all(|bytes| bytes.is_null()), "{compiler} {shown}");
        says(&replay(&desk, &["--core-ratio", "1"]).1, &["it has no footprints"]);
    }
}

/// Law: Small blocks are watched by the place that allocates them.
///
/// A hundred blocks of 6400 bytes, each with a head of 16 bytes, lie one after another; each task writes one.
#[test]
fn small_blocks_are_watched() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "blocks", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "4"], &program, &[], "static");
        let recording = numalab_replay::recording(desk.path().join("prog.nlt").to_str().unwrap()).unwrap();
        let Some(tasks) = recording.work.classes.iter().find(|class| class.tasks.len() == 100) else {
            panic!("{compiler} {shown}");
        };
        if tasks.footprint.is_empty() {
            eprintln!("skipped: no footprints here");
            return;
        }
        let named = |allocation: &numalab_replay::work::Allocation| recording.name(allocation.site);
        let number = recording.allocations.iter().position(|one| named(one).contains("blocks.c:16")).unwrap();
        let blocks = &recording.allocations[number];
        assert_eq!(blocks.bytes, 100 * (6400 + 16), "{compiler}");
        for (at, part) in (0u64..).zip(&tasks.footprint) {
            let (first, end) = (at * 6416 + 16, (at + 1) * 6416);
            let written: Vec<(u64, u64)> = part
                .runs
                .iter()
                .filter(|run| run.allocation as usize == number && run.written)
                .map(|run| (run.first, run.first + run.bytes))
                .collect();
            let whole = (first / 4096 * 4096, (end.div_ceil(4096) * 4096).min(blocks.bytes));
            assert_eq!(written, [whole], "{compiler} task {at}");
        }
    }
}

/// Law: A loop does not touch more bytes than one thread reads in its time.
#[test]
fn random_accesses_are_lines() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "gather", desk.path()).unwrap();
        let shown = record(&desk, &["-t", "4"], &program, &[], "static");
        let bandwidth = shown["recording"]["recorder"]["bandwidth"].as_f64().unwrap();
        let gather =
            shown["classes"].as_array().unwrap().iter().find(|class| class["iterations"] == 20000).unwrap();
        let Some(touched) = gather["touched_bytes"].as_f64() else {
            eprintln!("skipped: no footprints here");
            return;
        };
        // 400 000 reads touch about as many pages.
        assert!(gather["touched_pages_bytes"].as_f64().unwrap() > 1e9, "{compiler} {gather}");
        let readable = bandwidth * 1e-9 * gather["alone_ns"].as_f64().unwrap();
        let (result, notes) = replay(&desk, &["--core-ratio", "1", "-p", "static"]);
        if touched <= 1.01 * readable {
            says(&notes, &["unproven: gather.c", "its pages as a whole are", "from one line of each page"]);
        }
        // A slow computer may have had the time to read whole pages.
        assert!(touched <= 1.26 * readable, "{compiler} {gather} {bandwidth}");
        let measures = result["runs"][0]["measures"].as_array().unwrap();
        let end = |at: usize| measures[at]["value"].as_f64().unwrap();
        assert!(end(0) < end(1), "{measures:?}");
    }
}
