//! Command lines: the examples that each command gives in its help, with other flags and other values.

use crate::borders::NAMES;
use crate::chance::Chance;
use crate::mutate::WORDS;
use clap::{Arg, Command};

/// Files of the folder in which command lines run, by what they hold. Names that examples use are small there.
pub const FILES: &[(&str, &str)] = &[
    (
        "tests/fixtures/pair.toml",
        "pair.toml bcs16.toml machines/bcs16.toml machines/hp8.toml machines/altix-uv.toml machines/s6030.toml my-machine.toml host.toml",
    ),
    (
        "tests/fixtures/sweep.yaml",
        "work.yaml workloads/loadbal.yaml workloads/stream.yaml workloads/cg.yaml workloads/matvec.yaml workloads/fib.yaml",
    ),
    ("tests/fuzz/corpus/sweeps/small.yaml", "small.yaml sweeps/policies.yaml"),
    ("runtimes/plain.toml", "runtime.toml"),
    ("tests/fixtures/compare/before.csv", "results.csv before.csv a.csv"),
    ("tests/fixtures/compare/after.jsonl", "after.jsonl after.csv"),
    ("tests/fuzz/corpus/rows/small.parquet", "results.parquet before.parquet"),
    ("tests/fuzz/corpus/run/small.json", "run.json"),
    ("tests/fuzz/corpus/grains/tasks.csv", "grains.csv"),
    ("tests/fuzz/corpus/recording/nqueens.nlt", "prog.nlt"),
    ("tests/fuzz/corpus/raw/loop.raw", "raw/loop.raw"),
    ("tests/fixtures/pair.jsonl", "host.jsonl known.jsonl"),
    ("reference/tnt-mg8.csv", "counts.csv"),
    ("reference/distance-hp8.csv", "measured.csv here.txt"),
    ("crates/imports/tests/data/topology/one-socket.xml", "lstopo.xml"),
];

/// Commands whose work is to measure this computer or to repeat all published measurements; their flags are checked
/// with `--help` only.
const LONG: &[&str] = &["calibrate run", "validate", "record"];

/// Flags that name a file or folder to write.
const WRITTEN: &[&str] = &["output", "svg", "trace", "dot", "junit", "markdown", "nested", "keep"];

/// Lines of the corpus: each command alone, and its examples.
pub fn examples() -> Vec<String> {
    let mut lines = Vec::new();
    for (path, command) in commands() {
        lines.push(path.clone());
        let help = command.get_after_help().map(|text| text.to_string()).unwrap_or_default();
        for line in help.lines().filter_map(|line| line.trim().strip_prefix("numalab ")) {
            // What follows in a pipe, a redirection or a comment is not of the command.
            let end = line.find([';', '|', '>', '$']).unwrap_or(line.len());
            let end = line[..end].find("   ").unwrap_or(end);
            let whole = shlex::split(&line[..end]).is_some();
            if whole && !LONG.iter().any(|long| line.starts_with(long)) && line.starts_with(&path) {
                lines.push(line[..end].trim().to_owned());
            }
        }
    }
    lines.push("record --raw raw -o new.nlt -- prog".to_owned());
    lines.push("validate host.jsonl --machine host.toml".to_owned());
    lines.push("sim pair.toml work.yaml --no-series -t 2".to_owned());
    // On these something failed.
    lines.push("new machine mine '--output=\u{9b}2J'".to_owned());
    lines.push("sim pair.toml work.yaml '--set=\u{9b}2J'".to_owned());
    lines
}

