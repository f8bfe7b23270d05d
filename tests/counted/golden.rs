//! The counts that are known, and the comparison with them.

use crate::NAMES;
use crate::run::{COLUMNS, Counts, Run, counts};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::{env, fs};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/counted/golden.txt");

/// Tests of one process rewrite the file one at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// Rows by the name of the run.
type Known = BTreeMap<String, Counts>;

/// Compares a run's counts with those that are known, or takes them over where `INSTA_UPDATE=always` says so.
pub fn check(name: &str, run: impl FnOnce() -> Run) {
    let Some(counts) = counts(name, run) else { return };
    let difference = |known: &Known| compare(name, known.get(name), &counts);
    if updating() {
        // Counts that may differ a little stay as they are, so that only news is in the file's history.
        return update(|known| {
            if difference(known).is_some() {
                known.insert(name.to_owned(), counts);
            }
        });
    }
    if let Some(message) = difference(&known()) {
        panic!("{message}");
    }
}

/// The same switch as for all goldens.
fn updating() -> bool {
    env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always")
}

fn known() -> Known {
    read(&fs::read_to_string(FILE).unwrap_or_default())
}

/// Changes the file.
fn update(change: impl FnOnce(&mut Known)) {
    let _writing = WRITING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut known = known();
    change(&mut known);
    fs::write(FILE, table(&known)).expect("the folder of the test can be written");
}

/// Says which counts differ by more than their tolerance, and what to do then.
fn compare(name: &str, known: Option<&Counts>, counts: &Counts) -> Option<String> {
    let update = "INSTA_UPDATE=always cargo test --test counted";
    let Some(known) = known else {
        return Some(format!(
            "{name} has no row in tests/counted/golden.txt yet: {update} -- {name} --include-ignored"
        ));
    };
    let mut message = String::new();
    let (mut more, mut less) = (false, false);
    for ((&(column, tolerance), &known), &count) in COLUMNS.iter().zip(known).zip(counts) {
        if count.abs_diff(known) as f64 <= tolerance * known as f64 {
            continue;
        }
        more |= count > known;
        less |= count < known;
        let factor = count as f64 / known.max(1) as f64;
        let _ = write!(
            message,
            "\n  {column}: {} in place of {}, {factor:.3} times",
            grouped(count),
            grouped(known)
        );
        if tolerance > 0.0 {
            let _ = write!(message, " (within {:.0} % passes)", tolerance * 100.0);
        }
    }
    let advice = match (more, less) {
        (false, false) => return None,
        (true, false) => "does more work than it did. Find out why; if that is meant, raise the golden",
        (false, true) => "does less work than it did. Lower the golden, so that the gain is kept",
        (true, true) => "does more of one and less of another. If both are meant, change the golden",
    };
    Some(format!("{name} {advice}:{message}\n{update} -- {name} --include-ignored"))
}

/// Rows of a name and its counts. Others are text.
fn read(text: &str) -> Known {
    let row = |line: &str| {
        let (name, counts) = line.split_once(' ')?;
        let counts: Option<Vec<u64>> =
            counts.split_whitespace().map(|count| count.replace('_', "").parse().ok()).collect();
        Some((name.to_owned(), counts?.try_into().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// The file: the runs that there are, in their order.
fn table(known: &Known) -> String {
    let mut text =
        String::from("# Work of the engine in fixed runs: see main.rs. Written by INSTA_UPDATE=always.\n\n");
    let head = COLUMNS.map(|(column, _)| column.to_owned());
    let tolerances = COLUMNS.map(|(_, tolerance)| format!("{:.0}%", tolerance * 100.0));
    let rows = NAMES.iter().filter_map(|name| Some((*name, known.get(*name)?.map(grouped))));
    for (name, cells) in [("run", head), ("tolerance", tolerances)].into_iter().chain(rows) {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>16}")).collect();
        let _ = writeln!(text, "{name:<26}{cells}");
    }
    text
}

/// Digits in groups of three.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("_")
}

/// Every row belongs to a run, and every run has a row, also those that are too large for every day.
#[test]
fn rows_and_runs_go_together() {
    if updating() {
        // Rows without a run go; runs without a row write theirs.
        return update(|_| ());
    }
    let mut names = NAMES.to_vec();
    names.sort_unstable();
    assert_eq!(known().keys().collect::<Vec<_>>(), names);
}

/// What differs by more than it may is named, with both values and the factor; what may differ a little, may.
#[test]
fn differences_are_told() {
    let known = [1000, 2_000_000, 0, 5, 5, 100, 100];
    assert_eq!(compare("r", Some(&known), &[1000, 2_000_000, 0, 5, 5, 103, 97]), None);
    let says = |counts: &Counts, parts: &[&str]| {
        let message = compare("r", Some(&known), counts).expect("a difference");
        parts.iter().for_each(|part| assert!(message.contains(part), "{part:?} in {message}"));
    };
    let more = [1000, 2_000_001, 0, 5, 5, 104, 100];
    says(&more, &["r does more work", "solver-visits: 2_000_001 in place of 2_000_000, 1.000 times\n"]);
    says(&more, &["allocated-bytes: 104 in place of 100, 1.040 times (within 3 % passes)"]);
    says(&[999, 2_000_000, 0, 5, 5, 100, 100], &["r does less work", "events: 999 in place of 1_000, 0.999"]);
    says(&[1000, 2_000_000, 1, 5, 4, 100, 100], &["r does more of one and less of another"]);
    assert!(compare("r", None, &known).expect("no row").contains("no row"));
}

/// What is written is read.
#[test]
fn a_table_is_read_as_it_was_written() {
    let known = Known::from([(NAMES[0].to_owned(), [0, 1, 12, 123, 1234, 1_234_567, u64::MAX])]);
    assert_eq!(read(&table(&known)), known);
}
