//! Readers of files that people or other programs wrote, each with its corpus.

#[path = "../../crates/lower/tests/main/facts.rs"]
mod facts;

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

/// A reader of one kind of file. Every refusal has a message.
pub struct Reader {
    /// Name of the reader on the command line.
    pub name: &'static str,
    /// Ending of the names of files that the reader reads.
    pub ending: &'static str,
    /// Undamaged examples: files and folders, relative to the root of the repository.
    pub corpus: &'static [&'static str],
    /// Share of all cases: slow readers have a small one, readers of many kinds of values a large one.
    pub share: u64,
    /// Commands that read FILE, in a folder with the files of `commands::FILES`.
    pub commands: &'static [&'static str],
    /// Reads the file with this path.
    pub read: fn(&Path) -> Verdict,
}

impl Reader {
    /// A reader with an average share, of files that no command reads.
    const fn new(
        name: &'static str,
        ending: &'static str,
        corpus: &'static [&'static str],
        read: fn(&Path) -> Verdict,
    ) -> Reader {
        Reader { name, ending, corpus, share: 2, commands: &[], read }
    }

    const fn by(self, commands: &'static [&'static str]) -> Reader {
        Reader { commands, ..self }
    }

    const fn share(self, share: u64) -> Reader {
        Reader { share, ..self }
    }
}

/// Outcome of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is valid.
    Accepted,
    /// The file is invalid; the reader gave a message.
    Refused,
}

/// Commands that read results.
const ROWS: &[&str] = &[
    "rank FILE",
    "pareto FILE --y threads",
    "compare FILE results.csv --format json",
    "plot FILE --x threads -o out.svg",
    "compare after.jsonl FILE --exit-code",
];

pub const READERS: &[Reader] = &[
    Reader::new("machine", "toml", &["machines", "tests/fixtures/pair.toml"], machine).share(6).by(&[
        "show FILE",
        "show FILE --kind machine --format toml",
        "show FILE --format json",
        "places FILE",
        "calibrate synthesize FILE -o out.jsonl",
    ]),
    Reader::new("machine-small", "toml", &["tests/fixtures/pair.toml"], machine).share(4).by(&[
        "sim FILE work.yaml --no-series -t 2 -j 1",
        "distances FILE",
        "show FILE --between 0 1",
    ]),
    Reader::new("runtime", "toml", &["runtimes"], runtime)
        .share(4)
        .by(&["show FILE", "sim pair.toml work.yaml --runtime FILE --no-series -t 4 -j 1"]),
    Reader::new("workload", "yaml", &["workloads"], workload)
        .share(6)
        .by(&["show FILE", "show FILE --format json"]),
    Reader::new("workload-small", "yaml", &["tests/fixtures/sweep.yaml"], workload).share(4).by(&[
        "sim pair.toml FILE --no-series -t 2 -j 1",
        "model pair.toml FILE -t 2",
        "sim pair.toml FILE -t 2 -o out.html -j 1",
    ]),
    Reader::new("sweep", "yaml", &["sweeps", "tests/fuzz/corpus/sweeps"], sweep).share(4).by(&["show FILE"]),
    Reader::new("sweep-small", "yaml", &["tests/fuzz/corpus/sweeps"], sweep)
        .by(&["sweep FILE -j 1 --markdown out.md"]),
    Reader::new("matrix", "mtx", &["tests/fuzz/corpus/matrix"], matrix),
    Reader::new("topology", "xml", &["crates/imports/tests/data/topology"], evidence)
        .by(&["show FILE", "calibrate fit FILE --assume -o out.toml"]),
    Reader::new("foreign", "txt", &["crates/imports/tests/data/foreign"], evidence),
    Reader::new("measurements", "jsonl", &["tests/fixtures/pair.jsonl"], evidence)
        .by(&["calibrate doctor FILE"]),
    Reader::new(
        "distances",
        "csv",
        &["reference/distance-hp8.csv", "reference/slit-fujitsu8.csv", "crates/imports/tests/data/foreign"],
        distances,
    )
    .by(&["places hp8 --from-matrix FILE", "distances pair.toml --compare FILE"]),
    Reader::new("counts", "csv", &["reference/tnt-mg8.csv"], counts)
        .by(&["place-threads FILE --cores-per-node 4"]),
    Reader::new("run", "json", &["tests/fuzz/corpus/run"], run)
        .by(&["place-threads --from-run FILE --cores-per-node 4"]),
    Reader::new("rows-csv", "csv", &["tests/fixtures/compare/before.csv"], rows).by(ROWS),
    Reader::new("rows-json", "jsonl", &["tests/fixtures/compare/after.jsonl"], rows).by(ROWS),
    Reader::new("rows-parquet", "parquet", &["tests/fuzz/corpus/rows"], rows).by(ROWS),
    Reader::new("expression", "txt", &["tests/fuzz/corpus/expressions"], expression),
    Reader::new("grains", "csv", &["tests/fuzz/corpus/grains"], trace).by(IMPORTED),
    Reader::new("otf2", "txt", &["tests/fuzz/corpus/otf2"], trace).by(IMPORTED),
    Reader::new("paraver", "prv", &["tests/fuzz/corpus/paraver"], trace).by(IMPORTED),
    Reader::new("recording", "nlt", &["tests/fuzz/corpus/recording"], recording).share(6).by(&[
        "trace show FILE",
        "trace check FILE",
        "trace dump FILE",
        "sim pair.toml FILE --core-ratio 1 --no-series -t 2 -j 1",
    ]),
    Reader::new("raw", "raw", &["tests/fuzz/corpus/raw"], raw).share(4),
    Reader::new("store", "jsonl", &[], store).by(&["sweep small.yaml --store store -o out.csv -j 1"]),
    Reader::new("words", "txt", &["tests/fuzz/corpus/words"], words),
    Reader::new("commands", "line", &[], |_| Verdict::Refused).share(10),
];

/// Commands that read traces of other tools.
const IMPORTED: &[&str] = &["trace import FILE -o out.nlt"];

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

/// Converts the recorder's events to a recording.
fn raw(path: &Path) -> Verdict {
    let folder = path.with_file_name("events");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(path, folder.join("case.raw")))
        .expect("the folder is ours");
    let request = Request {
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
fn store(path: &Path) -> Verdict {
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
