//! What the README shows is what the program prints, and every command in it works.
//!
//! `INSTA_UPDATE=always cargo test` rewrites the README as it does the goldens. A line `⋮` in a block stands
//! for lines that are left out. Tables below `<!-- accuracy: HEADING -->` are those of docs/accuracy.md, the scorecard,
//! which is rewritten likewise.

use crate::goldens::{SCORECARD, VALIDATED};
use crate::support::{Desk, message, text};
use std::fs;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// A folder with the files that the README's commands use.
fn desk() -> Desk {
    let mut machine = include_str!("fixtures/pair.toml").to_owned();
    for (right, wrong) in [
        ("link = \"wire\"", "link = \"wier\""),
        ("clock = \"2 GHz\"", "clock = \"2 GB\""),
        ("latency = \"80 ns\"", "latancy = \"80 ns\""),
    ] {
        assert!(machine.contains(right));
        machine = machine.replace(right, wrong);
    }
    let desk = Desk::with("bad.toml", &machine);
    desk.put("reference/distance-bcs16.csv", include_str!("../reference/distance-bcs16.csv"));
    desk.put("reference/tnt-mg8.csv", include_str!("../reference/tnt-mg8.csv"));
    desk.put("before.csv", include_str!("fixtures/compare/before.csv"));
    desk.put("after.jsonl", include_str!("fixtures/compare/after.jsonl"));
    desk
}

/// Blocks of code, each as its lines, and what is between them. Blocks are at the odd places.
fn parts(readme: &str) -> Vec<Vec<&str>> {
    let mut parts = vec![Vec::new()];
    for line in readme.lines() {
        if line == "```" {
            parts.push(Vec::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(line);
        }
    }
    assert!(parts.len() % 2 == 1, "README.md has a block that does not end");
    parts
}

/// The words of a command, as a shell would have them; a comment ends it.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.split(" #").next().unwrap().chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a command says, on success or not.
fn output(desk: &Desk, command: &str) -> String {
    if command == "validate" {
        return VALIDATED.clone();
    }
    let words = words(command);
    let arguments: Vec<_> = words.iter().map(String::as_str).collect();
    let output = desk.numalab(&arguments).output().unwrap();
    text(&output.stdout) + &message(&output.stderr)
}

/// What a line is about: everything before its bar or its numbers.
fn about(line: &str) -> &str {
    line.find(['█', '▓', '░', '·', '(', ':']).map_or(line, |end| &line[..end])
}

fn is_gap(line: &&str) -> bool {
    line.trim() == "⋮"
}

/// The part of an answer that a block shows. What follows a gap is found by what its first line is about; the
/// last piece goes on to the end.
fn shorten(shown: &[&str], answer: &str) -> Vec<String> {
    let mut rest: Vec<_> = answer.trim_end().lines().collect();
    let mut kept: Vec<String> = Vec::new();
    let pieces: Vec<_> = shown.split(is_gap).collect();
    let mut gaps = shown.iter().filter(|&line| is_gap(line));
    for (at, piece) in pieces.iter().enumerate() {
        if let (Some(first), true) = (piece.first(), at > 0) {
            let found = rest.iter().position(|line| about(line) == about(first));
            rest.drain(..found.unwrap_or_else(|| panic!("nothing like {first:?} in:\n{answer}")));
            kept.extend(gaps.next().map(|&gap| gap.to_owned()));
        }
        let length = if at + 1 == pieces.len() { rest.len() } else { piece.len().min(rest.len()) };
        kept.extend(rest.drain(..length).map(str::to_owned));
    }
    kept
}

/// All blocks that begin with a command, with what it says now.
fn with_real_output(readme: &str) -> String {
    let desk = desk();
    let mut blocks = 0;
    let mut fresh = |part: &Vec<&str>| {
        let found = part.iter().enumerate().find_map(|(at, line)| {
            let starts = ["$ numalab ", "$ cargo run --release -- "];
            starts.iter().find_map(|start| line.strip_prefix(start)).map(|command| (at + 1, command))
        });
        let Some((head, command)) = found else { return part.join("\n") };
        blocks += 1;
        let shown = shorten(&part[head..], &output(&desk, command));
        [part[..head].join("\n"), shown.join("\n")].join("\n")
    };
    let parts: Vec<_> = parts(readme)
        .iter()
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { fresh(part) } else { part.join("\n") })
        .collect();
    assert!(blocks > 3, "only {blocks} blocks with output");
    parts.join("\n```\n") + "\n"
}

