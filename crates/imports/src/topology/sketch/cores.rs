//! Cores of hardware threads, each in its node and its package.

use super::unsuited::{Part, Unsuited};
use crate::topology::{Processor, Topology};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Core {
    /// Number of the core's package; that of the node if packages are unknown.
    pub package: u32,
    pub node: usize,
    /// Indices of the core's caches, outermost first; `None` at a level without a cache.
    pub caches: Vec<Option<usize>>,
    /// Numbers of the core's hardware threads, ascending.
    pub threads: Vec<u32>,
}

/// Cores in the order of their first threads.
pub(super) fn cores(topology: &Topology, warnings: &mut Vec<String>) -> Result<Vec<Core>, Unsuited> {
    if topology.processors.is_empty() {
        return Err(Unsuited::new("no source lists the processors".to_owned()));
    }
    let some = |known: fn(&Processor) -> bool| topology.processors.iter().any(known);
    if !some(|processor| processor.core.is_some()) {
        warnings.push("no source says which processors share a core: each is taken for a core".to_owned());
    }
    if !some(|processor| processor.package.is_some()) && topology.nodes.len() > 1 {
        warnings.push("no source says which nodes share a socket: each is taken for a socket".to_owned());
    }
    let nodes = node_of(topology);
    let caches = caches_of(topology);
    let levels: Vec<u8> = super::caches::levels(topology).into_iter().rev().collect();
    let mut cores: BTreeMap<(bool, u32), Core> = BTreeMap::new();
    for processor in &topology.processors {
        let number = processor.number;
        let node = match nodes.get(&number) {
            Some(&node) => node,
            None if topology.nodes.is_empty() => 0,
            None => {
                return Err(Unsuited::new(format!(
                    "processor {number} is on no listed node: its memory belongs to another cell, or its node is not stated"
                ))
                .at(Part::Processor(number)));
            }
        };
        let package = processor.package.unwrap_or(node as u32);
        // Processors without a core number become cores of their own.
        let key = (processor.core.is_none(), processor.core.unwrap_or(number));
        let around = |level: &u8| caches.get(&(number, *level)).copied();
        let core = cores.entry(key).or_insert_with(|| Core {
            package,
            node,
            caches: levels.iter().map(around).collect(),
            threads: Vec::new(),
        });
        if (core.package, core.node) != (package, node) {
            let first = core.threads.first().copied().unwrap_or(number);
            return Err(Unsuited::new(format!(
                "processors {first} and {number} share a core, and are on different nodes or sockets"
            ))
            .at(Part::Processor(number)));
        }
        core.threads.push(number);
    }
    let mut cores: Vec<Core> = cores.into_values().collect();
    cores.iter_mut().for_each(|core| core.threads.sort_unstable());
    cores.sort_by_key(|core| core.threads.first().copied());
    Ok(cores)
}

/// Index of the node of each processor.
fn node_of(topology: &Topology) -> BTreeMap<u32, usize> {
    let nodes = topology.nodes.iter().enumerate();
    nodes.flat_map(|(at, node)| node.processors.iter().map(move |&number| (number, at))).collect()
}

/// Index of the cache by processor and level.
fn caches_of(topology: &Topology) -> BTreeMap<(u32, u8), usize> {
    let caches = topology.caches.iter().enumerate();
    caches
        .flat_map(|(at, cache)| cache.processors.iter().map(move |&number| ((number, cache.level), at)))
        .collect()
}