/// All commands without subcommands, with the words that name them.
fn commands() -> Vec<(String, Command)> {
    let mut program = numalab_cli::command();
    program.build();
    let mut found = Vec::new();
    let mut open = vec![(String::new(), program)];
    while let Some((path, command)) = open.pop() {
        let below: Vec<_> =
            command.get_subcommands().filter(|below| below.get_name() != "help").cloned().collect();
        if below.is_empty() || path == "record" {
            found.push((path.clone(), command));
        }
        open.extend(
            below.into_iter().map(|below| (format!("{path} {}", below.get_name()).trim().to_owned(), below)),
        );
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// A command line with up to four changes of an example; true if it certainly makes no sense.
pub fn drawn(example: &str, chance: &mut Chance) -> (Vec<String>, bool) {
    let mut words = shlex::split(example).unwrap_or_default();
    let all = commands();
    let of = |path: &str| {
        words.len() >= path.split(' ').count() && path.split(' ').zip(&words).all(|(a, b)| a == b)
    };
    let Some((path, command)) = all.iter().filter(|(path, _)| of(path)).max_by_key(|(path, _)| path.len())
    else {
        return (words, false);
    };
    let begin = path.split(' ').count();
    let arguments: Vec<&Arg> =
        command.get_arguments().filter(|arg| !["help", "version"].contains(&arg.get_id().as_str())).collect();
    let mut nonsense = false;
    for _ in 0..chance.below(5) {
        // A later change could remove what makes no sense.
        if nonsense {
            break;
        }
        // Programs that are to run stand behind "--".
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        match chance.below(10) {
            0 if end > begin => drop(words.remove(begin + chance.below(end - begin))),
            1 if end > begin => words[begin + chance.below(end - begin)] = any(chance),
            2 => {
                words.insert(end, "--nonsense".to_owned());
                nonsense = true;
            }
            _ if arguments.is_empty() => {}
            _ => {
                let (added, wrong) = argument(arguments[chance.below(arguments.len())], chance);
                words.splice(end..end, added);
                nonsense = wrong;
            }
        }
    }
    if LONG.iter().any(|long| path == long)
        && !words.iter().any(|word| word == "--raw" || word == "host.jsonl")
    {
        words.push("--help".to_owned());
        return (words, false);
    }
    nonsense &= words.iter().all(|word| !["--help", "-h", "-V", "--version"].contains(&word.as_str()));
    (words, nonsense)
}

/// A flag with a value, or a positional argument; true if it certainly makes no sense.
fn argument(arg: &Arg, chance: &mut Chance) -> (Vec<String>, bool) {
    let name = arg.get_long().map(|long| format!("--{long}"));
    if !arg.get_action().takes_values() {
        return (name.into_iter().collect(), false);
    }
    let (value, wrong) = value(arg, chance);
    let words = match name {
        Some(name) if chance.odds(1, 2) || value.starts_with('-') => vec![format!("{name}={value}")],
        Some(name) => vec![name, value],
        None => vec![value],
    };
    (words, wrong && arg.get_long().is_some())
}

fn value(arg: &Arg, chance: &mut Chance) -> (String, bool) {
    let pick = |from: &[&str], chance: &mut Chance| chance.pick(from).to_owned();
    let hint = arg.get_value_names().and_then(<[_]>::first).map(|name| name.to_string()).unwrap_or_default();
    let possible = arg.get_possible_values();
    let long = arg.get_long().unwrap_or_default();
    match hint.as_str() {
        _ if chance.odds(1, 12) => (any(chance), false),
        // Names of the catalogue are possible values, too, but long runs.
        _ if !possible.is_empty() && possible.len() < 12 => match chance.below(4) {
            0 => (
                "nonsense".to_owned(),
                arg.get_long().is_none_or(|long| long != "policy" && long != "placement"),
            ),
            _ => (possible[chance.below(possible.len())].get_name().to_owned(), false),
        },
        "N" => match chance.below(3) {
            0 => (pick(&["nan", "-1", "1e3", "0x10", "1.5", "99999999999999999999", "", " "], chance), true),
            1 => (
                pick(
                    &[
                        "0",
                        "3",
                        "255",
                        "256",
                        "4095",
                        "65535",
                        "65536",
                        "4294967295",
                        "4294967296",
                        "18446744073709551615",
                    ],
                    chance,
                ),
                false,
            ),
            _ => (pick(&["1", "2", "4"], chance), false),
        },
        _ if WRITTEN.contains(&long) || hint == "FOLDER" => match chance.below(3) {
            0 => (pick(&["/dev/full", "machines", "no/such/folder/out.csv", "pair.toml/x"], chance), false),
            1 => (pick(&["-", "new.csv", "new.json", "new.parquet", "new.prv", "new"], chance), false),
            _ => (
                pick(&["new.svg", "new.html", "new.jsonl", "new.md", "new.pftrace", "new.nlt"], chance),
                false,
            ),
        },
        "FILE" | "DIR" | "MACHINE" | "WORKLOAD" | "RUNTIME" | "RESULTS" | "MEASUREMENTS" | "TABLE" | "A"
        | "B" | "SWEEP" => match chance.below(6) {
            0 => (
                pick(&["missing.csv", "machines", "", "/dev/null", "pair.toml/x", "missing/x"], chance),
                false,
            ),
            1 => (pick(&["socket:2 core:2", "core:1", "socket:0", "plain", "pair"], chance), false),
            _ => {
                let (_, names) = FILES[chance.below(FILES.len())];
                (names.split(' ').next().unwrap_or_default().to_owned(), false)
            }
        },
        _ => match chance.below(3) {
            0 => (pick(NAMES, chance), false),
            1 => (
                pick(
                    &[
                        "threads=1,2",
                        "machine.memory.latency=x2",
                        "workload.pieces=4",
                        "1%",
                        "0-3",
                        "{0},{1}",
                        "2:1:2",
                        "static,dynamic",
                        "makespan",
                        "threads",
                        "policy=static",
                        "1/2",
                        "100 us..1 ms",
                        "close",
                    ],
                    chance,
                ),
                false,
            ),
            _ => (any(chance), false),
        },
    }
}

fn any(chance: &mut Chance) -> String {
    let word = if chance.odds(1, 2) { chance.pick(WORDS) } else { chance.pick(NAMES) };
    // The system takes no such word.
    let word = word.replace('\0', "\u{1}");
    if chance.odds(1, 2) {
        word
    } else {
        word.replace("\\u001b", "\u{1b}").replace("\\n", "\n").replace("\\u009b", "\u{9b}")
    }
}
