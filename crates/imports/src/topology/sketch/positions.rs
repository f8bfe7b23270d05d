//! Positions of cores in a machine whose groups are all equal.
//!
//! Of several ways to fill groups that lack cores, the one counts that gives hardware threads the operating system's
//! numbers: a core that is off line leaves a gap in them.

use super::cores::Core;
use super::nest::Nest;
use numalab_machine::{Fabric, Numbering, ProcessorId, synthetic};
use std::collections::BTreeMap;

/// Position of every hardware thread in the machine.
pub(super) struct Positions {
    pub nest: Nest,
    /// Order of numbers that gives each hardware thread the operating system's; `None` if none does.
    pub numbering: Option<Numbering>,
    /// Core of the machine and thread of this core, for each hardware thread of each core.
    pub places: Vec<Vec<(usize, usize)>>,
}

const ORDERS: [Numbering; 3] = [Numbering::CoresFirst, Numbering::ThreadsFirst, Numbering::RoundRobinSockets];

/// Most cores by which a group may exceed the largest one that the system uses.
const MOST_MORE: usize = 16;

/// Most hardware threads of the machine for each that the system uses.
const MOST_TIMES: usize = 8;

/// Positions of cores, which are in the order of the machine. `spec` is the text of the machine for a nest.
pub(super) fn positions(cores: &[Core], nest: Nest, spec: impl Fn(&Nest) -> String) -> Positions {
    let even = in_order(cores, &nest);
    let processors = even.iter().flatten().count();
    let last = cores.iter().flat_map(|core| &core.threads).max().copied().unwrap_or(0) as usize;
    let full = processors == nodes(cores) * nest.node() * nest.threads;
    // Machines without gaps need no search.
    if full && last < processors {
        return Positions { nest, numbering: None, places: even };
    }
    let clusters = nest.clusters().0 > 1;
    let sizes = (0..=MOST_MORE).flat_map(|sum| {
        (0..=if clusters { sum } else { 0 }).map(move |clusters| (sum - clusters, clusters, 1))
    });
    // Second and further hardware threads may all be off, which leaves equal gaps everywhere.
    let threads = [2, 4, 8].map(|threads| (0, 0, threads));
    let candidates: Vec<(usize, usize, usize)> = match full {
        true => threads.into_iter().chain(sizes).collect(),
        false => sizes.chain(threads).collect(),
    };
    for (more, clusters, threads) in candidates {
        let larger = nest.larger(more, clusters, threads);
        if nodes(cores) * larger.node() * larger.threads > MOST_TIMES * processors {
            continue;
        }
        let text = spec(&larger);
        for order in ORDERS {
            if let Some(places) = by_number(cores, &larger, &text, order) {
                return Positions { nest: larger, numbering: Some(order), places };
            }
        }
    }
    Positions { nest, numbering: None, places: even }
}

fn nodes(cores: &[Core]) -> usize {
    let mut nodes: Vec<usize> = cores.iter().map(|core| core.node).collect();
    nodes.dedup();
    nodes.len()
}

/// Fills each group from its first position on.
fn in_order(cores: &[Core], nest: &Nest) -> Vec<Vec<(usize, usize)>> {
    // Number of parts so far in each group, and the position of each part.
    let mut filled: BTreeMap<_, usize> = BTreeMap::new();
    let mut starts: BTreeMap<_, usize> = BTreeMap::new();
    let mut next_node = 0;
    let place = |core: &Core| {
        let groups = nest.groups_of(core);
        let mut start = 0;
        // From the node inwards; a new group takes the next place in the one around it.
        for (at, group) in groups.iter().enumerate().rev() {
            let size = nest.sizes[at];
            start = match starts.get(&(at, *group)) {
                Some(known) => *known,
                None => {
                    let new = match groups.get(at + 1) {
                        None => {
                            next_node += 1;
                            (next_node - 1) * size
                        }
                        Some(around) => {
                            let number = filled.entry((at + 1, *around)).or_default();
                            *number += 1;
                            start + (*number - 1) * size
                        }
                    };
                    starts.insert((at, *group), new);
                    new
                }
            };
        }
        let innermost = groups.first().map(|group| (0, *group));
        let number = innermost.map_or(0, |group| {
            let number = filled.entry(group).or_default();
            *number += 1;
            *number - 1
        });
        (0..core.threads.len()).map(|thread| (start + number, thread)).collect()
    };
    cores.iter().map(place).collect()
}

/// Positions by the operating system's numbers in an order; `None` if these put cores into wrong groups.
fn by_number(cores: &[Core], nest: &Nest, text: &str, order: Numbering) -> Option<Vec<Vec<(usize, usize)>>> {
    let mut machine = synthetic(text).ok()?;
    machine.numbering = order;
    let fabric = Fabric::new(&machine).ok()?;
    // The group of the machine for each group of the topology, and the other way round.
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    let mut same = |at: usize, group: (u32, Option<u32>, u32), position: usize| {
        *there.entry((at, group)).or_insert(position) == position
            && *back.entry((at, position)).or_insert(group) == group
    };
    let mut all = Vec::with_capacity(cores.len());
    for (number, core) in (0..).zip(cores) {
        let mut places = Vec::with_capacity(core.threads.len());
        for &thread in &core.threads {
            if thread >= fabric.processors() {
                return None;
            }
            let found = fabric.processor(ProcessorId::new(thread));
            let position = found.core.0 as usize;
            let groups = nest.groups_of(core).into_iter().zip(&nest.sizes).enumerate();
            let fits = groups.map(|(at, ((node, cache), size))| {
                same(at + 1, (node as u32, cache.map(|cache| cache as u32), 0), position / size)
            });
            if !fits.collect::<Vec<bool>>().into_iter().all(|fits| fits)
                || !same(0, (0, None, number), position)
                || !same(usize::MAX, (core.package, None, 1), position / per_socket(&fabric, &machine))
            {
                return None;
            }
            places.push((position, found.thread as usize));
        }
        all.push(places);
    }
    Some(all)
}

/// Cores of a socket, or of a node on machines without sockets.
fn per_socket(fabric: &Fabric, machine: &numalab_machine::Machine) -> usize {
    (fabric.cores() / numalab_machine::totals(machine).sockets.unwrap_or(1).max(1)) as usize
}
