//! Outliers of work per event, and the file of the known ones.

use super::cases::Case;
use super::measure::Measured;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::{env, fs};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/outliers.txt");

/// Largest work per event of a case, in medians of its machine.
pub const MOST: u64 = 4;

/// Relative change of a known value that passes.
const TOLERANCE: f64 = 0.1;

/// Command that rewrites the file. Reasons of known rows are kept.
const UPDATE: &str = "INSTA_UPDATE=always cargo run --bin counted -- --kinds";

/// Name of a case, or of a machine, with its work per event and a reason.
type Known = BTreeMap<String, (u64, String)>;

/// Compares medians and outliers with those of the file; returns a message for each difference.
pub fn check(measured: &[(&Case, Measured)]) -> Vec<String> {
    let known = read(&fs::read_to_string(FILE).unwrap_or_default());
    let mut found =
        outliers(measured.iter().map(|(case, one)| (case.machine, case.to_string(), one.per_event())));
    if env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
        for (name, (_, reason)) in &mut found {
            if let Some((_, known)) = known.get(name) {
                reason.clone_from(known);
            }
        }
        fs::write(FILE, table(&found)).expect("the folder of the file can be written");
        return unexplained(&found);
    }
    compare(&known, &found)
}

/// Median of each machine, and the cases above [`MOST`] times it.
fn outliers(cases: impl Iterator<Item = (&'static str, String, u64)>) -> Known {
    let mut by_machine: BTreeMap<&str, Vec<(String, u64)>> = BTreeMap::new();
    for (machine, case, work) in cases {
        by_machine.entry(machine).or_default().push((case, work));
    }
    let mut found = Known::new();
    for (machine, cases) in by_machine {
        let middle = median(cases.iter().map(|(_, work)| *work).collect());
        let high = cases.into_iter().filter(|(_, work)| *work > MOST * middle);
        found.extend(high.map(|(case, work)| (case, (work, String::new()))));
        found.insert(machine.to_owned(), (middle, "median".to_owned()));
    }
    found
}

pub fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

fn compare(known: &Known, found: &Known) -> Vec<String> {
    let mut messages = unexplained(known);
    for (name, (work, _)) in found {
        let Some((before, _)) = known.get(name) else {
            messages.push(format!(
                "{name} takes {work} of work per event, more than {MOST} times the median of its machine. Find out why; \
                 if that is meant, list it with a reason:\n  {UPDATE}"
            ));
            continue;
        };
        if work.abs_diff(*before) as f64 > TOLERANCE * *before as f64 {
            let advice = match work > before {
                true => "Find out why; if that is meant, raise the limit",
                false => "Lower the limit, so that the gain is kept",
            };
            messages.push(format!(
                "{name} takes {work} of work per event instead of {before}. {advice}:\n  {UPDATE}"
            ));
        }
    }
    let mended = known.keys().filter(|name| !found.contains_key(*name));
    messages.extend(mended.map(|name| format!("{name} is no outlier any more. Drop its row:\n  {UPDATE}")));
    messages
}

/// Messages for rows without a reason.
fn unexplained(known: &Known) -> Vec<String> {
    let rows = known.iter().filter(|(_, (_, reason))| reason.is_empty());
    rows.map(|(name, _)| {
        format!("tests/counted/outliers.txt gives no reason for {name}; write it behind the number")
    })
    .collect()
}

/// Rows of the text of a file; lines of other forms are ignored.
fn read(text: &str) -> Known {
    let row = |line: &str| {
        let (name, rest) = line.split_once(": ")?;
        let (work, reason) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((name.trim().to_owned(), (work.parse().ok()?, reason.to_owned())))
    };
    text.lines().filter_map(row).collect()
}

fn table(known: &Known) -> String {
    let mut text = String::from(
        "# Work per event of cases above 4 times the median of their machine, and the reason. Work is counted in visits of\n\
         # the solver; an event itself is 32. See CONTRIBUTING.md.\n\n",
    );
    for (name, (work, reason)) in known {
        let _ = writeln!(text, "{}", format!("{name}: {work} {reason}").trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(last: u64) -> Known {
        let cases =
            [("m", "a m", 10), ("m", "b m", 11), ("m", "c m", 12), ("m", "d m", 44), ("m", "e m", last)];
        outliers(cases.into_iter().map(|(machine, case, work)| (machine, case.to_owned(), work)))
    }

    #[test]
    fn cases_above_four_medians_are_outliers() {
        assert_eq!(found(48), Known::from([("m".to_owned(), (12, "median".to_owned()))]));
        assert_eq!(found(49).get("e m"), Some(&(49, String::new())));
    }

    #[test]
    fn a_new_a_grown_and_a_mended_outlier_are_told() {
        let says = |known: &Known, found: &Known, part: &str| {
            let messages = compare(known, found);
            assert!(messages.len() == 1 && messages[0].contains(part), "{part:?} in {messages:?}");
        };
        let explained = |mut known: Known| {
            known.values_mut().for_each(|(_, reason)| *reason = "it must be".to_owned());
            known
        };
        assert_eq!(compare(&explained(found(100)), &found(109)), Vec::<String>::new());
        says(&found(48), &found(49), "e m takes 49 of work per event, more than 4 times");
        says(&explained(found(100)), &found(111), "e m takes 111 of work per event instead of 100. Find out");
        says(&explained(found(100)), &found(89), "Lower the limit");
        says(&explained(found(100)), &found(48), "e m is no outlier any more");
        says(&found(100), &found(100), "gives no reason for e m");
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        assert_eq!(read(&table(&found(100))), found(100));
    }
}
