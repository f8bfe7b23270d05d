//! Checks of the dependencies and restrictions that `ARCHITECTURE.md` states.

mod circles;
mod document;
mod extension;
mod flags;
mod modules;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every crate, with the crates of this workspace that it may depend on. A new dependency is a decision: make it in
/// this table first.
const MAY_USE: [(&str, &[&str]); 30] = [
    ("base", &[]),
    ("counts", &[]),
    ("tours", &[]),
    ("des", &["base"]),
    ("machine", &["base"]),
    ("memory", &["base", "machine"]),
    ("workload", &["base"]),
    ("openmp", &["base", "des", "workload"]),
    ("coherence", &["base", "des", "machine"]),
    ("dsm", &["base", "counts", "machine"]),
    ("runtime", &["base", "des", "machine", "workload", "coherence"]),
    ("results", &["counts"]),
    (
        "simulator",
        &["base", "counts", "des", "machine", "memory", "workload", "openmp", "coherence", "dsm", "runtime"],
    ),
    ("syntax", &["base"]),
    ("nlt", &["base", "workload"]),
    // `files` writes parameters of machines and runtimes as text and declares the names in expressions of workloads.
    ("files", &["base", "machine", "workload", "runtime", "results", "syntax"]),
    // A replay takes overrides and facts as workload files do.
    ("replay", &["base", "workload", "syntax", "nlt", "files"]),
    // A workload file names recordings, and a recording's name means its replay.
    ("lower", &["base", "machine", "workload", "runtime", "results", "syntax", "files", "replay"]),
    ("recorder", &["syntax", "nlt", "replay"]),
    ("imports", &["base", "machine", "results", "syntax", "files"]),
    ("traces", &["base", "machine", "results", "syntax", "nlt", "replay"]),
    ("result_files", &["base", "results", "syntax"]),
    (
        "study",
        &[
            "base",
            "des",
            "machine",
            "workload",
            "openmp",
            "runtime",
            "simulator",
            "results",
            "syntax",
            "files",
            "replay",
            "lower",
        ],
    ),
    ("calibrate", &["base", "machine", "runtime", "files", "lower", "imports", "study"]),
    (
        "validation",
        &[
            "base",
            "des",
            "tours",
            "machine",
            "workload",
            "openmp",
            "runtime",
            "simulator",
            "results",
            "files",
            "replay",
            "lower",
            "imports",
            "study",
            "calibrate",
        ],
    ),
    ("sweep", &["workload", "openmp", "results", "machine", "syntax", "files", "study"]),
    (
        "explain",
        &["base", "des", "machine", "workload", "openmp", "runtime", "simulator", "results", "study"],
    ),
    ("report", &["base", "machine", "workload", "runtime", "results"]),
    // Pictures show numbers as tables do.
    ("draw", &["base", "machine", "results", "report"]),
    (
        "cli",
        &[
            "tours",
            "machine",
            "workload",
            "openmp",
            "coherence",
            "runtime",
            "results",
            "syntax",
            "files",
            "replay",
            "lower",
            "imports",
            "traces",
            "result_files",
            "study",
            "calibrate",
            "validation",
            "nlt",
            "recorder",
            "sweep",
            "explain",
            "report",
            "draw",
        ],
    ),
];

/// Crates of the simulation. They open no file, print nothing and cannot be serialised.
const CORE: [&str; 11] = [
    "base",
    "counts",
    "des",
    "machine",
    "memory",
    "workload",
    "openmp",
    "coherence",
    "dsm",
    "runtime",
    "simulator",
];

/// Crates in which a match names every variant of an enum. A new variant does not compile until every match has
/// decided about it.
const NO_WILDCARDS: [&str; 12] = [
    "base",
    "counts",
    "tours",
    "des",
    "machine",
    "memory",
    "workload",
    "openmp",
    "coherence",
    "dsm",
    "runtime",
    "simulator",
];

/// Lint attribute that the `lib.rs` of each of `NO_WILDCARDS` has.
const NO_WILDCARDS_LINT: &str =
    "#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]";

/// Words that must not occur in sources of the core, each with the reason.
const NEVER_IN_THE_CORE: [(&str, &str); 9] = [
    ("std::fs", "files, replay, imports, traces and result_files are the only readers of files"),
    ("std::env", "no crate reads a global; say it in the machine or the workload"),
    ("std::time", "simulated time is the only time"),
    ("println!", "results are returned, never printed"),
    ("print!(", "results are returned, never printed"),
    ("serde", "file types live in files, output records in results"),
    ("static mut", "no crate reads a global"),
    ("thread_local!", "no crate reads a global"),
    ("OnceLock", "no crate reads a global"),
];

