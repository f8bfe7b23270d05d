//! Advice of `numalab explain`, followed literally: flags are typed, lines are written into the workload file.

use crate::support::Desk;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A run, and the remedies that its advice must contain.
struct Asked<'a> {
    inputs: [&'a str; 2],
    set: &'a [&'a str],
    policy: &'a str,
    /// Each remedy as words that its changes contain. It must be among the advice, and gain when followed by hand.
    remedies: &'a [&'a [&'a str]],
}

const FIRST_TOUCH: &str = "first touch in parallel";

const ASKED: [Asked<'_>; 7] = [
    Asked {
        inputs: ["bcs16", "cg"],
        set: &[
            "workload.variant=serial_init",
            "workload.n=400000",
            "workload.nnz=56000000",
            "workload.steps=1",
        ],
        policy: "static",
        // Published remedies: initialise in parallel; balance by non-zeros.
        remedies: &[&[FIRST_TOUCH], &[FIRST_TOUCH, "split by cost"]],
    },
    Asked {
        inputs: ["bcs16", "matvec"],
        set: &["workload.products=20", "workload.n=2048", "workload.numa_balancing=off"],
        policy: "static",
        remedies: &[&[FIRST_TOUCH]],
    },
    Asked {
        inputs: ["bcs16", "migration_daxpy"],
        set: &["workload.accesses=3"],
        policy: "static",
        remedies: &[&[FIRST_TOUCH], &["all pages: interleave"]],
    },
    Asked {
        inputs: ["bcs16", "false_sharing"],
        set: &["workload.stores=100"],
        policy: "static",
        remedies: &[&["elements 64 bytes apart"]],
    },
    Asked {
        inputs: ["bcs16", "epcc"],
        set: &["workload.construct=barrier", "workload.executions=50", "runtime.barrier.kind=central"],
        policy: "static",
        remedies: &[&["barriers hierarchical"], &["barriers tree"], &["barriers dissemination"]],
    },
    Asked {
        inputs: ["bcs16", "locks"],
        set: &["workload.executions=256", "workload.kind=test-and-set"],
        policy: "static",
        remedies: &[&["lock mcs in warm-up, hand-over"], &["lock ticket in warm-up, hand-over"]],
    },
    Asked {
        inputs: ["board:2 socket:2 core:4", "loadbal"],
        set: &["workload.footprint=4 GB"],
        policy: "dynamic",
        remedies: &[&["schedule numa-steal:most-loaded"], &["schedule tasks:locality"]],
    },
];

fn json(desk: &Desk, words: &[&str]) -> Value {
    serde_json::from_str(&desk.answer(&[words, &["--format", "json"]].concat())).expect("JSON")
}

fn texts<'a>(value: &'a Value, name: &str) -> Vec<&'a str> {
    value[name].as_array().expect("texts").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// Advice as a user follows it: flags for the command line, and the changed workload file. `None` if the advice is
/// prose.
fn by_hand(how: &[&str], file: &str) -> Option<(Vec<String>, String)> {
    let (mut words, mut file) = (Vec::new(), file.to_owned());
    for how in how {
        if how.starts_with("--") {
            let prose = how.contains(", and in the loop");
            words.extend(shlex::split(how).filter(|_| !prose)?);
            continue;
        }
        let (place, piece) = how.split_once(": {")?;
        let (key, value) = piece.strip_suffix('}')?.split_once(':')?;
        let (key, value) = (key.trim(), value.trim());
        let place = place.strip_prefix("in the ")?;
        if let Some((_, phases)) = place.split_once("construct of ") {
            assert!(!phases.is_empty());
            file = match key {
                "lock" => file.replace("lock: kind", &format!("lock: {value}")),
                _ => spaced(&file, value)?,
            };
        } else {
            let phases = place.strip_prefix("loop of phase ").or(place.strip_prefix("loops of "))?;
            file = phases.split(", ").try_fold(file, |file, phase| in_loop(&file, phase, key, value))?;
        }
    }
    Some((words, file))
}

/// The file with `key: value` in the loop of a phase, replacing the key if present.
fn in_loop(file: &str, phase: &str, key: &str, value: &str) -> Option<String> {
    let start = file.find(&format!("  - name: {phase}\n"))?;
    let end = file[start + 1..].find("\n  - name: ").map_or(file.len(), |end| start + 1 + end);
    let own = |line: &&str| !line.starts_with(&format!("      {key}:"));
    let block: String = file[start..end].split_inclusive('\n').filter(own).collect();
    let block = block.replacen("    loop:\n", &format!("    loop:\n      {key}: {value}\n"), 1);
    Some(format!("{}{block}{}", &file[..start], &file[end..]))
}

/// The file with another value of `spacing`, a key that its constructs share.
fn spaced(file: &str, update: &str) -> Option<String> {
    let spacing = update.strip_prefix("{ ")?.strip_suffix(" }")?;
    let start = file.find("spacing: ")?;
    let quoted = file[start..].find('"').map(|open| start + open + 1)?;
    let end = quoted + file[quoted..].find('"')? + 1;
    Some(format!("{}{spacing}{}", &file[..start], &file[end..]))
}

/// Law: Advice gains by hand what it promises.
///
/// Every change with flags or lines to type gains by hand what was promised. The published remedies are among the
/// changes.
#[test]
fn advice_gains_equal_manual_changes() {
    for Asked { inputs: [machine, workload], set, policy, remedies } in ASKED {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("workloads");
        let file = fs::read_to_string(folder.join(workload).with_extension("yaml")).unwrap();
        let desk = Desk::with("changed.yaml", &file);
        let set: Vec<&str> = set.iter().flat_map(|value| ["--set", value]).collect();
        let explanation = json(
            &desk,
            &[&["explain", machine, "changed.yaml", "-p", policy, "--budget", "all"], &set[..]].concat(),
        );
        let whole = explanation["makespan_ps"].as_f64().unwrap();
        let mut done: Vec<(Vec<&str>, f64)> = Vec::new();
        for advice in explanation["advice"].as_array().unwrap() {
            let (changes, how) = (texts(advice, "changes"), texts(advice, "how"));
            let Some((flags, changed)) = by_hand(&how, &file) else { continue };
            desk.put("changed.yaml", &changed);
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            let policy = if flags.contains(&"--policy") { &[][..] } else { &["-p", policy] };
            let alone = ["--no-sequential", "--no-series"];
            let sim = [&["sim", machine, "changed.yaml"], &set[..], policy, &alone, &flags].concat();
            let run = json(&desk, &sim);
            let [gain, promised] = [
                1.0 - run["runs"][0]["makespan_ps"].as_f64().unwrap() / whole,
                advice["gain"].as_f64().unwrap(),
            ];
            println!("{workload} {changes:?}: {promised:.4} promised, {gain:.4} by hand");
            assert!((gain / promised - 1.0).abs() < 0.1, "{workload} {how:?}: {gain} {promised}");
            done.push((changes, gain));
        }
        for words in remedies {
            let is = |(changes, gain): &&(Vec<&str>, f64)| {
                let has = |word: &&str| changes.iter().any(|change| change.contains(word));
                changes.len() == words.len() && words.iter().all(has) && *gain > 0.03
            };
            assert!(done.iter().any(|one| is(&one)), "{workload}: no {words:?} in {done:?}");
        }
    }
}
