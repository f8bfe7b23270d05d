//! Readers of single files: each reads a file and checks its own answer.

#[path = "../../crates/lower/tests/main/facts.rs"]
mod facts;

use crate::readers::Verdict;
use facts::FACTS;
use numalab_imports as imports;
use numalab_openmp::ProcList;
use numalab_openmp::binding::{AffinityFormat, proc_bind, thread_counts};
use numalab_openmp::places::PlaceList;
use numalab_recorder::{Compiler, Request, Watch};
use numalab_sweep::{Key, Store};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_traces as traces;
use numalab_workload::{Placement, Schedule};
use std::fs;
use std::path::Path;

/// Verdict on the result of a reader. A refusal has a text, with and without colours, and each of its errors names a
/// file and a line.
fn verdict<T>(result: Result<T, Diagnostics>) -> Verdict {
    match result {
        Ok(_) => Verdict::Accepted,
        Err(error) => {
            let text = error.render(false);
            assert!(error.count() > 0 && !text.is_empty() && !error.render(true).is_empty());
            shown(&text);
            for part in text.split("\n\n").filter(|part| part.starts_with("error")) {
                assert!(part.contains("--> ") || part.starts_with("error: cannot read "), "no place: {part}");
            }
            Verdict::Refused
        }
    }
}

/// Verdict like [`verdict`], for a format without lines: a refusal names the file.
fn named<T, E: std::fmt::Display>(path: &Path, result: Result<T, E>) -> Verdict {
    if let Err(error) = &result {
        assert!(error.to_string().contains(name(path)), "no file: {error}");
        shown(&error.to_string());
    }
    said(result)
}

/// Verdict like [`verdict`], for a reader whose error is one sentence.
fn said<T, E: std::fmt::Display>(result: Result<T, E>) -> Verdict {
    match result {
        Ok(_) => Verdict::Accepted,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Verdict::Refused
        }
    }
}

/// Checks that a message has a text, and controls no terminal.
fn shown(text: &str) {
    assert!(!text.is_empty());
    assert!(text.chars().all(|c| c == '\n' || numalab_base::is_printable(c)), "control character: {text:?}");
}

fn name(path: &Path) -> &str {
    path.to_str().expect("the name is ours")
}

/// Checks that an accepted machine can be written, and that the reader accepts the written text.
pub fn machine(path: &Path) -> Verdict {
    let read = numalab_lower::machine(name(path), &[]);
    if let Ok(machine) = &read {
        let again = path.with_file_name("again.toml");
        fs::write(&again, numalab_files::machine_text(&machine.value, &|_| None))
            .expect("the folder is ours");
        let error = numalab_lower::machine(name(&again), &[]).err();
        assert!(
            error.is_none(),
            "what was written is refused: {}",
            error.map(|e| e.to_string()).unwrap_or_default()
        );
    }
    verdict(read)
}

pub fn runtime(path: &Path) -> Verdict {
    verdict(numalab_lower::runtime(name(path), &[]))
}

pub fn workload(path: &Path) -> Verdict {
    verdict(numalab_lower::workload(name(path), &[], &FACTS))
}

pub fn sweep(path: &Path) -> Verdict {
    verdict(numalab_sweep::file::sweep(name(path)))
}

pub fn policy(path: &Path) -> Verdict {
    verdict(numalab_files::policy(name(path)))
}

/// Reads a matrix file through a workload with a loop over the rows of the matrix.
pub fn matrix(path: &Path) -> Verdict {
    let file = path.file_name().and_then(|name| name.to_str()).expect("the name is ours");
    let text = format!(
        "name: w\nmatrix: {file}\nregions: {{ x: {{ size: 8 * columns + 8 }} }}\nphases:\n  - name: p\n    measured: true\n    \
         loop:\n      iterations: rows\n      touches: [{{ region: x, mode: read }}]\n      instructions: \
         row_entries(i) + first_column(i) + last_column(i)\n"
    );
    let workload = path.with_file_name("walk.yaml");
    fs::write(&workload, text).expect("the folder is ours");
    verdict(numalab_lower::workload(name(&workload), &[], &FACTS))
}

pub fn evidence(path: &Path) -> Verdict {
    verdict(imports::evidence(path))
}

pub fn distances(path: &Path) -> Verdict {
    verdict(imports::distance_matrix(path))
}

pub fn counts(path: &Path) -> Verdict {
    verdict(imports::thread_node_table(path))
}

