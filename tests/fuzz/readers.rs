//! Readers of files that people or other programs wrote, each with its corpus.

#[path = "../../crates/lower/tests/main/facts.rs"]
mod facts;

use facts::FACTS;
use numalab_imports as imports;
use numalab_openmp::ProcList;
use numalab_openmp::binding::{AffinityFormat, proc_bind, thread_counts};
use numalab_openmp::places::PlaceList;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_traces as traces;
use numalab_workload::{Placement, Schedule};
use std::fs;
use std::path::Path;

/// A reader of one kind of file. Every refusal has a message.
pub struct Reader {
    /// Name of the reader on the command line.
    pub name: &'static str,
    /// Ending of the names of files that the reader reads.
    pub ending: &'static str,
    /// Undamaged examples: files and folders, relative to the root of the repository.
    pub corpus: &'static [&'static str],
    /// Reads the file with this path.
    pub read: fn(&Path) -> Verdict,
}

/// Outcome of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is valid.
    Accepted,
    /// The file is invalid; the reader gave a message.
    Refused,
}

pub const READERS: &[Reader] = &[
    Reader {
        name: "machine",
        ending: "toml",
        corpus: &["machines", "tests/fixtures/pair.toml"],
        read: machine,
    },
    Reader { name: "runtime", ending: "toml", corpus: &["runtimes"], read: runtime },
    Reader { name: "workload", ending: "yaml", corpus: &["workloads"], read: workload },
    Reader { name: "sweep", ending: "yaml", corpus: &["sweeps", "tests/fixtures/sweep.yaml"], read: sweep },
    Reader { name: "matrix", ending: "mtx", corpus: &["tests/fuzz/corpus/matrix"], read: matrix },
    Reader {
        name: "topology",
        ending: "xml",
        corpus: &["crates/imports/tests/data/topology"],
        read: evidence,
    },
    Reader { name: "foreign", ending: "txt", corpus: &["crates/imports/tests/data/foreign"], read: evidence },
    Reader { name: "measurements", ending: "jsonl", corpus: &["tests/fixtures/pair.jsonl"], read: evidence },
    Reader {
        name: "distances",
        ending: "csv",
        corpus: &[
            "reference/distance-hp8.csv",
            "reference/slit-fujitsu8.csv",
            "crates/imports/tests/data/foreign",
        ],
        read: distances,
    },
    Reader { name: "counts", ending: "csv", corpus: &["reference/tnt-mg8.csv"], read: counts },
    Reader { name: "run", ending: "json", corpus: &["tests/fuzz/corpus/run"], read: run },
    Reader { name: "rows-csv", ending: "csv", corpus: &["tests/fixtures/compare/before.csv"], read: rows },
    Reader {
        name: "rows-json",
        ending: "jsonl",
        corpus: &["tests/fixtures/compare/after.jsonl"],
        read: rows,
    },
    Reader { name: "rows-parquet", ending: "parquet", corpus: &["tests/fuzz/corpus/rows"], read: rows },
    Reader {
        name: "expression",
        ending: "txt",
        corpus: &["tests/fuzz/corpus/expressions"],
        read: expression,
    },
    Reader { name: "grains", ending: "csv", corpus: &["tests/fuzz/corpus/grains"], read: trace },
    Reader { name: "otf2", ending: "txt", corpus: &["tests/fuzz/corpus/otf2"], read: trace },
    Reader { name: "paraver", ending: "prv", corpus: &["tests/fuzz/corpus/paraver"], read: trace },
    Reader { name: "recording", ending: "nlt", corpus: &["tests/fuzz/corpus/recording"], read: recording },
    Reader { name: "words", ending: "txt", corpus: &["tests/fuzz/corpus/words"], read: words },
];

/// Verdict on the result of a reader. A refusal has a text, with and without colours, and each of its errors names a
/// file and a line.
fn verdict<T>(result: Result<T, Diagnostics>) -> Verdict {
    match result {
        Ok(_) => Verdict::Accepted,
        Err(error) => {
            let text = error.render(false);
            assert!(error.count() > 0 && !text.is_empty() && !error.render(true).is_empty());
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

fn name(path: &Path) -> &str {
    path.to_str().expect("the name is ours")
}

/// Checks that an accepted machine can be written, and that the reader accepts the written text.
fn machine(path: &Path) -> Verdict {
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

fn runtime(path: &Path) -> Verdict {
    verdict(numalab_lower::runtime(name(path), &[]))
}

fn workload(path: &Path) -> Verdict {
    verdict(numalab_lower::workload(name(path), &[], &FACTS))
}

fn sweep(path: &Path) -> Verdict {
    verdict(numalab_sweep::file::sweep(name(path)))
}

/// Reads a matrix file through a workload with a loop over the rows of the matrix.
fn matrix(path: &Path) -> Verdict {
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

fn evidence(path: &Path) -> Verdict {
    verdict(imports::evidence(path))
}

fn distances(path: &Path) -> Verdict {
    verdict(imports::distance_matrix(path))
}

fn counts(path: &Path) -> Verdict {
    verdict(imports::thread_node_table(path))
}

fn run(path: &Path) -> Verdict {
    named(path, imports::run_counts(path, None))
}

fn rows(path: &Path) -> Verdict {
    named(path, numalab_result_files::frame(path))
}

/// Checks that an accepted trace can be nested, and written as a recording.
fn trace(path: &Path) -> Verdict {
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
fn recording(path: &Path) -> Verdict {
    let ratio = numalab_files::Override::of_workload("core_ratio", "1", numalab_files::Origin::Set);
    let values = if numalab_replay::has_costs(name(path)) { vec![ratio] } else { Vec::new() };
    named(path, numalab_lower::recorded_workload(name(path), &values, &FACTS))
}

/// Reads an expression as the value of a workload parameter.
fn expression(path: &Path) -> Verdict {
    let text = String::from_utf8_lossy(&fs::read(path).expect("the file is ours")).into_owned();
    match numalab_files::parse_overrides(&[format!("workload.footprint={}", text.trim_end())]) {
        Ok(set) => verdict(numalab_lower::workload("loadbal", &set.workload, &FACTS)),
        Err(error) => verdict::<()>(Err(error)),
    }
}

/// Reads each line as every kind of text that the command line accepts. The file is accepted if every line is valid
/// as some kind.
fn words(path: &Path) -> Verdict {
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
