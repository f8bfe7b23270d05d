//! Flags of the command line must not occur in libraries.

use super::{MAY_USE, root, sources};
use std::collections::BTreeSet;
use std::fs;

/// Exceptions: sources that start other programs, read their output, or make command lines of this program. Each has
/// the flags that it may contain, and the reason.
const FLAGS_IN_LIBRARIES: [(&str, &[&str], &str); 9] = [
    ("calibrate/src/run.rs", &["--tiny"], "what the kernels are started with"),
    ("imports/src/foreign/mlc/take.rs", &["--latency_matrix"], "Intel's Memory Latency Checker"),
    ("imports/src/foreign/tool.rs", &["--hardware"], "numactl"),
    ("imports/src/matrix/mod.rs", &["--hardware"], "numactl"),
    ("imports/src/topology/hwloc/mod.rs", &["--of"], "lstopo"),
    ("files/src/overrides.rs", &["--set", "--series"], "results record where a value was said"),
    ("sweep/src/slurm/answers.rs", &["--me", "--noheader", "--array", "--format"], "squeue"),
    ("sweep/src/slurm/process.rs", &["--clusters"], "squeue"),
    (
        "sweep/src/slurm/job.rs",
        &[
            "--parsable",
            "--array",
            "--requeue",
            "--open-mode",
            "--job-name",
            "--chdir",
            "--output",
            "--slurm",
            "--store",
            "--collect",
            "--plan",
            "--jobs",
            "--sbatch-arg",
            "--cpus-per-task",
            "--shard",
        ],
        "sbatch, and the script that starts this program",
    ),
];

#[test]
fn libraries_name_no_flags_of_the_command_line() {
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for (name, _) in MAY_USE.iter().filter(|(name, _)| *name != "cli") {
        for file in sources(&root().join("crates").join(name).join("src")) {
            let path = file.to_string_lossy().replace('\\', "/");
            if path.ends_with("/tests.rs") || path.contains("/tests/") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for literal in literals(code) {
                for flag in flags(&literal) {
                    let known = FLAGS_IN_LIBRARIES.iter().find(|known| {
                        path.ends_with(&format!("crates/{}", known.0)) && known.1.contains(&flag)
                    });
                    match known {
                        Some(known) => drop(used.insert((known.0, flag.to_owned()))),
                        None => problems.push(format!(
                            "{path}: {flag}: return the error as a value; crates/cli/src/hints says what to type"
                        )),
                    }
                }
            }
        }
    }
    for (path, flags, what) in FLAGS_IN_LIBRARIES {
        for flag in flags.iter().filter(|flag| !used.contains(&(path, (**flag).to_owned()))) {
            problems.push(format!("{path} ({what}) has no {flag}: remove it from the list"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Texts in quotes in Rust code, without those in comments.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '/', '\'', 'r']) {
        let (before, from) = rest.split_at(at);
        let word = before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let hashes = from[1..].len() - from[1..].trim_start_matches('#').len();
        rest = if from.starts_with("//") {
            from.split_once('\n').map_or("", |(_, rest)| rest)
        } else if from.starts_with("/*") {
            from.split_once("*/").map_or("", |(_, rest)| rest)
        } else if from.starts_with('r')
            && (!word || before.ends_with('b'))
            && from[1 + hashes..].starts_with('"')
        {
            let end = format!("\"{}", "#".repeat(hashes));
            let (text, rest) = from[2 + hashes..].split_once(&end).unwrap_or_default();
            found.push(text.to_owned());
            rest
        } else if let Some(from) = from.strip_prefix('"') {
            let mut escaped = false;
            let end = from.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let (text, rest) = from.split_at(end.unwrap_or(from.len()));
            found.push(text.to_owned());
            rest.strip_prefix('"').unwrap_or_default()
        } else if from.starts_with("'\"'") || from.starts_with("'/'") || from.starts_with("'r'") {
            &from[3..]
        } else if from.starts_with("'\\") {
            // An escaped character, possibly a quote.
            from.get(3..).unwrap_or_default()
        } else {
            &from[1..]
        };
    }
    found
}

/// Words of a text that begin with `--` and a letter.
fn flags(text: &str) -> Vec<&str> {
    let begins = text.match_indices("--").map(|(at, _)| at);
    begins
        .filter(|&at| !text[..at].ends_with('-'))
        .filter_map(|at| {
            let name = &text[at + 2..];
            let end = name.find(|c: char| !(c.is_ascii_lowercase() || "-_".contains(c)));
            let name = &name[..end.unwrap_or(name.len())];
            name.starts_with(|c: char| c.is_ascii_lowercase()).then(|| &text[at..at + 2 + name.len()])
        })
        .collect()
}

#[test]
fn the_reader_of_literals_sees_texts_and_nothing_else() {
    let code = "a(\"--one \\\" --two\"); // \"--no\"\n b('\"', r#\"--three \" --four\"#, '\\''); /* \"--no\" */ \"-- --- x\"";
    let found: Vec<String> = literals(code).iter().flat_map(|text| flags(text)).map(str::to_owned).collect();
    assert_eq!(found, ["--one", "--two", "--three", "--four"]);
}
