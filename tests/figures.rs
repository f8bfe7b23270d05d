//! The page of all figures of the sources: its commands work, and its counts of published values are those of the scorecard.

use crate::pages::{failure, holds};
use crate::support::Desk;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of published values, each row with the figure that it is from.
const PUBLISHED: [&str; 6] = [
    include_str!("../reference/published.csv"),
    include_str!("../reference/published-more.csv"),
    include_str!("../reference/published-new.csv"),
    include_str!("../reference/published-tasks.csv"),
    include_str!("../reference/published-dsm.csv"),
    include_str!("../reference/published-dsm-new.csv"),
];

/// Parts of commands that take long, and what makes them short here. The page has the published sizes.
const SHORTER: [(&str, &str); 11] = [
    (" cg ", " --set workload.n=20000 --set workload.nnz=2000000 --set workload.steps=2 -t 16"),
    ("memory_go_around", " -t 16"),
    ("bfs", " --set workload.scale=10"),
    (
        "heat",
        " --set workload.rows=512 --set workload.columns=64 --set workload.leaves=64 --set workload.steps=2",
    ),
    ("health", " --set workload.days=1"),
    ("loadbal -p tasks", " --set workload.packages=256"),
    ("dsm_synthetic", " --set workload.n=20000 --set workload.rounds_of_loops=2"),
    ("sudoku --set", " --set workload.fields=12"),
    ("nas_bt", " --set workload.class=S"),
    ("nas_ft", " --set workload.class=S"),
    ("nas_cg", " --set workload.class=S"),
];

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/figures.md")
}

fn page() -> String {
    fs::read_to_string(file()).unwrap()
}

/// Rows of figures: the source of their section, and their cells.
fn figures(page: &str) -> Vec<(String, Vec<String>)> {
    let mut source = String::new();
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some((name, _)) = line.split_once(", a ").filter(|(name, _)| name.len() == 2) {
            source = name.to_owned();
        }
        let cells: Vec<String> =
            line.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned()).collect();
        if cells.len() == 6 && cells[0] != "figure" {
            rows.push((source.clone(), cells));
        }
    }
    rows
}

/// Labels such as `fig 4.2`, `fig 4.3` of `fig 4.2-4.3`, and `fig 3.7`, `fig 3.11` of `fig 3.7, 3.11`.
fn labels(name: &str) -> Vec<String> {
    let mut labels = Vec::new();
    let mut kind = "";
    for part in name.split(", ") {
        let (of, numbers) = part.split_once(' ').unwrap_or((kind, part));
        kind = of;
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let split = |number: &str| {
            let (chapter, number) = number.rsplit_once('.').unwrap_or(("", number));
            Some((chapter.to_owned(), number.parse::<u32>().ok()?))
        };
        let (Some((chapter, from)), Some((_, to))) = (split(first), split(last)) else { continue };
        let dot = if chapter.is_empty() { "" } else { "." };
        labels.extend((from..=to).map(|number| format!("{kind} {chapter}{dot}{number}")));
    }
    labels
}

/// True if a name matches a pattern in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|tail| {
            (0..=tail.len()).any(|at| tail.is_char_boundary(at) && matches(rest, &tail[at..]))
        }),
    }
}

/// Values of the scorecard: name, error in per cent if there is one, and whether it is within its limit.
fn values(scorecard: &str) -> Vec<(String, Option<f64>, bool)> {
    let from = scorecard.find("## Every value").expect("the table of every value");
    let rows = scorecard[from..].lines().filter(|line| line.ends_with("✓ |") || line.ends_with("✗ |"));
    let value = |line: &str| {
        let name = line.trim_matches(['|', ' ']).split(" | ").next().unwrap_or_default().to_owned();
        let error = line.split(" | ").find_map(|cell| cell.trim().strip_suffix('%')?.parse::<f64>().ok());
        (name, error.map(f64::abs), line.ends_with("✓ |"))
    };
    rows.map(value).collect()
}

/// A cell of published values, with present counts.
fn counted(cell: &str, values: &[(String, Option<f64>, bool)]) -> String {
    let Some((patterns, _)) = cell.rsplit_once(": ") else { return cell.to_owned() };
    let all = || patterns.split(", ").map(|pattern| pattern.trim_matches('`'));
    let known: Vec<_> =
        values.iter().filter(|(name, ..)| all().any(|pattern| matches(pattern, name))).collect();
    if known.is_empty() {
        return format!("{patterns}: not simulated");
    }
    let within = known.iter().filter(|(.., within)| *within).count();
    let mut errors: Vec<f64> = known.iter().filter_map(|(_, error, _)| *error).collect();
    errors.sort_by(f64::total_cmp);
    let median = match errors.len() {
        0 => String::new(),
        many if many % 2 == 1 => format!(", {:.1}%", errors[many / 2]),
        many => format!(", {:.1}%", (errors[many / 2 - 1] + errors[many / 2]) / 2.0),
    };
    format!("{patterns}: {within} of {}{median}", known.len())
}

