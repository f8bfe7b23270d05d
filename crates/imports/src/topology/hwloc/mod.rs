//! hwloc's XML, versions 1 and 2, as `lstopo --of xml` writes it.
//!
//! Objects are nested like the hardware. A node contains its processors in version 1 and stands beside them in
//! version 2; in both, its `cpuset` lists them. Devices are ignored.

mod distances;
mod memattrs;
mod objects;

use super::{Node, Topology};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;
use objects::Objects;
use roxmltree::{Document, Error, ParsingOptions, TextPos};
use std::collections::BTreeSet;

/// Largest number of elements: sixteen for each of the largest number of processors.
const MOST_ELEMENTS: u32 = 1 << 20;

pub fn read(text: &str) -> Result<Topology, Vec<Diagnostic>> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let (at, label) = match error {
            // These errors have no position.
            Error::UnexpectedEndOfStream | Error::UnclosedRootNode => (text.len(), "the file ends too early"),
            _ => (offset(text, error.pos()), "expected hwloc's XML"),
        };
        vec![Diagnostic::new(TextRange { source: 0, start: at, end: at }, format!("no XML: {error}"), label)]
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "topology" {
        let message =
            format!("this is a document of `{}`", numalab_syntax::tree::shorten(root.tag_name().name()));
        let label = "expected `topology`, what \"lstopo --of xml\" writes";
        return Err(vec![Diagnostic::new(span(root), message, label)]);
    }
    let mut errors = Vec::new();
    let objects = Objects::read(root, &mut errors);
    if objects.processors.is_empty() && errors.is_empty() {
        errors.push(Diagnostic::new(
            span(root),
            "there are no processors",
            "expected objects of type \"PU\"",
        ));
    }
    let mut topology = Topology {
        clock: objects.clock.or(objects.model.as_deref().and_then(super::lists::clock_in)),
        model: objects.model,
        vendor: objects.vendor,
        page: objects.page,
        processors: objects.processors,
        caches: objects.caches,
        ..Topology::default()
    };
    topology.processors.sort();
    for pair in topology.processors.windows(2).filter(|pair| pair[0].number == pair[1].number) {
        let message = format!("there are two processors {}", pair[0].number);
        errors.push(Diagnostic::new(span(root), message, "expected different `os_index`"));
    }
    let numbers: BTreeSet<u32> = topology.processors.iter().map(|processor| processor.number).collect();
    topology.offline = objects.complete.difference(&numbers).copied().collect();
    topology.nodes = nodes(&objects.nodes, &numbers, objects.machine_memory);
    for pair in topology.nodes.windows(2).filter(|pair| pair[0].number == pair[1].number) {
        let message = format!("there are two nodes {}", pair[0].number);
        errors.push(Diagnostic::new(span(root), message, "expected different `os_index`"));
    }
    topology.distances = distances::read(root, &objects.nodes, &topology.nodes, &mut errors);
    let of_kind = objects.core_kinds.iter().map(|kind| kind.intersection(&numbers).count() as u32);
    topology.core_kinds = of_kind.filter(|count| *count > 0).collect();
    if topology.core_kinds.len() == 1 {
        topology.core_kinds.clear();
    }
    topology.speeds = memattrs::read(root, &objects.nodes, &numbers, &mut errors);
    topology.caches.retain(|cache| !cache.processors.is_empty());
    topology.caches.iter_mut().for_each(|cache| cache.processors.sort_unstable());
    topology.caches.sort_by_key(|cache| (cache.level, cache.processors.first().copied()));
    if errors.is_empty() { Ok(topology) } else { Err(errors) }
}

/// A node as written in the file.
struct WrittenNode {
    number: u32,
    /// Identifier of the node in hwloc, version 2.
    id: Option<u64>,
    capacity: u64,
    /// Attribute `subtype` of the node in version 2.
    kind: Option<String>,
    near: BTreeSet<u32>,
}

/// Nodes with their processors. A processor belongs to the memory with the fewest processors near it; of several, to
/// the one with the lowest number. Other memory near the processor is a node without processors, as in Linux. A file
/// without nodes yields one node with `machine_memory` bytes.
fn nodes(written: &[WrittenNode], processors: &BTreeSet<u32>, machine_memory: Option<u64>) -> Vec<Node> {
    if written.is_empty() {
        let capacity = machine_memory.filter(|bytes| *bytes > 0);
        return vec![Node {
            number: 0,
            capacity,
            processors: processors.iter().copied().collect(),
            ..Node::default()
        }];
    }
    let mut nearest_first: Vec<&WrittenNode> = written.iter().collect();
    nearest_first.sort_by_key(|node| (node.near.len(), node.number));
    let mut free = processors.clone();
    let mut nodes: Vec<Node> = nearest_first
        .into_iter()
        .map(|node| {
            let own: Vec<u32> = node.near.iter().copied().filter(|number| free.remove(number)).collect();
            // A node without processors of its own is memory-only: `near` lists the processors beside it.
            let near = if own.is_empty() {
                node.near.intersection(processors).copied().collect()
            } else {
                Vec::new()
            };
            let kind = node.kind.clone().filter(|_| own.is_empty());
            Node { number: node.number, capacity: Some(node.capacity), processors: own, near, kind }
        })
        .collect();
    nodes.sort();
    nodes
}

fn span(node: roxmltree::Node<'_, '_>) -> TextRange {
    let range = node.range();
    // An element spans its children, so only its name is shown.
    let end = range.end.min(range.start + 1 + node.tag_name().name().len());
    TextRange { source: 0, start: range.start, end }
}

/// Byte offset of a line and a column, both counted from 1.
fn offset(text: &str, at: TextPos) -> usize {
    let rows = (at.row as usize).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(rows).map(str::len).sum();
    let columns = (at.col as usize).saturating_sub(1);
    text[start..].char_indices().nth(columns).map_or(text.len(), |(column, _)| start + column)
}
