//! Uniform levels: boards of sockets of nodes of clusters of cores, or the reason why a machine has none.

use super::cores::Core;
use super::nest::Nest;
use super::positions::{Positions, positions};
use super::unsuited::{Part, Unsuited};
use super::{boards, inner};
use crate::topology::Topology;
use std::collections::{BTreeMap, BTreeSet};

/// Uniform levels for a machine of the model, and the topology's nodes and cores in the order of that machine.
pub(super) struct Levels {
    /// Description for `numalab_machine::synthetic`.
    pub spec: String,
    /// Indices of the topology's nodes, in the order of the machine.
    pub nodes: Vec<usize>,
    /// Cores, in the order of the topology's groups.
    pub cores: Vec<Core>,
    /// Positions of the cores in the machine.
    pub positions: Positions,
}

pub(super) fn levels(
    topology: &Topology,
    mut cores: Vec<Core>,
    warnings: &mut Vec<String>,
) -> Result<Levels, Unsuited> {
    warn_of_empty_nodes(topology, &cores, warnings);
    let sockets_known = whole_nodes(topology, &cores);
    let inner = if sockets_known { None } else { inner::sockets(topology, &mut cores, warnings)? };
    // Sockets in the order of their first nodes, as boards need them; then nodes, then groups that share caches.
    let sockets = sockets(&cores);
    let boards = if sockets_known { boards::boards(topology, &sockets, warnings) } else { None };
    let order: Vec<u32> = match &boards {
        Some(boards) => boards.concat(),
        None => sockets.iter().map(|(package, _)| *package).collect(),
    };
    let place: BTreeMap<u32, usize> = order.iter().enumerate().map(|(at, package)| (*package, at)).collect();
    cores.sort_by_cached_key(|core| {
        let socket = place.get(&core.package).copied();
        (socket, core.node, core.caches.clone(), core.threads.first().copied())
    });
    let first = |core: &Core| core.threads.first().copied();
    let processor = |first: Option<u32>| first.map(Part::Processor);
    let nest = Nest::of(&cores);
    too_empty(topology, &cores, &nest)?;
    uneven(topology, &cores, warnings);
    let socket = |core: &Core| if sockets_known { core.package } else { 0 };
    let of_socket = equal(cores.iter().map(|core| (socket(core), core.node))).map_err(|uneven| {
        let of = |package| processor(cores.iter().find(|core| socket(core) == package).and_then(first));
        unequal(topology, "sockets", "nodes", uneven, of)
    })?;
    let mut outer = Vec::new();
    if let Some(boards) = &boards {
        outer.push(format!("board:{}", boards.len()));
    }
    if sockets_known {
        outer.push(format!("socket:{}", sockets.len() / boards.as_ref().map_or(1, Vec::len)));
    }
    if of_socket > 1 {
        outer.push(format!("node:{of_socket}"));
    }
    let spec = |nest: &Nest| {
        let mut words = outer.clone();
        let clusters = inner.unwrap_or_else(|| nest.clusters().0);
        if clusters > 1 {
            words.push(format!("cluster:{clusters}"));
        }
        words.push(format!("core:{}", nest.node() / clusters));
        if nest.threads > 1 {
            words.push(format!("thread:{}", nest.threads));
        }
        words.join(" ")
    };
    let positions = positions(&cores, nest, spec);
    let spec = spec(&positions.nest);
    let mut nodes: Vec<(usize, usize)> = cores
        .iter()
        .zip(&positions.places)
        .filter_map(|(core, at)| Some((at.first()?.0, core.node)))
        .collect();
    nodes.sort_unstable();
    let mut nodes: Vec<usize> = nodes.into_iter().map(|(_, node)| node).collect();
    nodes.dedup();
    Ok(Levels { spec, nodes, cores, positions })
}

/// Most positions for each core that is there; a machine with more would be a caricature.
const EMPTIEST: usize = 4;

