//! Readers of files that people or other programs wrote, each with its corpus and the commands that read such files.

use crate::reading as read;
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
    Reader::new("machine", "toml", &["machines", "tests/fixtures/pair.toml"], read::machine).share(6).by(&[
        "show FILE",
        "show FILE --kind machine --format toml",
        "show FILE --format json",
        "places FILE",
    ]),
    Reader::new("machine-small", "toml", &["tests/fixtures/pair.toml"], read::machine).share(4).by(&[
        "sim FILE work.yaml --no-series -t 2 -j 1",
        "distances FILE",
        "show FILE --between 0 1",
        "calibrate synthesize FILE -o out.jsonl",
    ]),
    Reader::new("runtime", "toml", &["runtimes"], read::runtime)
        .share(4)
        .by(&["show FILE", "sim pair.toml work.yaml --runtime FILE --no-series -t 4 -j 1"]),
    Reader::new("workload", "yaml", &["workloads", "tests/fuzz/corpus/workloads"], read::workload)
        .share(6)
        .by(&["show FILE", "show FILE --format json"]),
    Reader::new("workload-small", "yaml", &["tests/fixtures/sweep.yaml"], read::workload).share(4).by(&[
        "sim pair.toml FILE --no-series -t 2 -j 1",
        "model pair.toml FILE -t 2",
        "sim pair.toml FILE -t 2 -o out.html -j 1",
    ]),
    Reader::new("sweep", "yaml", &["sweeps", "tests/fuzz/corpus/sweeps"], read::sweep)
        .share(4)
        .by(&["show FILE"]),
    Reader::new("sweep-small", "yaml", &["tests/fuzz/corpus/sweeps"], read::sweep)
        .by(&["sweep FILE -j 1 --markdown out.md"]),
    Reader::new("policy", "yaml", &["policies"], read::policy)
        .share(4)
        .by(&["show FILE", "sim pair.toml work.yaml -p FILE --no-series -t 4 -j 1"]),
    Reader::new("matrix", "mtx", &["tests/fuzz/corpus/matrix"], read::matrix),
    Reader::new("topology", "xml", &["crates/imports/tests/data/topology"], read::evidence)
        .by(&["show FILE", "calibrate fit FILE --assume -o out.toml"]),
    Reader::new("foreign", "txt", &["crates/imports/tests/data/foreign"], read::evidence),
    Reader::new("measurements", "jsonl", &["tests/fixtures/pair.jsonl"], read::evidence)
        .by(&["calibrate doctor FILE"]),
    Reader::new(
        "distances",
        "csv",
        &["reference/distance-hp8.csv", "reference/slit-fujitsu8.csv", "crates/imports/tests/data/foreign"],
        read::distances,
    )
    .by(&["places hp8 --from-matrix FILE", "distances pair.toml --compare FILE"]),
    Reader::new("counts", "csv", &["reference/tnt-mg8.csv"], read::counts)
        .by(&["place-threads FILE --cores-per-node 4"]),
    Reader::new("run", "json", &["tests/fuzz/corpus/run"], read::run)
        .by(&["place-threads --from-run FILE --cores-per-node 4"]),
    Reader::new("rows-csv", "csv", &["tests/fixtures/compare/before.csv"], read::rows).by(ROWS),
    Reader::new("rows-json", "jsonl", &["tests/fixtures/compare/after.jsonl"], read::rows).by(ROWS),
    Reader::new("rows-parquet", "parquet", &["tests/fuzz/corpus/rows"], read::rows).by(ROWS),
    Reader::new("expression", "txt", &["tests/fuzz/corpus/expressions"], read::expression),
    Reader::new("grains", "csv", &["tests/fuzz/corpus/grains"], read::trace).by(IMPORTED),
    Reader::new("otf2", "txt", &["tests/fuzz/corpus/otf2"], read::trace).by(IMPORTED),
    Reader::new("paraver", "prv", &["tests/fuzz/corpus/paraver"], read::trace).by(IMPORTED),
    Reader::new("recording", "nlt", &["tests/fuzz/corpus/recording"], read::recording).share(6).by(&[
        "trace show FILE",
        "trace check FILE",
        "trace dump FILE",
        "sim pair.toml FILE --core-ratio 1 --no-series -t 2 -j 1",
    ]),
    Reader::new("raw", "raw", &["tests/fuzz/corpus/raw"], read::raw).share(4),
    Reader::new("store", "jsonl", &[], read::store).by(&["sweep small.yaml --store store -o out.csv -j 1"]),
    Reader::new("words", "txt", &["tests/fuzz/corpus/words"], read::words),
    Reader::new("commands", "line", &[], |_| Verdict::Refused).share(10),
];

/// Commands that read traces of other tools.
const IMPORTED: &[&str] = &["trace import FILE -o out.nlt"];
