//! Bandwidths and latencies that the source of the topology states.

use super::hierarchy::Levels;
use crate::topology::{Speed, Topology};
use numalab_base::{Bandwidth, Span};
use numalab_machine::{LevelKind, Machine};

/// Best stated values of reads from a node's memory by some processors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Best {
    pub bandwidth: Option<Bandwidth>,
    pub latency: Option<Span>,
}

/// Best values of the memory of a node, by all initiators that fit.
pub(super) fn best(topology: &Topology, number: u32, fits: impl Fn(&Speed) -> bool) -> Best {
    let of_node = || topology.speeds.iter().filter(|speed| speed.node == number && fits(speed));
    let bandwidth = of_node().filter_map(|speed| speed.bandwidth).max_by(f64::total_cmp);
    let latency = of_node().filter_map(|speed| speed.latency).min_by(f64::total_cmp);
    Best { bandwidth: bandwidth.map(Bandwidth), latency: latency.map(|ns| Span((ns * 1e3) as u64)) }
}

/// Sets what is stated of the memory of nodes with processors, and of the ways between them. Returns the paths.
pub(super) fn state(topology: &Topology, levels: &Levels, machine: &mut Machine) -> Vec<String> {
    let mut stated = Vec::new();
    let own: Vec<Best> = levels.nodes.iter().filter_map(|&at| own(topology, at)).collect();
    // The slowest node stands for all: the model must not promise more than the machine has.
    let bandwidth = own.iter().filter_map(|best| best.bandwidth).min_by(|a, b| a.0.total_cmp(&b.0));
    let latency = own.iter().filter_map(|best| best.latency).max();
    if let Some(bandwidth) = bandwidth {
        let memory = &mut machine.memory;
        memory.bandwidth = bandwidth;
        (memory.read_bandwidth, memory.write_bandwidth) = (None, None);
        stated.extend(
            ["bandwidth", "read_bandwidth", "write_bandwidth"].map(|field| format!("memory.{field}")),
        );
    }
    if let Some(latency) = latency {
        machine.memory.latency = latency;
        stated.push("memory.latency".to_owned());
    }
    for kind in [LevelKind::Node, LevelKind::Socket] {
        let level = machine.levels.iter().find(|level| level.kind == kind);
        let Some(link) = level.and_then(|level| level.interconnect.as_ref()).map(|joined| joined.link) else {
            continue;
        };
        let (far, local) = (farther(topology, levels, kind), machine.memory.latency);
        let Some(link) = machine.links.get_mut(link.0) else { continue };
        let path = |field: &str| format!("link.{}.{field}", link.name);
        let (bandwidth_path, latency_path) = (path("bandwidth"), path("latency"));
        if let Some(bandwidth) = far.bandwidth {
            link.bandwidth = bandwidth;
            stated.push(bandwidth_path);
        }
        if let (Some(far), Some(_)) = (far.latency, latency) {
            // The link is crossed twice.
            link.latency = Span(far.0.saturating_sub(local.0) / 2);
            stated.push(latency_path);
        }
    }
    stated
}

/// Values of a node's memory for its own processors.
fn own(topology: &Topology, at: usize) -> Option<Best> {
    let node = topology.nodes.get(at)?;
    let from_node =
        |speed: &Speed| speed.from.iter().any(|number| node.processors.binary_search(number).is_ok());
    Some(best(topology, node.number, from_node))
}

/// Values of memory for processors of another node of the socket, or of another socket.
fn farther(topology: &Topology, levels: &Levels, kind: LevelKind) -> Best {
    let package = |number: u32| {
        topology.processors.iter().find(|processor| processor.number == number).and_then(|one| one.package)
    };
    let of_level = |from: u32, to: u32| match kind {
        LevelKind::Node => package(from) == package(to),
        _ => package(from) != package(to),
    };
    let nodes = levels.nodes.iter().filter_map(|&at| topology.nodes.get(at));
    let all: Vec<Best> = nodes
        .map(|node| {
            let far = |speed: &Speed| {
                let ends = speed.from.first().zip(node.processors.first());
                !speed.from.iter().any(|number| node.processors.binary_search(number).is_ok())
                    && ends.is_some_and(|(from, to)| of_level(*from, *to))
            };
            best(topology, node.number, far)
        })
        .collect();
    Best {
        bandwidth: all.iter().filter_map(|best| best.bandwidth).min_by(|a, b| a.0.total_cmp(&b.0)),
        latency: all.iter().filter_map(|best| best.latency).max(),
    }
}
