//! NUMA nodes, their memory, and the firmware's distances.

use super::{Dump, NODE, wrong};
use crate::topology::lists::{list, size};
use crate::topology::{Node, Processor};
use numalab_syntax::diagnostics::Diagnostic;

/// Reads the nodes, and the distances between nodes if every node has a row.
pub(super) fn read(
    dump: &Dump,
    processors: &[Processor],
    errors: &mut Vec<Diagnostic>,
) -> (Vec<Node>, Option<Vec<Vec<f64>>>) {
    let numbers = dump.numbered(NODE, "node");
    let online = |number: &u32| processors.binary_search_by_key(number, |processor| processor.number).is_ok();
    let nodes: Vec<Node> = numbers.iter().map(|&number| node(dump, number, online, errors)).collect();
    if nodes.is_empty() && !processors.is_empty() {
        // The kernel has no NUMA.
        let capacity = dump.text("/proc/meminfo").and_then(total);
        let processors = processors.iter().map(|processor| processor.number).collect();
        return (vec![Node { number: 0, capacity, processors, ..Node::default() }], None);
    }
    let distances: Option<Vec<Vec<f64>>> =
        numbers.iter().map(|&number| distances(dump, number, nodes.len(), errors)).collect();
    // A single node has no distance to another.
    let distances = distances.filter(|rows| rows.len() > 1);
    (nodes, distances)
}

fn node(dump: &Dump, number: u32, online: impl Fn(&u32) -> bool, errors: &mut Vec<Diagnostic>) -> Node {
    let path = |name: &str| format!("{NODE}node{number}/{name}");
    let processors = dump
        .parsed(&path("cpulist"), "a list of processors, such as 0-3,8", errors, list)
        .unwrap_or_default();
    let capacity = dump.parsed(&path("meminfo"), "a line of MemTotal", errors, total);
    let processors = processors.into_iter().filter(online).collect();
    Node { number, capacity, processors, ..Node::default() }
}

/// Bytes in `Node 0 MemTotal:   24684084 kB`, or in the same line without the node.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.split_once("MemTotal:"))?;
    size(line.1)
}

/// Reads the row of node `number`: one distance for each of the `nodes` nodes that are on-line.
fn distances(dump: &Dump, number: u32, nodes: usize, errors: &mut Vec<Diagnostic>) -> Option<Vec<f64>> {
    let path = format!("{NODE}node{number}/distance");
    let file = dump.file(&path)?;
    let row: Option<Vec<f64>> =
        file.text.split_whitespace().map(|word| word.parse::<u32>().ok().map(f64::from)).collect();
    let row = row.filter(|row| row.len() == nodes);
    if row.is_none() {
        errors.push(wrong(&path, file, &format!("{nodes} whole numbers, one for each node")));
    }
    row
}
