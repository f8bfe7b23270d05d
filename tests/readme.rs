//! Examples in the README are what the program prints, and every command in it works.
//!
//! `INSTA_UPDATE=always cargo test` rewrites the README and docs/accuracy.md (the scorecard), like the goldens.

use crate::pages::{Commands, failure, holds, parts, refreshed};
use crate::published::{SCORECARD, VALIDATED};
use crate::support::Desk;
use std::fs;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// A temporary folder with the files that the README's commands use.
fn desk() -> Desk {
    let desk = Desk::empty();
    desk.put("reference/distance-bcs16.csv", include_str!("../reference/distance-bcs16.csv"));
    desk.put("reference/tnt-mg8.csv", include_str!("../reference/tnt-mg8.csv"));
    desk.put("before.csv", include_str!("fixtures/compare/before.csv"));
    desk.put("after.jsonl", include_str!("fixtures/compare/after.jsonl"));
    desk
}

/// The README with present output in each block that begins with a command.
fn with_real_output(readme: &str) -> String {
    let fresh = refreshed("README.md", readme, &desk(), Commands::Left);
    assert!(fresh.shown >= 2, "only {} blocks with output", fresh.shown);
    fresh.page
}

/// A page with the present error in each row about a published value.
pub fn with_real_errors(readme: &str) -> String {
    let lines = readme.lines().map(|line| {
        let mut errors = errors();
        let Some((id, error, _)) = errors.find(|(id, ..)| line.starts_with(&format!("| `{id}` | "))) else {
            return line.to_owned();
        };
        let why = line.splitn(4, '|').nth(3).unwrap_or_default();
        format!("| `{id}` | {error} |{why}")
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Rows of `numalab validate`: name, error as text, and true if the error exceeds its limit.
fn errors() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    VALIDATED.lines().filter(|line| line.ends_with(['✓', '✗'])).map(|line| {
        let mut words = line.split_whitespace();
        let id = words.next().unwrap();
        // A row about an order has no error in per cent.
        (id, words.find(|word| word.ends_with('%')).unwrap_or("-"), line.ends_with('✗'))
    })
}

/// The README shows the present output; `INSTA_UPDATE=always` rewrites it.
#[test]
fn it_shows_real_output() {
    let readme = fs::read_to_string(file()).unwrap();
    let should = with_real_output(&readme);
    holds(&file(), &should);
}

/// Law: The scorecard is printed by this version.
///
/// `INSTA_UPDATE=always` rewrites the scorecard.
#[test]
fn the_scorecard_is_of_this_program() {
    holds(&file().with_file_name("docs/accuracy.md"), &SCORECARD);
}

#[test]
fn every_command_works() {
    let readme = fs::read_to_string(file()).unwrap();
    let desk = desk();
    let parts = parts("README.md", &readme);
    let (blocks, text): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.fence.is_some());
    let lists = blocks.iter().flat_map(|part| &part.lines).filter_map(|line| line.strip_prefix("numalab "));
    // Blocks between fences are not code within a line.
    let inline = text.iter().flat_map(|part| &part.lines).flat_map(|line| line.split('`').skip(1).step_by(2));
    let inline = inline.filter_map(|code| code.strip_prefix("numalab "));
    let mut count = 0;
    for command in lists.chain(inline).filter(|command| *command != "validate") {
        assert_eq!(failure(&desk, command), None);
        count += 1;
    }
    assert!(count > 10, "only {count} commands");
}

#[test]
fn every_value_beyond_its_limit_is_explained() {
    assert!(errors().count() > 30);
    for (id, error, _) in errors().filter(|(_, _, off)| *off) {
        // The table shortens long names, so that a name may be only a prefix.
        assert!(SCORECARD.contains(&format!("| {id}")), "docs/accuracy.md does not explain {id} ({error})");
    }
}
