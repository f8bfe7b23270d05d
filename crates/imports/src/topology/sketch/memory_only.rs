//! Memory-only nodes: the units that they are next to, and their kinds.

use super::hierarchy::Levels;
use super::speeds::{self, Best};
use crate::topology::generations::generation;
use crate::topology::{Node, Topology};
use numalab_base::{Bytes, Span};
use numalab_machine::{LevelKind, Machine, MemoryOnly, totals};
use std::collections::BTreeSet;

/// A memory-only node with the unit that it is next to: kind `near`, number `unit`.
struct Placed<'a> {
    node: &'a Node,
    name: String,
    near: LevelKind,
    unit: u32,
    latency: Span,
}

/// Adds the topology's memory-only nodes to the machine; returns the operating system's numbers in the machine's
/// order.
pub(super) fn place(
    topology: &Topology,
    levels: &Levels,
    machine: &mut Machine,
    stated: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Vec<u32> {
    let memory = |node: &&Node| node.processors.is_empty() && node.capacity.is_some_and(|bytes| bytes > 0);
    let alone = topology.nodes.iter().filter(memory);
    warn_of_packages(topology, alone.clone(), warnings);
    let mut placed: Vec<Placed<'_>> =
        alone.filter_map(|node| placed(topology, levels, machine, node, warnings)).collect();
    placed.sort_by_key(|one| (one.unit, one.node.number));
    let mut numbers = Vec::new();
    while !placed.is_empty() {
        let (mut kind, nodes) = next_kind(&mut placed, machine);
        state(topology, &mut kind, &nodes, stated);
        numbers.extend(nodes);
        machine.memory_only.push(kind);
    }
    numbers
}

/// Sets stated values of a kind's nodes: of several, those of the slowest.
fn state(topology: &Topology, kind: &mut MemoryOnly, nodes: &[u32], stated: &mut Vec<String>) {
    let all: Vec<Best> = nodes.iter().map(|&number| speeds::best(topology, number, |_| true)).collect();
    let bandwidths = all.iter().filter_map(|best| best.bandwidth);
    if let Some(bandwidth) = bandwidths.min_by(|a, b| a.0.total_cmp(&b.0)) {
        kind.bandwidth = bandwidth;
        stated.push(format!("memory_only.{}.bandwidth", kind.name));
    }
    if let Some(latency) = all.iter().filter_map(|best| best.latency).max() {
        kind.latency = latency;
        stated.push(format!("memory_only.{}.latency", kind.name));
    }
}

/// Removes nodes of the first node's kind from `placed`: one at each unit if all units have about the same memory,
/// otherwise only the first node. Returns the kind and the numbers of these nodes.
fn next_kind(placed: &mut Vec<Placed<'_>>, machine: &Machine) -> (MemoryOnly, Vec<u32>) {
    let bytes = |one: &Placed<'_>| one.node.capacity.unwrap_or(0);
    let (name, near) = (placed[0].name.clone(), placed[0].near);
    // The first node of this kind at each unit.
    let mut units = BTreeSet::new();
    let alike: Vec<usize> = (0..placed.len())
        .filter(|&at| placed[at].name == name && placed[at].near == near && units.insert(placed[at].unit))
        .collect();
    let sizes = || alike.iter().map(|&at| bytes(&placed[at]));
    let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
    let everywhere = alike.len() as u32 == units_of(machine, near) && most - least <= most / 10;
    let chosen = if everywhere { alike } else { vec![0] };
    let latency = chosen.iter().map(|&at| placed[at].latency).max().unwrap_or_default();
    let kind = MemoryOnly {
        near,
        only_at: (!everywhere).then_some(placed[0].unit),
        // The model must not hold more pages than the machine.
        capacity: Bytes(chosen.iter().map(|&at| bytes(&placed[at])).min().unwrap_or(0)),
        name: unused(name, placed[0].node.number, machine),
        ..MemoryOnly::new(Bytes(1), latency, machine.memory.bandwidth)
    };
    let numbers = chosen.iter().map(|&at| placed[at].node.number).collect();
    for at in chosen.into_iter().rev() {
        placed.remove(at);
    }
    (kind, numbers)
}

/// Appends the node's number to a kind's name that the machine already has.
fn unused(name: String, number: u32, machine: &Machine) -> String {
    match machine.memory_only.iter().any(|kind| kind.name == name) {
        true => format!("{name}-{number}"),
        false => name,
    }
}

fn placed<'a>(
    topology: &Topology,
    levels: &Levels,
    machine: &Machine,
    node: &'a Node,
    warnings: &mut Vec<String>,
) -> Option<Placed<'a>> {
    let (nodes, distance) = hosts(topology, levels, node);
    let number = node.number;
    let (near, unit) = unit_of(machine, &nodes).unwrap_or_else(|| {
        let first = nodes.first().copied().unwrap_or(0);
        let next_to =
            levels.nodes.get(first).and_then(|&at| topology.nodes.get(at)).map_or(0, |one| one.number);
        warnings.push(format!(
            "node {number} is memory next to no socket or node in particular: taken as next to node {next_to}"
        ));
        (LevelKind::Node, first as u32)
    });
    let name = in_package(topology, node).map_or_else(|| name(node), str::to_owned);
    let latency = Span((machine.memory.latency.0 as f64 * (distance / 10.0).clamp(1.0, 25.4)) as u64);
    Some(Placed { node, name, near, unit, latency })
}

