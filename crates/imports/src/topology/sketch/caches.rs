//! Assignment of caches to the processors that share them.

use super::hierarchy::{Levels, Uneven, equal};
use super::unsuited::{Part, Unsuited};
use crate::topology::Topology;
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Cache, defaults};
use std::collections::{BTreeMap, BTreeSet};

/// Levels that have caches, innermost first.
pub(super) fn levels(topology: &Topology) -> Vec<u8> {
    let levels: BTreeSet<u8> = topology.caches.iter().map(|cache| cache.level).collect();
    levels.into_iter().collect()
}

/// Size, latency and bandwidth of a synthetic machine's cache at a level.
pub(super) fn synthetic(level: u8) -> (Bytes, Span, Bandwidth) {
    match level {
        1 => defaults::L1,
        2 => defaults::L2,
        _ => defaults::L3,
    }
}

/// Caches of the model's cores; those of a synthetic machine if the topology has no caches.
pub(super) fn caches(
    topology: &Topology,
    of: &Levels,
    otherwise: Vec<Cache>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Cache>, Unsuited> {
    let levels = levels(topology);
    if levels.is_empty() {
        warnings.push("no source lists the caches: those of a synthetic machine are taken".to_owned());
        return Ok(otherwise);
    }
    let mut caches = Vec::new();
    for (at, &level) in levels.iter().enumerate() {
        // Caches of a core are listed outermost first.
        let place = levels.len() - 1 - at;
        match cache(topology, of, level, place, warnings)? {
            Some(cache) => caches.push(cache),
            None => warnings.push(format!("not every core has a cache of level {level}: it is left out")),
        }
    }
    Ok(caches)
}

fn cache(
    topology: &Topology,
    of: &Levels,
    level: u8,
    place: usize,
    warnings: &mut Vec<String>,
) -> Result<Option<Cache>, Unsuited> {
    // Cores by cache and node: a cache shared by several nodes becomes one for each node, with a part of the size.
    let mut sharing = Vec::new();
    let mut nodes: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (number, core) in of.cores.iter().enumerate() {
        let Some(cache) = core.caches.get(place).copied().flatten() else { return Ok(None) };
        sharing.push(((cache, core.node), number));
        nodes.entry(cache).or_default().insert(core.node);
    }
    let nested = of.positions.nest.shared_by(place).map(Ok);
    let shared_by = nested.unwrap_or_else(|| equal(sharing.into_iter())).map_err(|Uneven { least, most, odd }| {
        let error = Unsuited::new(format!(
            "caches of level {level} are shared by {least} to {most} cores; those of the model are all equal"
        ));
        match odd.and_then(|(cache, _)| topology.caches[cache].processors.first().copied()) {
            Some(number) => error.at(Part::Processor(number)),
            None => error,
        }
    })?;
    if let Some(over) = nodes.values().map(BTreeSet::len).max().filter(|over| *over > 1) {
        warnings.push(format!(
            "a cache of level {level} serves {over} nodes, which the model cannot say: each node has its part of it"
        ));
    }
    let part =
        |(cache, nodes): (&usize, &BTreeSet<usize>)| topology.caches[*cache].size / nodes.len().max(1) as u64;
    let sizes: BTreeSet<u64> = nodes.iter().map(part).filter(|size| *size > 0).collect();
    if let (Some(least), Some(most)) = (sizes.first(), sizes.last().filter(|_| sizes.len() > 1)) {
        let (least, most) = (Bytes(*least), Bytes(*most));
        warnings.push(format!("caches of level {level} have {least} to {most}: {least} are taken for all"));
    }
    let (size, latency, bandwidth) = synthetic(level);
    let size = sizes.first().map_or(size, |size| Bytes(*size));
    Ok(Some(Cache::new(level, size, shared_by as u32, latency, bandwidth)))
}
