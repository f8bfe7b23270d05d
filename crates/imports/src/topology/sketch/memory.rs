//! Memory of nodes with processors: sizes, nodes without memory, line and page.

use super::hierarchy::Levels;
use crate::topology::Topology;
use numalab_base::Bytes;
use numalab_machine::{Machine, MemoryAt, NumberList};

/// Largest part by which the sizes of nodes with equal modules differ, since the system keeps some memory for itself.
const SAME: u64 = 10;

/// Nodes of about the same size, by their numbers in the machine.
struct SizeClass {
    least: u64,
    most: u64,
    nodes: Vec<u32>,
}

/// Sets the sizes of all nodes, and the lines and pages.
pub(super) fn set(topology: &Topology, levels: &Levels, machine: &mut Machine, warnings: &mut Vec<String>) {
    if let Some(line) = topology.caches.iter().filter_map(|cache| cache.line).max() {
        machine.memory.line = Bytes(line);
    }
    if let Some(page) = topology.page {
        machine.memory.page = Bytes(page);
    }
    let capacity = |&at: &usize| topology.nodes.get(at).and_then(|node| node.capacity);
    let sizes: Vec<Option<u64>> = levels.nodes.iter().map(capacity).collect();
    // Without any size 0 means that it is not known.
    if !topology.nodes.iter().any(|node| node.capacity.is_some_and(|bytes| bytes > 0)) {
        return;
    }
    let page = machine.memory.page.0;
    let sizes: Vec<(u32, u64)> = (0..)
        .zip(sizes)
        .filter_map(|(node, size)| Some((node, size.map(|size| if size < page { 0 } else { size })?)))
        .collect();
    let empty: Vec<u32> = sizes.iter().filter(|(_, size)| *size == 0).map(|(node, _)| *node).collect();
    let mut classes = classes(sizes.into_iter().filter(|(_, size)| *size > 0).collect());
    // The most common size stands for all others; of several the largest.
    let common = classes.iter().enumerate().max_by_key(|(_, class)| (class.nodes.len(), class.least));
    let Some(common) = common.map(|(at, _)| at).map(|at| classes.remove(at)) else {
        return without_memory(topology, levels, machine, empty, warnings);
    };
    // The smallest of a class: the model never holds more pages than the machine.
    machine.memory.capacity = Bytes(common.least);
    if let Some(sizes) = range(&common, &classes) {
        warnings.push(format!("nodes have {sizes} of memory: their bandwidths are taken as equal"));
    }
    for SizeClass { least, nodes, .. } in classes {
        machine.memory_at.push(differing(nodes, least));
    }
    without_memory(topology, levels, machine, empty, warnings);
}

/// Marks nodes as without memory.
fn without_memory(
    topology: &Topology,
    levels: &Levels,
    machine: &mut Machine,
    nodes: Vec<u32>,
    warnings: &mut Vec<String>,
) {
    if nodes.is_empty() {
        return;
    }
    let real: NumberList = nodes
        .iter()
        .filter_map(|node| levels.nodes.get(*node as usize))
        .map(|&at| topology.node_number(at))
        .collect();
    let (nodes_have, their) = match real.only() {
        Some(_) => ("node", "has no memory: pages of its threads go"),
        None => ("nodes", "have no memory: pages of their threads go"),
    };
    warnings.push(format!("{nodes_have} {real} {their} to the nearest node with memory"));
    machine.memory_at.push(differing(nodes, 0));
}

fn differing(nodes: Vec<u32>, bytes: u64) -> MemoryAt {
    let nodes: NumberList = nodes.into_iter().collect();
    MemoryAt { nodes: nodes.to_string(), capacity: Some(Bytes(bytes)), ..MemoryAt::default() }
}

/// Groups nodes by size, the largest first.
fn classes(mut sizes: Vec<(u32, u64)>) -> Vec<SizeClass> {
    sizes.sort_by_key(|(node, size)| (std::cmp::Reverse(*size), *node));
    let mut classes: Vec<SizeClass> = Vec::new();
    for (node, size) in sizes {
        match classes.last_mut().filter(|class| class.most - size <= class.most / SAME) {
            Some(class) => {
                class.least = size;
                class.nodes.push(node);
            }
            None => classes.push(SizeClass { least: size, most: size, nodes: vec![node] }),
        }
    }
    classes
}

/// Text of the smallest and largest size; `None` if there is one class.
fn range(common: &SizeClass, others: &[SizeClass]) -> Option<String> {
    let all = || others.iter().chain([common]).map(|class| class.least);
    let (least, most) = (Bytes(all().min()?), Bytes(all().max()?));
    (!others.is_empty()).then(|| format!("{least} to {most}"))
}