/// Nodes with processors next to the memory of `node`, by index in the machine, and their distance: the nodes that
/// the source states, otherwise the nearest ones.
fn hosts(topology: &Topology, levels: &Levels, node: &Node) -> (Vec<usize>, f64) {
    let index = topology.nodes.iter().position(|other| other.number == node.number);
    let row = |at: usize| -> Option<f64> {
        topology.distances.as_ref()?.get(levels.nodes[at]).and_then(|row| row.get(index?)).copied()
    };
    let own = |at: usize| topology.nodes.get(levels.nodes[at]);
    let written: Vec<usize> = (0..levels.nodes.len())
        .filter(|&at| {
            own(at).is_some_and(|own| own.processors.iter().any(|number| node.near.contains(number)))
        })
        .collect();
    let all: Vec<usize> = (0..levels.nodes.len()).collect();
    let among = if written.is_empty() { &all } else { &written };
    let nearest = among.iter().filter_map(|&at| row(at)).fold(f64::INFINITY, f64::min);
    let distance = if nearest.is_finite() { nearest } else { 10.0 };
    if !written.is_empty() {
        return (written, distance);
    }
    let close = all.iter().copied().filter(|&at| row(at).is_none_or(|far| far <= nearest)).collect();
    (close, distance)
}

fn units_of(machine: &Machine, near: LevelKind) -> u32 {
    let all = totals(machine);
    match near {
        LevelKind::Board => all.boards.unwrap_or(1),
        LevelKind::Socket => all.sockets.unwrap_or(1),
        LevelKind::Node | LevelKind::Chip | LevelKind::Cluster | LevelKind::Core => all.nodes,
    }
}

/// Smallest unit that consists of exactly these nodes.
fn unit_of(machine: &Machine, nodes: &[usize]) -> Option<(LevelKind, u32)> {
    let all = totals(machine);
    // A node that is a whole socket is written as a socket.
    let kinds = [
        (LevelKind::Socket, all.sockets),
        (LevelKind::Node, Some(all.nodes)),
        (LevelKind::Board, all.boards),
    ];
    kinds.into_iter().find_map(|(kind, units)| {
        let each = (all.nodes / units.filter(|units| *units > 0)?) as usize;
        let first = *nodes.first()?;
        let whole = first.is_multiple_of(each) && nodes.iter().copied().eq(first..first + each);
        whole.then_some((kind, (first / each) as u32))
    })
}

/// Names the nodes that are taken for memory in the processors' package.
fn warn_of_packages<'a>(
    topology: &Topology,
    alone: impl Iterator<Item = &'a Node>,
    warnings: &mut Vec<String>,
) {
    let taken = alone.filter_map(|node| Some((node.number, in_package(topology, node)?)));
    let (numbers, kinds): (Vec<String>, Vec<&str>) =
        taken.map(|(number, kind)| (number.to_string(), kind)).unzip();
    if let Some(kind) = kinds.first() {
        warnings.push(format!(
            "memory without processors is no larger than that in the package of this processor, and taken for {kind}: \
             nodes {}",
            numbers.join(", ")
        ));
    }
}

/// Kind of a node that may be the memory in the processor's package by its size, if no kind is written.
fn in_package(topology: &Topology, node: &Node) -> Option<&'static str> {
    let stacked = generation(topology.model.as_deref()?)?.stacked.as_ref()?;
    let fits = node.kind.is_none() && node.capacity? <= stacked.capacity << 30;
    fits.then(|| stacked.kind())
}

/// Kind as a word of the machine file: `HBM` is `hbm`, `CXL-DRAM` is `cxl`; `memory` if unknown.
fn name(node: &Node) -> String {
    let written = node.kind.as_deref().unwrap_or("");
    let known = ["hbm", "mcdram", "cxl", "nvm", "gpu"];
    let lower = written.to_ascii_lowercase();
    if let Some(known) = known.iter().find(|known| lower.contains(**known)) {
        return (*known).to_owned();
    }
    let letters: String = lower.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(20).collect();
    let sound =
        letters.starts_with(|c: char| c.is_ascii_alphabetic()) && letters != "all" && letters != "dram";
    if sound { letters } else { "memory".to_owned() }
}
