//! The golden file of counts, and the comparison with it.

use crate::count::{COLUMNS, Counts};
use crate::runs::{RUNS, Size};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::{env, fs};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden.txt");

/// Counts of the golden file by name of the run.
type Known = BTreeMap<String, Counts>;

/// Compares counts with those of the golden file; returns a message for each run that differs. `INSTA_UPDATE=always`
/// replaces them.
pub fn check(counted: &[(&str, Result<Counts, String>)]) -> Vec<String> {
    let updating = env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always");
    let mut known = read(&fs::read_to_string(FILE).unwrap_or_default());
    let mut failures = Vec::new();
    for (name, counts) in counted {
        match counts {
            Err(reason) => failures.push(format!("{name} {reason}")),
            Ok(counts) => match compare(name, known.get(*name), counts) {
                Some(_) if updating => drop(known.insert((*name).to_owned(), *counts)),
                difference => failures.extend(difference),
            },
        }
    }
    if updating {
        fs::write(FILE, table(&known)).expect("the folder of the golden file can be written");
        return failures;
    }
    let strays = known.keys().filter(|name| RUNS.iter().all(|run| run.name != **name));
    failures.extend(
        strays.map(|name| format!("tests/counted/golden.txt has a row {name}, and there is no such run")),
    );
    let uncounted = RUNS.iter().filter(|run| counted.iter().all(|(name, _)| *name != run.name));
    failures.extend(uncounted.filter(|run| !known.contains_key(run.name)).map(|run| missing(run.name)));
    failures
}

/// Message with the counts beyond their tolerance, and the command that accepts them; `None` if all counts are within
/// their tolerance.
fn compare(name: &str, known: Option<&Counts>, counts: &Counts) -> Option<String> {
    let Some(known) = known else { return Some(missing(name)) };
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
            "\n  {column}: {} instead of {}, {factor:.3} times",
            grouped(count),
            grouped(known)
        );
        if tolerance > 0.0 {
            let _ = write!(message, " (up to {:.0} % passes)", tolerance * 100.0);
        }
    }
    let advice = match (more, less) {
        (false, false) => return None,
        (true, false) => "does more work than it did. Find out why; if that is meant, raise the golden",
        (false, true) => "does less work than it did. Lower the golden, so that the gain is kept",
        (true, true) => "does more of one and less of another. If both are meant, change the golden",
    };
    Some(format!("{name} {advice}:{message}\n  {}", update(name)))
}

fn missing(name: &str) -> String {
    format!("{name} has no row in tests/counted/golden.txt:\n  {}", update(name))
}

/// Command that replaces a run's counts in the golden file.
fn update(name: &str) -> String {
    let large = RUNS.iter().any(|run| run.name == name && run.size == Size::Large);
    let release = if large { " --release" } else { "" };
    format!("INSTA_UPDATE=always cargo run{release} --bin counted -- {name}")
}

/// Counts by name of the run in the text of a golden file; lines of other forms are ignored.
fn read(text: &str) -> Known {
    let row = |line: &str| {
        let (name, counts) = line.split_once(' ')?;
        let counts = counts.split_whitespace().map(|count| count.replace('_', "").parse().ok());
        Some((name.to_owned(), counts.collect::<Option<Vec<u64>>>()?.try_into().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// Text of the golden file, with rows in the order of `RUNS`.
fn table(known: &Known) -> String {
    let mut text =
        String::from("# Work of the engine in fixed runs: see main.rs. Written by INSTA_UPDATE=always.\n\n");
    let head = COLUMNS.map(|(column, _)| column.to_owned());
    let tolerances = COLUMNS.map(|(_, tolerance)| format!("{:.0}%", tolerance * 100.0));
    let rows = RUNS.iter().filter_map(|run| Some((run.name, known.get(run.name)?.map(grouped))));
    for (name, cells) in [("run", head), ("tolerance", tolerances)].into_iter().chain(rows) {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>15}")).collect();
        let _ = writeln!(text, "{name:<26}{cells}");
    }
    text
}

/// Number with its digits in groups of three.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message has the old count, the new count and their factor; counts within their tolerance are not named.
    #[test]
    fn differences_are_told() {
        let known = [1000, 2_000_000, 0, 5, 5, 100, 100];
        assert_eq!(compare("r", Some(&known), &[1000, 2_000_000, 0, 5, 5, 103, 97]), None);
        let says = |counts: &Counts, parts: &[&str]| {
            let message = compare("r", Some(&known), counts).unwrap();
            parts.iter().for_each(|part| assert!(message.contains(part), "{part:?} in {message}"));
        };
        let more = [1000, 2_000_001, 0, 5, 5, 104, 100];
        says(&more, &["r does more work", "solver-visits: 2_000_001 instead of 2_000_000, 1.000 times\n"]);
        says(&more, &["allocated-bytes: 104 instead of 100, 1.040 times (up to 3 % passes)", "-- r"]);
        says(
            &[999, 2_000_000, 0, 5, 5, 100, 100],
            &["r does less work", "events: 999 instead of 1_000, 0.999"],
        );
        says(&[1000, 2_000_000, 1, 5, 4, 100, 100], &["r does more of one and less of another"]);
        assert!(compare("r", None, &known).unwrap().contains("no row"));
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let known = Known::from([(RUNS[0].name.to_owned(), [0, 1, 12, 123, 1234, 1_234_567, u64::MAX])]);
        assert_eq!(read(&table(&known)), known);
    }
}
