//! Checks that a valid machine is small enough to simulate, and that its memory has a valid number of stops.

use super::{MAX_MEMORY, MAX_PROCESSORS, MAX_RESOURCES};
use crate::problem::Problems;
use crate::{Duplex, Level, Link, LinkId, Machine, Shape};

pub(super) fn check(machine: &Machine, problems: &mut Problems) {
    resources(machine, problems);
    let nodes = machine.units(machine.node_depth());
    let alone = machine
        .memory_only
        .iter()
        .map(|kind| u128::from(kind.capacity.0) * u128::from(machine.memory_only_nodes(kind)));
    let memory = machine.memory_of_processors().0 + alone.sum::<u128>();
    if memory > MAX_MEMORY.0.into() {
        let each = machine.memory.capacity;
        let message = match machine.memory_only.is_empty() && machine.memory_at.is_empty() {
            true => format!("{nodes} nodes of {each} have more than the limit of 1 EiB"),
            false => "all nodes together have more than the limit of 1 EiB".to_owned(),
        };
        problems.add("memory.capacity", message);
    }
    stops(machine, problems);
}

fn stops(machine: &Machine, problems: &mut Problems) {
    let (stops, cores) = (machine.memory.stops, machine.cores_per_node());
    let connected = machine.levels[machine.node_depth()..].iter().any(|level| level.interconnect.is_some());
    if stops > cores {
        problems.add("memory.stops", format!("{stops} stops are more than the {cores} cores of a node"));
    } else if stops > 1 && !connected {
        problems.add("memory.stops", "must be 1 where no interconnect joins the cores of a node");
    } else if u64::from(stops) * u64::from(cores) > MAX_PROCESSORS.into() {
        problems.add(
            "memory.stops",
            format!("{stops} stops by {cores} cores are more routes inside a node than {MAX_PROCESSORS}"),
        );
    }
}

/// Limits memory ports and link directions; the error is reported at the part with the most.
fn resources(machine: &Machine, problems: &mut Problems) {
    let (parts, total) = parts(machine);
    if total <= MAX_RESOURCES.into() {
        return;
    }
    if let Some((most, path)) = parts.into_iter().max_by_key(|part| part.0) {
        problems.add_expecting(
            path,
            format!("needs {most} of the machine's {total} memory ports and link directions"),
            format!("the limit is {MAX_RESOURCES}"),
        );
    }
}

impl Machine {
    /// Upper bound of the number of memory ports and link directions, from a few numbers per level.
    pub fn most_resources(&self) -> u64 {
        parts(self).1
    }
}

/// Number of memory ports or link directions of each part of the machine, with the part's path, and their total.
fn parts(machine: &Machine) -> (Vec<(u64, String)>, u64) {
    let memory = &machine.memory;
    let named = [memory.read_bandwidth, memory.write_bandwidth, memory.random_bandwidth];
    let ports = 1 + named.iter().flatten().count() as u64 + u64::from(memory.turns());
    let nodes = u64::from(machine.units(machine.node_depth()));
    let mut parts = vec![(ports * nodes, "memory".to_owned())];
    for kind in &machine.memory_only {
        // At most four ports per node.
        let ports = 4 * u64::from(machine.memory_only_nodes(kind));
        parts.push((ports, format!("memory_only.{}", kind.name)));
    }
    for (at, level) in machine.levels.iter().enumerate() {
        let containers = u64::from(machine.units(at));
        let inside = containers.saturating_mul(wires(level, &machine.links));
        parts.push((inside, format!("level[{at}].interconnect")));
        let children = containers * u64::from(level.count);
        if let Some(controller) = &level.controller {
            let directions = if controller.is_limited() { 2 * containers } else { 0 };
            parts.push((2 * children + directions, format!("level[{at}].controller")));
        }
        if level.port.is_some() {
            parts.push((2 * children, format!("level[{at}].port")));
        }
    }
    let total = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.0));
    (parts, total)
}

/// Upper bound of the link directions in one container.
fn wires(level: &Level, links: &[Link]) -> u64 {
    let Some(interconnect) = &level.interconnect else { return 0 };
    let count = u64::from(level.count);
    let directions = |LinkId(link)| match links.get(link) {
        Some(Link { duplex: Duplex::Half, .. }) => 1,
        _ => 2,
    };
    let wires = match &interconnect.shape {
        Shape::Mesh => count * (count - 1) / 2,
        Shape::Ring => count,
        Shape::Torus(dims) => count.saturating_mul(dims.iter().filter(|size| **size > 1).count() as u64),
        Shape::Hypercube => count * u64::from(count.trailing_zeros()),
        // With binary switches there are about as many switches as siblings; an unpaired last sibling may
        // add one at every height.
        Shape::FatTree { .. } => 2 * count + 32,
        Shape::Star => count,
        Shape::Edges(edges) => return edges.iter().map(|edge| directions(edge.link)).sum(),
    };
    wires.saturating_mul(directions(interconnect.link))
}
