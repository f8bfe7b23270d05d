//! Output of `numactl --hardware`: processors and memory of each node, and the firmware's distances.
//!
//! The distances go to the reader of distance matrices; this module reads the lines above them.

use super::Foreign;
use super::number::{index, number, whole};
use super::page::{Line, Page};
use super::processors::list;
use crate::matrix::numactl;
use crate::topology::{Node, Processor, Topology};
use numalab_files::DistanceMatrix;
use numalab_syntax::cells::{Cell, counted};
use numalab_syntax::diagnostics::Diagnostic;
use std::collections::BTreeMap;

const TITLE: &str = "node distances:";
/// Largest number of nodes of a machine; Linux has room for 1024.
const MOST_NODES: usize = 4096;

pub fn printed(page: &Page<'_>) -> bool {
    page.lines
        .iter()
        .any(|line| nodes_available(line).is_some() || line.text() == TITLE || said(line).is_some())
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let mut nodes = BTreeMap::new();
    let mut sizes = 0;
    for line in &page.lines {
        if let Some((cell, key, value)) = said(line) {
            let number = index(cell, "a node's number").map_err(|error| vec![error])?;
            let node = nodes.entry(number).or_insert_with(|| NodeLines {
                line: *line,
                processors: None,
                capacity: None,
            });
            sizes += usize::from(key == "size");
            node.take(key, value, line, found)?;
        }
        if nodes.len() > MOST_NODES {
            return Err(vec![line.refused("too many nodes", format!("expected at most {MOST_NODES}"))]);
        }
    }
    check_whole(page, &nodes, sizes > 0)?;
    let distances = distances(page, found)?;
    if nodes.is_empty() && distances.is_none() {
        return Err(vec![Diagnostic::new(
            page.end(),
            "numactl's output has no line about a node",
            "expected \"node 0 cpus: …\"",
        )]);
    }
    if !nodes.is_empty() {
        let topology = topology(nodes, distances.as_ref(), found);
        found.add_topology(topology);
    }
    found.distances = distances;
    Ok(())
}

/// Values of the lines about one node.
struct NodeLines<'a> {
    line: Line<'a>,
    processors: Option<Vec<u32>>,
    capacity: Option<u64>,
}

impl NodeLines<'_> {
    fn take(
        &mut self,
        key: &str,
        value: Cell<'_>,
        line: &Line<'_>,
        found: &mut Foreign,
    ) -> Result<(), Vec<Diagnostic>> {
        match key {
            "cpus" => {
                let (value, count) = without_count(value, line);
                let processors = list(value, "processors, such as 0 1 2 3").map_err(|error| vec![error])?;
                if count.is_some_and(|count| count != processors.len()) {
                    let message = format!("{} processors", processors.len());
                    return Err(vec![line.refused(message, "expected as many as the number in brackets")]);
                }
                self.processors = Some(processors);
            }
            "size" if value.text.contains("not available") => {
                found.note(line.number, "the size of this node is not available");
            }
            "size" => {
                let size = line.part(value.text.strip_suffix("MB").unwrap_or(value.text));
                let size = number(size, "a size in MB").map_err(|error| vec![error])?;
                // A MB of numactl has 2^20 bytes.
                self.capacity = Some((size * 1048576.0) as u64);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Ranges that `numactl -H --cpu-compress` writes, and their count: `0-15 (16)`.
fn without_count<'a>(value: Cell<'a>, line: &Line<'a>) -> (Cell<'a>, Option<usize>) {
    let split = value.text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
    match split.and_then(|(ranges, count)| Some((ranges.trim(), count.trim().parse().ok()?))) {
        Some((ranges, count)) => (line.part(ranges), Some(count)),
        None => (value, None),
    }
}

/// Parses a line such as `node 0 cpus: …` into number, key and value.
fn said<'a>(line: &Line<'a>) -> Option<(Cell<'a>, &'a str, Cell<'a>)> {
    let (before, value) = line.split(':')?;
    let words: Vec<&str> = before.text.split_whitespace().collect();
    match words[..] {
        ["node", number, key @ ("cpus" | "size" | "free")] if whole(number) => {
            Some((line.part(number), key, value))
        }
        _ => None,
    }
}

/// Number and list of nodes in `available: 3 nodes (0-1,8)`.
fn nodes_available<'a>(line: &Line<'a>) -> Option<(usize, Option<Cell<'a>>)> {
    let (count, which) = line.text().strip_prefix("available:")?.split_once("node")?;
    let which = which.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    Some((count.trim().parse().ok()?, which.map(|which| line.part(which))))
}