/// Refuses machines most of whose cores would be missing.
fn too_empty(topology: &Topology, cores: &[Core], nest: &Nest) -> Result<(), Unsuited> {
    let mut nodes: Vec<usize> = cores.iter().map(|core| core.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() * nest.node() <= EMPTIEST * cores.len() {
        return Ok(());
    }
    let of_node = equal(cores.iter().map(|core| (core.node, core.threads.first())));
    let uneven = of_node.err().unwrap_or(Uneven { least: 1, most: nest.node(), odd: None });
    let node = |at: usize| topology.nodes.get(at).map(|node| Part::Node(node.number));
    Err(unequal(topology, "nodes", "cores", uneven, node))
}

/// Warns of groups that lack cores or hardware threads.
fn uneven(topology: &Topology, cores: &[Core], warnings: &mut Vec<String>) {
    let kinds = if topology.offline.is_empty() { ", as on chips with several kinds of cores" } else { "" };
    let first = |core: &Core| core.threads.first().copied();
    let threads = cores.iter().flat_map(|core| core.threads.iter().map(move |thread| (first(core), thread)));
    let mut warn = |wholes: &str, parts: &str, why: &str, (least, most): (usize, usize)| {
        warnings.push(format!("{wholes} have {least} to {most} {parts}{why}: the others count as off line"));
    };
    if let Err(Uneven { least, most, .. }) = equal(threads) {
        warn("cores", "hardware threads", kinds, (least, most));
    }
    if let Err(Uneven { least, most, .. }) = equal(cores.iter().map(|core| (core.node, first(core)))) {
        warn("nodes", "cores", "", (least, most));
    }
}

/// Warns of nodes without processors whose memory is 0 or not stated; they are left out.
fn warn_of_empty_nodes(topology: &Topology, cores: &[Core], warnings: &mut Vec<String>) {
    for (at, node) in topology.nodes.iter().enumerate() {
        let number = node.number;
        if !cores.iter().any(|core| core.node == at) {
            match node.capacity {
                Some(0) => {
                    warnings.push(format!("node {number} has neither processors nor memory: left out"))
                }
                None => warnings.push(format!(
                    "node {number} has no processors and its memory size is not stated: left out"
                )),
                Some(_) => {}
            }
        }
    }
}

/// True if every node lies in one package.
fn whole_nodes(topology: &Topology, cores: &[Core]) -> bool {
    let mut package_of = vec![None; topology.nodes.len().max(1)];
    cores.iter().all(|core| *package_of[core.node].get_or_insert(core.package) == core.package)
}

/// Packages and their nodes, in the order of the nodes.
fn sockets(cores: &[Core]) -> Vec<(u32, Vec<usize>)> {
    let mut nodes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    cores.iter().for_each(|core| nodes.entry(core.package).or_default().push(core.node));
    let mut sockets: Vec<(u32, Vec<usize>)> = nodes.into_iter().collect();
    for (_, nodes) in &mut sockets {
        nodes.sort_unstable();
        nodes.dedup();
    }
    sockets.sort_by_key(|(package, nodes)| (nodes.first().copied(), *package));
    sockets
}

/// Wholes with different numbers of parts.
pub(super) struct Uneven<W> {
    pub least: usize,
    pub most: usize,
    /// A whole whose number is the rarest.
    pub odd: Option<W>,
}

/// Number of different parts in each whole, given as pairs of whole and part.
pub(super) fn equal<W: Ord, P: Ord>(parts: impl Iterator<Item = (W, P)>) -> Result<usize, Uneven<W>> {
    let mut wholes: BTreeMap<W, BTreeSet<P>> = BTreeMap::new();
    for (whole, part) in parts {
        wholes.entry(whole).or_default().insert(part);
    }
    let mut by_count: BTreeMap<usize, Vec<W>> = BTreeMap::new();
    wholes.into_iter().for_each(|(whole, parts)| by_count.entry(parts.len()).or_default().push(whole));
    let counts = by_count.keys().copied();
    let (least, most) = (counts.clone().min().unwrap_or(1), counts.max().unwrap_or(1));
    if least == most {
        return Ok(least);
    }
    let odd = by_count.into_values().min_by_key(Vec::len).and_then(|wholes| wholes.into_iter().next());
    Err(Uneven { least, most, odd })
}

/// Error such as "sockets have 2 to 4 cores" (`wholes`, `parts`), which the model's levels cannot express. `part` is
/// the part of the topology that a whole is.
pub(super) fn unequal<W>(
    topology: &Topology,
    wholes: &str,
    parts: &str,
    Uneven { least, most, odd }: Uneven<W>,
    part: impl Fn(W) -> Option<Part>,
) -> Unsuited {
    let off = match &topology.offline[..] {
        // If all processors are on-line, these are fast and efficient cores on one chip.
        [] if wholes == "cores" => ", as on chips with several kinds of cores".to_owned(),
        [] => String::new(),
        [one] => format!(" (processor {one} is off or not ours)"),
        [first, .., last] => {
            format!(" ({} processors from {first} to {last} are off or not ours)", topology.offline.len())
        }
    };
    let error = Unsuited::new(format!(
        "{wholes} have {least} to {most} {parts}{off}; those of the model are all equal"
    ));
    match odd.and_then(part) {
        Some(part) => error.at(part),
        None => error,
    }
}

/// Number of groups of cores in a node that share a last-level cache (the outermost that all cores have); 1 if there
/// are no groups, or only groups of one core.
pub(super) fn clusters(topology: &Topology, cores: &[Core], of_node: usize) -> Result<usize, Unsuited> {
    let levels = cores.first().map_or(0, |core| core.caches.len());
    let Some(last) = (0..levels).find(|&level| cores.iter().all(|core| core.caches[level].is_some())) else {
        return Ok(1);
    };
    let groups = equal(cores.iter().map(|core| (core.node, core.caches[last]))).map_err(|uneven| {
        let node = |at: usize| topology.nodes.get(at).map(|node| Part::Node(node.number));
        unequal(topology, "nodes", "last-level caches", uneven, node)
    })?;
    let cache = |core: &Core| (core.node, core.caches[last]);
    equal(cores.iter().map(|core| (cache(core), core.threads.first()))).map_err(|uneven| {
        let first = |of| cores.iter().find(|core| cache(core) == of)?.threads.first().copied();
        unequal(topology, "last-level caches", "cores", uneven, |of| first(of).map(Part::Processor))
    })?;
    Ok(if groups == of_node { 1 } else { groups })
}
