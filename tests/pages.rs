//! Pages of Markdown whose blocks show what the program prints: the README and the book.
//!
//! A block that begins with `$ numalab …` shows the output; a line `⋮` in it stands for omitted lines. Lines that
//! begin with `numalab …` are commands that must succeed. A block whose first line is `# NAME.yaml` or `# NAME.toml`
//! is a file for the commands below it.

use crate::published::VALIDATED;
use crate::support::{Desk, message, text};
use std::fs;
use std::path::Path;

/// Part of a page: the lines of a fenced block, or of the text between two blocks.
pub struct Part<'a> {
    /// The line that opens the block; `None` for text.
    pub fence: Option<&'a str>,
    /// Lines of the part, without the fences.
    pub lines: Vec<&'a str>,
}

/// Blocks and texts of a page, in order.
pub fn parts<'a>(name: &str, page: &'a str) -> Vec<Part<'a>> {
    let mut parts = vec![Part { fence: None, lines: Vec::new() }];
    for line in page.lines() {
        let inside = parts.last().unwrap().fence.is_some();
        if line.starts_with("```") {
            parts.push(Part { fence: (!inside).then_some(line), lines: Vec::new() });
        } else {
            parts.last_mut().unwrap().lines.push(line);
        }
    }
    assert!(parts.last().unwrap().fence.is_none(), "{name} has a block that does not end");
    parts
}

/// Words of a command, split as a shell does, up to a comment or the next shell operator.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    let ends = [" #", " > ", " | ", " || "];
    let end = ends.iter().filter_map(|end| command.find(end)).min().unwrap_or(command.len());
    for letter in command[..end].chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Executes a command; returns a description of the failure, or `None` if it succeeds.
pub fn failure(desk: &Desk, command: &str) -> Option<String> {
    let mut words = words(command);
    if command.starts_with("calibrate run") {
        // The full plan takes two minutes.
        words.push("--tiny".to_owned());
    }
    let arguments: Vec<_> = words.iter().map(String::as_str).collect();
    let mut typed = desk.numalab(&arguments);
    // The page's output must not depend on the variables of this computer.
    for name in ["OMP_NUM_THREADS", "OMP_PLACES", "OMP_PROC_BIND", "OMP_AFFINITY_FORMAT"] {
        typed.env_remove(name);
    }
    let output = typed.output().unwrap();
    (!output.status.success())
        .then(|| format!("numalab {command}: {}\n{}", output.status, message(&output.stderr)))
}

/// Standard output of a command, followed by its standard error; the command may fail.
fn output(desk: &Desk, command: &str) -> String {
    if command == "validate" {
        return VALIDATED.clone();
    }
    let words = words(command);
    let arguments: Vec<_> = words.iter().map(String::as_str).collect();
    let output = desk.numalab(&arguments).output().unwrap();
    text(&output.stdout) + &message(&output.stderr)
}

/// Beginning of a line up to its bar, parenthesis or colon, by which the line is recognised in another output.
fn about(line: &str) -> &str {
    line.find(['█', '▓', '░', '·', '(', ':']).map_or(line, |end| &line[..end])
}

fn is_gap(line: &&str) -> bool {
    line.trim() == "⋮"
}

/// Shortens an output to the lines that a block shows. The lines after a gap (`⋮`) are found by the beginning of the
/// first one ([`about`]). The last lines extend to the end of the output, unless a gap ends the block.
fn shorten(shown: &[&str], answer: &str) -> Vec<String> {
    let mut rest: Vec<_> = answer.trim_end().lines().collect();
    let mut kept: Vec<String> = Vec::new();
    let pieces: Vec<_> = shown.split(is_gap).collect();
    let mut gaps = shown.iter().filter(|&line| is_gap(line));
    for (at, piece) in pieces.iter().enumerate() {
        if at > 0 {
            kept.extend(gaps.next().map(|&gap| gap.to_owned()));
        }
        if let (Some(first), true) = (piece.first(), at > 0) {
            let found = rest.iter().position(|line| about(line) == about(first));
            rest.drain(..found.unwrap_or_else(|| panic!("nothing like {first:?} in:\n{answer}")));
        }
        let is_last = at + 1 == pieces.len();
        let length =
            if is_last && !(at > 0 && piece.is_empty()) { rest.len() } else { piece.len().min(rest.len()) };
        kept.extend(rest.drain(..length).map(str::to_owned));
    }
    kept
}

/// The page with present output in its blocks. Writes the files of its blocks to the desk and executes those commands
/// that `commands` selects.
pub fn refreshed(name: &str, page: &str, desk: &Desk, commands: Commands) -> Refreshed {
    let (mut shown, mut executed, mut failures) = (0, 0, Vec::new());
    let mut lines: Vec<String> = Vec::new();
    for part in parts(name, page) {
        let Some(fence) = part.fence else {
            lines.extend(part.lines.iter().map(|&line| line.to_owned()));
            continue;
        };
        lines.push(fence.to_owned());
        if let Some(file) = part.lines.first().and_then(|line| file_of(line)) {
            desk.put(file, &(part.lines.join("\n") + "\n"));
        }
        let found = part.lines.iter().enumerate().find_map(|(at, line)| {
            let starts = ["$ numalab ", "$ cargo run --release -- "];
            starts.iter().find_map(|start| line.strip_prefix(start)).map(|command| (at + 1, command))
        });
        if let Some((head, command)) = found {
            shown += 1;
            lines.extend(part.lines[..head].iter().map(|&line| line.to_owned()));
            lines.extend(shorten(&part.lines[head..], &output(desk, command)));
        } else {
            for command in part.lines.iter().filter_map(|line| line.strip_prefix("numalab ")) {
                if let (Commands::Executed, false) = (commands, command == "validate") {
                    failures.extend(failure(desk, command).map(|failure| format!("{name}: {failure}")));
                    executed += 1;
                }
            }
            lines.extend(part.lines.iter().map(|&line| line.to_owned()));
        }
        lines.push("```".to_owned());
    }
    Refreshed { page: lines.join("\n") + "\n", shown, executed, failures }
}

/// A page with present output, and a summary of its commands.
pub struct Refreshed {
    /// Text of the page, with present output in its blocks.
    pub page: String,
    /// Number of blocks that show output.
    pub shown: usize,
    /// Number of commands that were executed.
    pub executed: usize,
    /// Failed commands, each with its status and message.
    pub failures: Vec<String>,
}

/// Selects which commands of a page are executed.
#[derive(Clone, Copy)]
pub enum Commands {
    /// All commands of the page.
    Executed,
    /// Only the commands whose output a block shows.
    Left,
}

/// Name of the file that a block contains, if its first line gives one.
fn file_of(line: &str) -> Option<&str> {
    let name = line.strip_prefix("# ")?;
    let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter));
    (is_name && [".yaml", ".toml"].iter().any(|ending| name.ends_with(ending))).then_some(name)
}

/// Checks that a file has this text; `INSTA_UPDATE=always` writes it.
pub fn holds(file: &Path, should: &str) {
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