pub fn run(path: &Path) -> Verdict {
    named(path, imports::run_counts(path, None))
}

pub fn rows(path: &Path) -> Verdict {
    named(path, numalab_result_files::frame(path))
}

/// Checks that an accepted trace can be nested, and written as a recording.
pub fn trace(path: &Path) -> Verdict {
    let read = traces::trace(path, None);
    if let Ok(imported) = &read {
        imported.recording().write(std::io::sink()).expect("nothing is full");
        if let traces::Imported::Otf2(otf2) = imported {
            let places = traces::Places::default();
            let nested = otf2.nested(&places).expect("it was accepted");
            otf2.write(&nested, &places, &mut std::io::sink()).expect("nothing is full");
        }
    }
    verdict(read)
}

/// Replays a recording: a recorded program with a core ratio, a recorded simulation without.
pub fn recording(path: &Path) -> Verdict {
    let ratio = numalab_files::Override::of_workload("core_ratio", "1", numalab_files::Origin::Set);
    let values = if numalab_replay::has_costs(name(path)) { vec![ratio] } else { Vec::new() };
    match numalab_lower::recorded_workload(name(path), &values, &FACTS) {
        // A damaged file may have costs beside a simulation.
        Err(error) if error.to_string().contains("has no value core_ratio") => {
            named(path, numalab_lower::recorded_workload(name(path), &[], &FACTS))
        }
        read => named(path, read),
    }
}

/// Converts the recorder's events to a recording.
pub fn raw(path: &Path) -> Verdict {
    let folder = path.with_file_name("events");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(path, folder.join("case.raw")))
        .expect("the folder is ours");
    let request = Request {
        limit: None,
        command: vec!["program".to_owned()],
        threads: 2,
        rounds: 1,
        token: Some(5),
        libomp: None,
        compiler: Compiler::parse("cc").expect("it is a word"),
        pages: Watch::Off,
    };
    let mut written = Vec::new();
    let converted = numalab_recorder::convert(std::slice::from_ref(&folder), &request, &mut written);
    if converted.is_ok() {
        // What is written can be read, unless its program makes no sense.
        let again = path.with_file_name("again.nlt");
        fs::write(&again, written).expect("the folder is ours");
        recording(&again);
    }
    named(&folder, converted)
}

/// Reads all results of a store. Damaged lines are no error: their points run again.
pub fn store(path: &Path) -> Verdict {
    let folder = path.with_file_name("store");
    let mut store = Store::open(&folder, "fuzz").expect("a missing folder is an empty store");
    store.create().expect("the folder is ours");
    fs::copy(path, folder.join("case.jsonl")).expect("the folder is ours");
    store.refresh().expect("the folder is ours");
    let text = fs::read(path).expect("the file is ours");
    let keys = text.split(|byte| *byte == b'\n').filter_map(|line| Key::parse(line.get(8..8 + Key::DIGITS)?));
    let mut reader = store.reader();
    for key in keys {
        if let Err(error) = reader.get(key) {
            shown(&error.to_string());
        }
    }
    Verdict::Accepted
}

/// Reads an expression as the value of a workload parameter.
pub fn expression(path: &Path) -> Verdict {
    let text = String::from_utf8_lossy(&fs::read(path).expect("the file is ours")).into_owned();
    match numalab_files::parse_overrides(&[format!("workload.footprint={}", text.trim_end())]) {
        Ok(set) => verdict(numalab_lower::workload("loadbal", &set.workload, &FACTS)),
        Err(error) => verdict::<()>(Err(error)),
    }
}

/// Reads each line as every kind of text that the command line accepts. The file is accepted if every line is valid
/// as some kind.
pub fn words(path: &Path) -> Verdict {
    let text = String::from_utf8_lossy(&fs::read(path).expect("the file is ours")).into_owned();
    let mut all = Verdict::Accepted;
    for line in text.lines() {
        let verdicts = [
            said(line.parse::<PlaceList>()),
            said(line.parse::<ProcList>()),
            said(line.parse::<Placement>()),
            said(line.parse::<Schedule>()),
            said(line.parse::<AffinityFormat>()),
            said(proc_bind(line)),
            said(thread_counts(line)),
            verdict(numalab_files::parse_series(line)),
            verdict(numalab_files::parse_overrides(&[line.to_owned()])),
            said(numalab_machine::synthetic(line)),
        ];
        if !verdicts.contains(&Verdict::Accepted) {
            all = Verdict::Refused;
        }
    }
    all
}
