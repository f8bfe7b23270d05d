//! `numalab explain` from the command line.

use crate::support::{Desk, says};
use serde_json::Value;

/// Arguments of a run on a matrix that is larger than the caches, touched first by one thread.
const CG: [&str; 7] =
    ["cg.yaml", "--set", "workload.n=400000", "--set", "workload.nnz=56000000", "--set", "workload.steps=1"];

fn json(desk: &Desk, arguments: &[&str]) -> Value {
    let text = desk.answer(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

fn rows<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect("rows")
}

fn sum(rows: &[Value], field: &str) -> u64 {
    rows.iter().map(|row| row[field].as_u64().expect("a whole number")).sum()
}

#[test]
fn a_shared_counter_is_explained() {
    let text = Desk::empty().answer(&["explain", "bcs16", "loadbal", "-p", "dynamic"]);
    insta::with_settings!({ snapshot_path => "goldens", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("explain-bcs16-loadbal", text);
    });
}

/// `explain` accepts the placements that `sim` accepts: of all pages, and of one region.
#[test]
fn placements_are_explained() {
    let desk = Desk::empty();
    let ask = ["explain", "board:2 socket:2 core:4", "loadbal", "--only-blame"];
    let makespan = |placement: &[&str]| json(&desk, &[&ask[..], placement].concat())["makespan_ps"].as_u64();
    let interleaved = makespan(&["--placement", "interleave"]);
    assert_ne!(interleaved, makespan(&[]));
    assert_eq!(
        interleaved,
        makespan(&["--placement=a=interleave", "--placement=b=interleave", "--placement=c=interleave"])
    );
}

/// Law: A budget leaves out the same parts with any number of workers, and says so.
///
/// Changes within the budget have the makespans of the whole explanation.
#[test]
fn a_budget_leaves_out_the_same_parts_with_any_number_of_workers() {
    let desk = Desk::empty();
    let ask = ["explain", "board:2 socket:2 core:4", "loadbal", "-p", "dynamic"];
    let whole = json(&desk, &[&ask[..], &["--budget", "all"]].concat());
    assert!(whole["left_out"].is_null(), "{}", whole["left_out"]);
    let within = |budget: &str, jobs: &str| -> Value {
        let typed = [&ask[..], &["--format", "json", "--budget", budget, "-j", jobs]].concat();
        let done = desk.numalab(&typed).assert().success();
        serde_json::from_slice(&done.get_output().stdout).expect("JSON")
    };
    let some = within("10M", "1");
    assert_eq!(some, within("10M", "3"));
    assert!(some["left_out"]["changes"].as_u64().unwrap() > 0, "{}", some["left_out"]);
    let (some, all) = (rows(&some, "advice"), rows(&whole, "advice"));
    assert!(!some.is_empty() && some.len() < all.len(), "{} of {}", some.len(), all.len());
    let same = |advice: &&Value| all.iter().any(|one| one["makespan_ps"] == advice["makespan_ps"]);
    assert!(some.iter().all(|advice| same(&advice)));
}

/// The page begins with what one run shows. Its end and a note say what the budget left out and how to see it.
#[test]
fn blame_comes_first_and_the_end_says_what_is_missing() {
    let desk = Desk::empty();
    let ask = ["explain", "board:2 socket:2 core:4", "loadbal", "-p", "dynamic"];
    let blame = desk.answer(&[&ask[..], &["--only-blame"]].concat());
    assert_eq!(blame, desk.answer(&[&ask[..], &["--budget", "0"]].concat()));
    let whole = desk.answer(&[&ask[..], &["--budget", "all"]].concat());
    assert!(whole.starts_with(&blame) && !whole.contains("Left out"), "{whole}");
    let some = desk.numalab(&[&ask[..], &["--budget", "5M"]].concat()).assert().success();
    let some = some.get_output().clone();
    let text = String::from_utf8(some.stdout).unwrap();
    assert!(text.starts_with(&blame), "{text}");
    assert!(text.lines().last().unwrap().starts_with("Left out: "), "{text}");
    says(&String::from_utf8(some.stderr).unwrap(), &["note: the budget ended", "--budget all"]);
}

#[test]
fn sums_are_exact_and_jobs_change_nothing() {
    let desk = Desk::empty();
    let ask = ["explain", "board:2 socket:2 core:4", "loadbal", "--set", "workload.footprint=4 GB", "-j"];
    let explanation = json(&desk, &[&ask[..], &["1"]].concat());
    assert_eq!(explanation, json(&desk, &[&ask[..], &["3"]].concat()));
    let makespan = explanation["makespan_ps"].as_u64().unwrap();
    let threads = explanation["threads"].as_u64().unwrap();
    let blame = rows(&explanation, "blame");
    assert_eq!(sum(blame, "own_ps") + sum(blame, "waited_ps"), threads * makespan);
    assert_eq!(sum(blame, "path_ps"), makespan);
    let ideals = &explanation["ideals"];
    let shares: f64 = rows(ideals, "shares").iter().map(|share| share["share_ps"].as_f64().unwrap()).sum();
    let gained = makespan - ideals["ideal_ps"].as_u64().unwrap();
    assert!((shares - gained as f64).abs() < 1.0, "{shares} {gained}");
}

#[test]
fn changing_a_file_as_advised_gains_the_stated_time() {
    let text = include_str!("../workloads/cg.yaml").replace("default: nnz_balanced", "default: serial_init");
    let desk = Desk::with("cg.yaml", &text);
    let explanation = json(&desk, &[&["explain", "bcs16"], &CG[..]].concat());
    let advised = |words: &[&str]| {
        let has = |advice: &&Value| {
            let changes = rows(advice, "changes");
            let is = |word: &&str| changes.iter().any(|change| change.as_str().unwrap().contains(*word));
            changes.len() == words.len() && words.iter().all(is)
        };
        rows(&explanation, "advice").iter().find(has).unwrap_or_else(|| panic!("no {words:?}")).clone()
    };
    let both = advised(&["first touch in parallel", "split by cost"]);
    let how: Vec<&str> = rows(&both, "how").iter().map(|how| how.as_str().unwrap()).collect();
    says(
        &how.join("\n"),
        &["initialise-serial: { schedule: static }", "split_by: \"if(balanced, 1, n + i)\""],
    );
    // Follows the advice by hand: another schedule for the initialisation, `split_by` for the other loops.
    let changed = text
        .replacen("schedule: \"static,100000000\"", "schedule: static", 1)
        .replace("schedule: static\n", "schedule: static\n      split_by: if(balanced, 1, n + i)\n");
    desk.put("cg.yaml", &changed);
    let run = json(&desk, &[&["sim", "bcs16"], &CG[..], &["--no-sequential", "--no-series"]].concat());
    let (by_hand, promised) =
        (run["runs"][0]["makespan_ps"].as_f64().unwrap(), both["makespan_ps"].as_f64().unwrap());
    assert!((by_hand / promised - 1.0).abs() < 1e-3, "{by_hand} {promised}");
}

#[test]
fn other_formats_and_refusals() {
    let desk = Desk::empty();
    let ask = ["explain", "socket:2 core:2", "loadbal", "--set", "workload.footprint=64 MB", "--only-blame"];
    let markdown = desk.answer(&[&ask[..], &["--format", "markdown"]].concat());
    says(&markdown, &["| phase ", "| what "]);
    let csv = desk.answer(&[&ask[..], &["--format", "csv"]].concat());
    says(
        &csv,
        &["phase,kind,region,level,resource,class,waits_for,own_ps,waited_ps,path_ps", "work,computing,"],
    );
    says(&desk.refusal(&["explain", "bcs16", "fib", "-p", "static"]), &["consists of tasks"]);
    says(&desk.refusal(&["explain", "bcs16", "loadball"]), &["loadbal"]);
    says(&desk.refusal(&["explain", "bcs16", "loadbal", "-p", "statik"]), &["did you mean \"static\"?"]);
}

/// Bytes by region and node, and bytes by origin, both add up to the bytes that memory served.
#[test]
fn origins_add_up_and_a_report_is_written() {
    let desk = Desk::empty();
    let ask =
        ["explain", "board:2 socket:2 core:4", "loadbal", "--set", "workload.footprint=4 GB", "--only-blame"];
    let explanation = json(&desk, &ask);
    let pairs = |rows: &[Value], field: &str| -> u64 {
        let pairs = rows.iter().flat_map(|row| row[field].as_array().expect("pairs").clone());
        pairs.map(|pair| pair[1].as_u64().expect("bytes")).sum()
    };
    let (regions, origins) = (rows(&explanation, "region_bytes"), rows(&explanation, "origins"));
    assert_eq!(pairs(regions, "by_node"), pairs(origins, "steps"));
    let policy = explanation["policy"].as_str().unwrap();
    let run = json(&desk, &["sim", ask[1], ask[2], ask[3], ask[4], "-p", policy]);
    let levels = run["runs"][0]["bytes_by_level"].as_object().expect("levels");
    assert_eq!(pairs(regions, "by_node"), levels.values().filter_map(Value::as_u64).sum::<u64>());
    assert_eq!(regions.len(), 3);
    desk.answer(&[&ask[..], &["-o", "why.html"]].concat());
    let page = std::fs::read_to_string(desk.path().join("why.html")).unwrap();
    says(&page, &["<!DOCTYPE html>", "reasons-tree", "</html>"]);
    assert!(page.len() < 1_000_000);
}