/// Checks that every available node has its lines. `sized`: true if any line states a node's size, so that all must.
fn check_whole(
    page: &Page<'_>,
    nodes: &BTreeMap<u32, NodeLines<'_>>,
    sized: bool,
) -> Result<(), Vec<Diagnostic>> {
    let Some((line, (count, which))) =
        page.lines.iter().find_map(|line| Some((line, nodes_available(line)?)))
    else {
        return Ok(());
    };
    let refused =
        |line: &Line<'_>, message: String, expected: &str| Err(vec![line.refused(message, expected)]);
    if let Some(which) = which {
        for node in list(which, "nodes, such as 0-3").map_err(|error| vec![error])? {
            if !nodes.contains_key(&node) {
                let expected = format!("expected \"node {node} cpus: …\" below; is the file cut?");
                return refused(line, format!("nothing is said about node {node}"), &expected);
            }
        }
    }
    if nodes.len() != count {
        let message = format!("{} available, but lines of {}", counted(count, "node"), nodes.len());
        return refused(line, message, "expected lines of all of them below; is the file cut?");
    }
    for (number, node) in nodes {
        if node.processors.is_none() {
            let message = format!("the processors of node {number} are missing");
            return refused(&node.line, message, "expected \"cpus:\" and none, or their numbers");
        }
        if sized
            && node.capacity.is_none()
            && !page.lines.iter().any(|line| line.text().contains("not available"))
        {
            let message = format!("the size of node {number} is missing");
            return refused(&node.line, message, "expected \"size: … MB\" below; is the file cut?");
        }
    }
    Ok(())
}

/// Reads the distances, if there are any. Lines of other tools are blanked, so that the table ends where it should.
fn distances(page: &Page<'_>, found: &mut Foreign) -> Result<Option<DistanceMatrix>, Vec<Diagnostic>> {
    let Some(title) = page.lines.iter().position(|line| line.text() == TITLE) else {
        let said = page.lines.iter().find(|line| line.text().to_ascii_lowercase().contains("no distance"));
        let line = said.or(page.lines.last()).map_or(1, |line| line.number);
        found.note(line, "there are no distances between nodes");
        return Ok(None);
    };
    let mut text: Vec<u8> = page.text.bytes().map(|b| if b == b'\n' { b } else { b' ' }).collect();
    let mut keep = |line: &Line<'_>| {
        let span = line.span();
        text[span.start..span.end].copy_from_slice(line.text().as_bytes());
    };
    page.lines.iter().filter(|line| said(line).is_some()).for_each(&mut keep);
    let row = |line: &&Line<'_>| {
        let label = line.split(':').map(|(label, _)| label.text);
        line.words().first().is_some_and(|word| word.text == "node") || label.is_some_and(whole)
    };
    keep(&page.lines[title]);
    page.lines[title + 1..]
        .iter()
        .filter(|line| !line.is_empty())
        .take_while(row)
        .take(MOST_NODES + 1)
        .for_each(keep);
    let text = String::from_utf8(text).unwrap_or_default();
    numactl::read(&text).map(Some)
}

fn topology(
    nodes: BTreeMap<u32, NodeLines<'_>>,
    distances: Option<&DistanceMatrix>,
    found: &mut Foreign,
) -> Topology {
    let nodes: Vec<Node> = nodes
        .into_iter()
        .map(|(number, told)| Node {
            number,
            capacity: told.capacity,
            processors: told.processors.unwrap_or_default(),
            ..Node::default()
        })
        .collect();
    let mut numbers: Vec<u32> = nodes.iter().flat_map(|node| node.processors.iter().copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let ordered = distances.and_then(|distances| {
        let at = |node: &Node| distances.names.iter().position(|name| *name == node.number.to_string());
        let order: Option<Vec<usize>> = nodes.iter().map(at).collect();
        let order = order.filter(|order| order.len() == distances.names.len())?;
        Some(order.iter().map(|&a| order.iter().map(|&b| distances.rows[a][b]).collect()).collect())
    });
    if distances.is_some() && ordered.is_none() {
        found.notes.push(super::Note {
            line: None,
            text: "the distances are of other nodes than the processors".into(),
        });
    }
    Topology {
        processors: numbers.into_iter().map(|number| Processor { number, ..Processor::default() }).collect(),
        nodes,
        distances: ordered,
        ..Topology::default()
    }
}