/// Law: The page of figures counts the values of the scorecard.
///
/// `INSTA_UPDATE=always` rewrites the counts.
#[test]
fn counts_are_those_of_the_scorecard() {
    let scorecard = fs::read_to_string(file().with_file_name("accuracy.md")).unwrap();
    let values = values(&scorecard);
    assert!(values.len() > 600, "only {} values", values.len());
    let page = page();
    let mut fresh = page.clone();
    for (_, cells) in figures(&page) {
        fresh = fresh.replace(&format!("| {} |", cells[4]), &format!("| {} |", counted(&cells[4], &values)));
    }
    holds(&file(), &fresh);
}

/// Every figure with published values has a row, and every pattern of a row has a value that is published.
#[test]
fn every_published_figure_has_a_row() {
    let page = page();
    let rows = figures(&page);
    assert!(rows.len() > 70, "only {} figures", rows.len());
    let known: BTreeSet<(String, String)> = rows
        .iter()
        .flat_map(|(source, cells)| labels(&cells[0]).into_iter().map(move |label| (source.clone(), label)))
        .collect();
    let mut names = BTreeSet::new();
    for file in PUBLISHED {
        for row in file.lines().skip(1) {
            let mut cells = row.split(',').map(|cell| cell.trim_matches('"'));
            names.insert(cells.next().unwrap_or_default().to_owned());
            let Some((source, place)) = cells.next().and_then(|cell| cell.split_once(' ')) else { continue };
            for kind in ["fig ", "tab "] {
                let Some(at) = place.find(kind).filter(|_| ["T1", "S1", "S2", "S4"].contains(&source)) else {
                    continue;
                };
                let number: String =
                    place[at + 4..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
                let label = format!("{kind}{number}");
                // Clusters and the techniques of loops are described in tables without a figure of their own.
                let described = ["tab 2.1", "tab 3.1", "tab 7.1", "tab 7.2", "tab 7.3"].contains(&&*label)
                    && source == "S4";
                assert!(
                    described || known.contains(&(source.to_owned(), label.clone())),
                    "{source} {label}: no row"
                );
            }
        }
    }
    for (source, cells) in &rows {
        for pattern in cells[4].rsplit_once(": ").map_or("", |(patterns, _)| patterns).split(", ") {
            let pattern = pattern.trim_matches('`');
            let any = pattern.is_empty() || names.iter().any(|name| matches(pattern, name));
            assert!(any, "{source} {}: nothing is called {pattern}", cells[0]);
        }
        assert_eq!(cells[3] == "-", cells[2] == "not", "{source} {}: a command, or none", cells[0]);
    }
}

/// Every command of the page runs at a small size, and as it stands if that takes a second or two.
#[test]
fn every_command_of_a_figure_works() {
    let desk = Desk::empty();
    for name in ["distance-bcs16.csv", "distance-fujitsu8.csv", "tnt-mg8.csv"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference").join(name);
        desk.put(&format!("reference/{name}"), &fs::read_to_string(from).unwrap());
    }
    let page = page();
    let mut commands = BTreeSet::new();
    for (_, cells) in figures(&page) {
        commands.extend(
            cells[3].split('`').skip(1).step_by(2).map(|code| code.trim_start_matches("numalab ").to_owned()),
        );
    }
    assert!(commands.len() > 60, "only {} commands", commands.len());
    let mut failures = Vec::new();
    for command in commands {
        // All programs of this machine take minutes.
        let command = match &*command {
            "validate --machine opteron4" | "validate --machine opteron4 --experiment npb_sp" => {
                "validate --machine opteron4 --experiment thread_placement".to_owned()
            }
            _ => command,
        };
        let shorter = SHORTER.iter().find(|(part, _)| command.contains(part) && command.starts_with("sim"));
        let shorter = shorter.map_or("", |(_, flags)| flags);
        // A value that the page sets is not set twice, and a series over threads has no team.
        let flags =
            if command.contains("threads=") { shorter.replace(" -t 16", "") } else { shorter.to_owned() };
        failures.extend(failure(&desk, &format!("{command}{flags}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn ranges_of_figures_are_all_their_figures() {
    assert_eq!(labels("fig 4.2-4.4"), ["fig 4.2", "fig 4.3", "fig 4.4"]);
    assert_eq!(labels("fig 5.2, 5.3, 5.8"), ["fig 5.2", "fig 5.3", "fig 5.8"]);
    assert_eq!(labels("tab 5.1, fig 5.11"), ["tab 5.1", "fig 5.11"]);
    assert_eq!(labels("fig 1, 2"), ["fig 1", "fig 2"]);
    assert!(labels("false sharing").is_empty());
    assert!(matches("migr.*.even.*", "migr.snb.even.nt") && !matches("a.*", "b.a.c"));
}
