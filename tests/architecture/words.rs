//! Checks the project's English: first words of comments and of lines of the changelog.

use super::{root, sources};
use std::fs;

/// First words of sentences whose subject is a clause. Such sentences are to begin with a noun.
const NOT_AN_OPENING: [&str; 7] = ["Who", "Whoever", "Whose", "What", "How", "Nobody", "Somebody"];

/// First word of a comment line if the line begins a sentence; otherwise `None`. `before` is the line before.
fn opening<'a>(line: &'a str, before: &str) -> Option<&'a str> {
    let text = ["///", "//!"].iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
    let before = before.trim();
    // A line that goes on with a sentence may begin with any word.
    let goes_on = before.starts_with("//") && !before.ends_with(['.', ':', '/', '!', '|', '`']);
    if goes_on { None } else { text.split_whitespace().next() }
}

#[test]
fn comments_begin_with_the_thing_they_are_about() {
    let mut problems = Vec::new();
    for file in ["crates", "tests", "benches"].iter().flat_map(|folder| sources(&root().join(folder))) {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |before| lines[before]);
            if opening(line, before).is_some_and(|word| NOT_AN_OPENING.contains(&word)) {
                problems.push(format!("{}:{}: {}", file.display(), at + 1, line.trim()));
            }
        }
    }
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    for line in changelog.lines().filter_map(|line| line.strip_prefix("- ")) {
        if NOT_AN_OPENING.contains(&line.split_whitespace().next().unwrap_or_default()) {
            problems.push(format!("CHANGELOG.md: {line}"));
        }
    }
    assert!(problems.is_empty(), "begin with a noun of the field instead:\n{}", problems.join("\n"));
}

#[test]
fn lines_inside_a_sentence_may_begin_with_any_word() {
    assert_eq!(opening("    /// Who asks.", ""), Some("Who"));
    assert_eq!(opening("/// What it is.", "/// A thing."), Some("What"));
    assert_eq!(opening("/// What it is.", "/// A thing, and"), None);
}