/// All rows about a published value, with its error as it is now.
fn with_real_errors(readme: &str) -> String {
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

/// All tables of the scorecard, as they are now.
fn with_real_scores(readme: &str) -> String {
    let mut lines = readme.lines().peekable();
    let mut fresh = String::new();
    while let Some(line) = lines.next() {
        fresh += &format!("{line}\n");
        let Some(heading) = line.strip_prefix("<!-- accuracy: ").and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
        let below = SCORECARD.lines().skip_while(|line| *line != format!("## {heading}"));
        let table = below.skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        let before = fresh.len();
        table.for_each(|line| fresh += &format!("{line}\n"));
        assert!(fresh.len() > before, "the scorecard has no table {heading:?}");
    }
    fresh
}

/// Of every row of `numalab validate` its name, its error, and whether that is beyond the limit.
fn errors() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    VALIDATED.lines().filter(|line| line.ends_with(['✓', '✗'])).map(|line| {
        let mut words = line.split_whitespace();
        let id = words.next().unwrap();
        // An order has none.
        (id, words.find(|word| word.ends_with('%')).unwrap_or("-"), line.ends_with('✗'))
    })
}

/// The README is as it should be, or is made so where that was asked for.
#[test]
fn it_shows_real_output() {
    let readme = fs::read_to_string(file()).unwrap();
    let should = with_real_scores(&with_real_errors(&with_real_output(&readme)));
    holds(&file(), &should);
}

/// The scorecard is as it should be, or is made so where that was asked for.
#[test]
fn the_scorecard_is_of_this_program() {
    holds(&file().with_file_name("docs/accuracy.md"), &SCORECARD);
}

fn holds(file: &Path, should: &str) {
    let text = fs::read_to_string(file).unwrap_or_default();
    if text != should && std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        return fs::write(file, should).unwrap();
    }
    let name = file.file_name().unwrap_or_default().display();
    for (number, (is, should)) in text.lines().zip(should.lines()).enumerate() {
        assert_eq!(is, should, "{name}:{}: shown (left) and real", number + 1);
    }
    assert_eq!(text, should, "{name} ends too early or too late");
}

#[test]
fn every_command_works() {
    let readme = fs::read_to_string(file()).unwrap();
    let desk = desk();
    let parts = parts(&readme);
    let lists = parts.iter().skip(1).step_by(2).flatten().filter_map(|line| line.strip_prefix("numalab "));
    // A block does not count as code inside a line.
    let text: Vec<_> = parts.iter().step_by(2).flatten().collect();
    let inline = text.iter().flat_map(|line| line.split('`').skip(1).step_by(2));
    let inline = inline.filter_map(|code| code.strip_prefix("numalab "));
    let mut count = 0;
    for command in lists.chain(inline).filter(|command| *command != "validate") {
        let mut words = words(command);
        if command.starts_with("calibrate run") {
            // In earnest it takes two minutes.
            words.push("--tiny".to_owned());
        }
        let arguments: Vec<_> = words.iter().map(String::as_str).collect();
        let mut command = desk.numalab(&arguments);
        // Somebody's environment is not the README's.
        for name in ["OMP_NUM_THREADS", "OMP_PLACES", "OMP_PROC_BIND", "OMP_AFFINITY_FORMAT"] {
            command.env_remove(name);
        }
        command.assert().success();
        count += 1;
    }
    assert!(count > 20, "only {count} commands");
}

#[test]
fn every_value_beyond_its_limit_is_explained() {
    let readme = fs::read_to_string(file()).unwrap();
    assert!(errors().count() > 30);
    for (id, error, _) in errors().filter(|(_, _, off)| *off) {
        // The table cuts long names.
        assert!(readme.contains(&format!("| {id}")), "README.md does not explain {id} ({error})");
    }
}
