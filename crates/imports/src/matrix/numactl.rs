//! Output of `numactl --hardware` (or `-H`): processors of each node, and a section of distances.
//!
//! ```text
//! available: 3 nodes (0-1,8)
//! node 0 cpus: 0 1 2 3
//! node 1 cpus: 4 5 6 7
//! node 8 cpus:
//! node 0 size: 16037 MB
//! node distances:
//! node   0   1   8
//!   0:  10  21  40
//!   1:  21  10  40
//!   8:  40  40  10
//! ```
//!
//! Node numbers may have gaps. Nodes without processors are memory-only.

use numalab_files::DistanceMatrix;
use numalab_syntax::cells::{Cell, counted, trimmed_lines, words};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};

/// Range of Linux' distances: from a node to itself, and unreachable.
const LEAST: f64 = 10.0;
const MOST: f64 = 255.0;

const TITLE: &str = "node distances:";

/// True if a text looks like output of `numactl --hardware`.
pub fn printed(text: &str) -> bool {
    trimmed_lines(text).any(|line| line.text.starts_with("available:") || line.text == TITLE)
}

pub fn read(text: &str) -> Result<DistanceMatrix, Vec<Diagnostic>> {
    let lines: Vec<Cell<'_>> = trimmed_lines(text).filter(|line| !line.text.is_empty()).collect();
    let end = lines.last().map_or(TextRange::default(), |line| line.span);
    let refused = |span, message: &str, label: &str| Err(vec![Diagnostic::new(span, message, label)]);
    let Some(title) = lines.iter().position(|line| line.text == TITLE) else {
        return refused(end, "there are no node distances", "expected a section \"node distances:\"");
    };
    let Some(header) = lines.get(title + 1) else {
        return refused(
            lines[title].span,
            "the distances are missing",
            "expected \"node\" and the nodes' numbers below",
        );
    };
    let mut names = words(text, header.text);
    if names.next().map(|word| word.text) != Some("node") {
        return refused(
            header.span,
            "this is no line of node numbers",
            "expected \"node\" and the nodes' numbers",
        );
    }
    let names: Vec<Cell<'_>> = names.collect();
    let mut errors = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if name.text.parse::<u32>().is_err() {
            errors.push(Diagnostic::new(
                name.span,
                format!("`{}` is no node number", shorten(name.text)),
                "",
            ));
        } else if names[..at].iter().any(|other| other.text == name.text) {
            errors.push(Diagnostic::new(name.span, format!("node {} is named twice", name.text), ""));
        }
    }
    let below = &lines[title + 2..];
    if names.is_empty() {
        errors.push(Diagnostic::new(header.span, "there are no nodes", "expected the nodes' numbers"));
    }
    let mut rows = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        match below.get(at) {
            Some(line) => rows.push(row(text, line, name.text, names.len(), &mut errors)),
            None => {
                let found = counted(at, "line");
                let message = format!("{found} of distances for {}", counted(names.len(), "node"));
                errors.push(Diagnostic::new(
                    end,
                    message,
                    format!("expected the line of node {} below", name.text),
                ));
                break;
            }
        }
    }
    if let Some(line) = below.get(names.len()) {
        let message = format!("more lines than the {} named above", counted(names.len(), "node"));
        errors.push(Diagnostic::new(line.span, message, "expected nothing more"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let without: Vec<&str> = lines[..title].iter().filter_map(|line| without_processors(line.text)).collect();
    let memory_only = (0..names.len()).filter(|&at| without.contains(&names[at].text)).collect();
    Ok(DistanceMatrix { names: names.iter().map(|name| name.text.to_owned()).collect(), rows, memory_only })
}

/// Reads a line such as `  1:  21  10  40` of the node `name`.
fn row(text: &str, line: &Cell<'_>, name: &str, nodes: usize, errors: &mut Vec<Diagnostic>) -> Vec<f64> {
    let Some((label, distances)) = line.text.split_once(':').filter(|(label, _)| label.trim() == name) else {
        let expected = format!("expected \"{name}:\" and {}", counted(nodes, "distance"));
        errors.push(Diagnostic::new(line.span, format!("this is not the line of node {name}"), expected));
        return Vec::new();
    };
    debug_assert_eq!(label.trim(), name);
    let cells: Vec<Cell<'_>> = words(text, distances).collect();
    if cells.len() != nodes {
        let message = format!("{} in the line of node {name}", counted(cells.len(), "distance"));
        errors.push(Diagnostic::new(line.span, message, format!("expected {nodes}, one for each node")));
    }
    let mut distance =
        |cell: &Cell<'_>| cell.distance().map_err(|error| errors.push(error)).unwrap_or_default();
    let distances: Vec<f64> = cells.iter().map(&mut distance).collect();
    for (cell, distance) in cells.iter().zip(&distances) {
        if cell.distance().is_ok() && !(LEAST..=MOST).contains(distance) {
            let message = format!("`{}` is not a distance of Linux", shorten(cell.text));
            errors.push(Diagnostic::new(cell.span, message, format!("expected {LEAST} to {MOST}")));
        }
    }
    distances
}

/// Number of a node whose line `node 8 cpus:` lists no processor.
fn without_processors(line: &str) -> Option<&str> {
    line.strip_prefix("node ")?.strip_suffix("cpus:").map(str::trim)
}