#[test]
fn crates_depend_only_downwards() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        MAY_USE.iter().map(|(name, uses)| (*name, uses.iter().copied().collect())).collect();
    let mut problems = Vec::new();
    for name in crates() {
        let Some(allowed) = allowed.get(name.as_str()) else {
            problems.push(format!("{name} is not in the table of tests/architecture.rs"));
            continue;
        };
        for used in dependencies(&name).iter().filter_map(|name| name.strip_prefix("numalab-")) {
            if !allowed.contains(used) {
                problems.push(format!("{name} may not depend on {used}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_first_line_of_a_crate_is_a_sentence() {
    for name in crates() {
        let text = fs::read_to_string(root().join("crates").join(&name).join("src/lib.rs")).unwrap();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let sentence = first.strip_prefix("//! ").unwrap_or_default();
        assert!(sentence.ends_with('.'), "{name}: {first:?} does not say what the crate is");
        let next = lines.next().unwrap_or_default();
        assert!(!next.starts_with("//! "), "{name}: the first line is not a paragraph of its own: {next}");
    }
}

#[test]
fn every_allowed_edge_is_used() {
    let mut unused = Vec::new();
    for (name, allowed) in MAY_USE {
        let used = dependencies(name);
        let idle = allowed.iter().filter(|allowed| !used.contains(&format!("numalab-{allowed}")));
        unused.extend(idle.map(|allowed| format!("{name} -> {allowed}")));
    }
    assert!(unused.is_empty(), "allowed, and in no manifest: {unused:?}");
}

#[test]
fn the_table_itself_has_no_cycle() {
    // Crates are listed before those that use them.
    let mut known = BTreeSet::new();
    for (name, uses) in MAY_USE {
        assert!(uses.iter().all(|used| known.contains(used)), "{name} uses a crate listed below it");
        known.insert(name);
    }
}

/// Law: The core does not reach serde.
#[test]
fn the_core_does_not_reach_serde() {
    let lock: toml::Table = fs::read_to_string(root().join("Cargo.lock")).unwrap().parse().unwrap();
    let mut uses: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock["package"].as_array().unwrap() {
        let names = package.get("dependencies").and_then(|list| list.as_array()).into_iter().flatten();
        // "name" or "name version": packages of one name and several versions count as one.
        let names = names.filter_map(|name| name.as_str()?.split(' ').next());
        uses.entry(package["name"].as_str().unwrap()).or_default().extend(names);
    }
    for name in CORE {
        let direct = dependencies(name).into_iter().filter(|used| !used.starts_with("numalab-"));
        let mut reached: Vec<String> = direct.collect();
        let mut at = 0;
        while at < reached.len() {
            let used = reached[at].clone();
            assert!(used != "serde" && used != "serde_core", "{name} reaches serde by way of {reached:?}");
            for next in uses.get(used.as_str()).into_iter().flatten() {
                if !reached.iter().any(|known| known == next) {
                    reached.push((*next).to_owned());
                }
            }
            at += 1;
        }
    }
}

#[test]
fn engine_crates_have_no_io_or_globals() {
    let mut problems = Vec::new();
    for file in CORE.iter().flat_map(|name| sources(&root().join("crates").join(name).join("src"))) {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            for (word, reason) in NEVER_IN_THE_CORE {
                if line.contains(word) {
                    problems.push(format!("{}:{}: {word}: {reason}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Law: A match over an enum of the core names every variant.
#[test]
fn a_match_over_an_enum_names_every_variant() {
    let mut problems = Vec::new();
    for name in NO_WILDCARDS {
        let sources = sources(&root().join("crates").join(name).join("src"));
        for file in sources {
            let text = fs::read_to_string(&file).unwrap();
            if file.ends_with(format!("{name}/src/lib.rs"))
                && !text.lines().any(|line| line == NO_WILDCARDS_LINT)
            {
                problems.push(format!("{}: expected {NO_WILDCARDS_LINT}", file.display()));
            }
            if text.contains("allow(clippy::wildcard") || text.contains("allow(clippy::match_wildcard") {
                problems
                    .push(format!("{}: name the variants instead of allowing a wildcard", file.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut paths = Vec::new();
    for folder in [".ci", "crates", "tests", "machines", "workloads", "reference", "docs"] {
        walk(&root().join(folder), &mut paths);
    }
    paths.extend(
        ["clippy.toml", "README.md", "CONTRIBUTING.md", "python", "python/build-and-test"]
            .map(|name| format!("/{name}")),
    );
    // Every second piece stands between backticks. A path has a slash, or a known ending of file names.
    let quoted = text.split('`').skip(1).step_by(2);
    let named = quoted.filter(|name| {
        let is_file = [".rs", ".md", ".toml", ".yaml"].iter().any(|ending| name.ends_with(ending));
        (is_file || name.contains('/')) && !name.starts_with('/') && !name.contains([' ', '\n'])
    });
    let known =
        |name: &&str| paths.iter().any(|path| path.ends_with(&format!("/{}", name.trim_end_matches('/'))));
    let (found, missing): (Vec<&str>, Vec<&str>) = named.partition(known);
    assert!(missing.is_empty(), "no such file or folder: {missing:?}");
    assert!(found.len() > 30, "{} paths", found.len());
}

/// Paths of all files and folders below a folder.
pub fn walk(folder: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, paths);
        }
        paths.push(path.to_string_lossy().replace('\\', "/"));
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn crates() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Names of the crates in `[dependencies]` and `[build-dependencies]`. Dependencies of tests are not restricted.
fn dependencies(name: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    ["dependencies", "build-dependencies"]
        .iter()
        .filter_map(|section| manifest.get(*section)?.as_table())
        .flat_map(|table| table.keys().cloned())
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
