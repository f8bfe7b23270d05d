//! Concludes which processors share a core, a socket or a cache from counts and nodes.

use super::super::Foreign;
use super::super::page::Page;
use super::cache_sizes::{Size, StatedFor, of_one};
use super::counts::Shape;
use crate::topology::{CacheUnit, Node, Topology};
use std::collections::{BTreeMap, BTreeSet};

/// Assigns packages and cores to processors, as Linux numbers them on this architecture. `line`: line for the notes.
pub fn assign(topology: &mut Topology, shape: Shape, architecture: &str, line: usize, found: &mut Foreign) {
    let cores = shape.sockets * shape.cores;
    let order: Vec<u32> = topology.processors.iter().map(|processor| processor.number).collect();
    // Index of a processor's core: second threads are numbered after all first threads, or next to the first ones.
    let behind = |at: usize| at % cores;
    let beside = |at: usize| at / shape.threads;
    let same_node = |core: &dyn Fn(usize) -> usize| {
        let mut node_of = vec![None; cores];
        order.iter().enumerate().all(|(at, number)| {
            let node = topology.nodes.iter().position(|node| node.processors.binary_search(number).is_ok());
            *node_of[core(at)].get_or_insert(node) == node
        })
    };
    let x86 = architecture.starts_with("x86") || architecture.starts_with('i');
    let (first, second): (&dyn Fn(usize) -> usize, &dyn Fn(usize) -> usize) =
        if x86 { (&behind, &beside) } else { (&beside, &behind) };
    let core = if same_node(first) { first } else { second };
    if !same_node(core) {
        found.note(
            line,
            "which processors share a core cannot be concluded from the nodes; \"lscpu -p\" says it",
        );
        return;
    }
    let assigned: Vec<u32> = (0..order.len()).map(|at| core(at) as u32).collect();
    if shape.threads > 1 {
        let sibling = (1..order.len()).find(|&at| assigned[at] == assigned[0]).unwrap_or(0);
        let text = format!(
            "which processors share a core is not given: taken as {} and {}; \"lscpu -p\" says it",
            order[0], order[sibling]
        );
        found.note(line, text);
    }
    for (processor, core) in topology.processors.iter_mut().zip(assigned) {
        processor.core = Some(core);
    }
    packages(topology, shape, line, found);
}

/// Assigns packages: each socket holds the same number of whole nodes, or each node the same number of sockets.
fn packages(topology: &mut Topology, shape: Shape, line: usize, found: &mut Foreign) {
    let nodes: Vec<&Node> = topology.nodes.iter().filter(|node| !node.processors.is_empty()).collect();
    let mut package_of = BTreeMap::new();
    // Cores in the order of nodes, then of numbers: sockets take them in this order.
    let mut order: Vec<u32> = Vec::new();
    let core_of: BTreeMap<u32, u32> = topology
        .processors
        .iter()
        .filter_map(|processor| Some((processor.number, processor.core?)))
        .collect();
    let lists: Vec<&Vec<u32>> = nodes.iter().map(|node| &node.processors).collect();
    for number in lists.into_iter().flatten() {
        order.extend(core_of.get(number));
    }
    if nodes.is_empty() {
        order.extend(core_of.values());
    }
    let mut seen = BTreeSet::new();
    order.retain(|core| seen.insert(*core));
    for (at, core) in order.iter().enumerate() {
        package_of.insert(*core, (at / shape.cores) as u32);
    }
    let split = nodes.iter().any(|node| {
        let packages: BTreeSet<_> =
            node.processors.iter().filter_map(|number| package_of.get(core_of.get(number)?)).collect();
        packages.len() > 1 && node.processors.len() < packages.len() * shape.cores * shape.threads
    });
    if split {
        found.note(line, "nodes and sockets do not fit into each other: who is in which socket is not known");
        return;
    }
    for processor in &mut topology.processors {
        processor.package = processor.core.and_then(|core| package_of.get(&core).copied());
    }
}

/// Caches of equal groups of neighbouring cores.
pub fn caches(page: &Page<'_>, topology: &Topology, sizes: &[Size], found: &mut Foreign) -> Vec<CacheUnit> {
    let mut cores: BTreeMap<(Option<u32>, u32), Vec<u32>> = BTreeMap::new();
    for processor in &topology.processors {
        let core = processor.core.unwrap_or(processor.number);
        cores.entry((processor.package, core)).or_default().push(processor.number);
    }
    let sockets = cores.keys().map(|(package, _)| package).collect::<BTreeSet<_>>().len();
    let groups: Vec<&Vec<u32>> = cores.values().collect();
    let mut caches = Vec::new();
    for size in sizes {
        let line = page.text.get(..size.line.start).map_or(1, |text| text.matches('\n').count() + 1);
        let count = match size.told {
            StatedFor::Instances(count) => count as usize,
            _ if size.level <= 2 => groups.len(),
            _ => {
                found.note(
                    line,
                    format!(
                        "the number of L{} caches is not given: one for each socket is assumed",
                        size.level
                    ),
                );
                sockets
            }
        };
        if count == 1 {
            let processors = topology.processors.iter().map(|processor| processor.number).collect();
            caches.push(CacheUnit { level: size.level, size: of_one(size, 1), line: None, processors });
            continue;
        }
        if topology.processors.iter().any(|processor| processor.core.is_none())
            || count == 0
            || !groups.len().is_multiple_of(count)
        {
            found.note(
                line,
                format!("left out: who shares the {count} L{} caches cannot be concluded", size.level),
            );
            continue;
        }
        for group in groups.chunks(groups.len() / count) {
            let mut processors: Vec<u32> = group.iter().flat_map(|core| core.iter().copied()).collect();
            processors.sort_unstable();
            caches.push(CacheUnit { level: size.level, size: of_one(size, count), line: None, processors });
        }
    }
    caches.sort_by_key(|cache| (cache.level, cache.processors.first().copied()));
    caches
}
