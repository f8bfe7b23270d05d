//! Values that no topology states. Until they are measured, the values are those of a synthetic machine.

use crate::topology::Topology;
use numalab_machine::Machine;

/// Paths of all values that no topology states, in the order of a machine file.
pub(super) fn paths(topology: &Topology, machine: &Machine) -> Vec<String> {
    let mut paths = vec!["protocol".to_owned()];
    for link in &machine.links {
        paths.extend(["bandwidth", "latency", "lanes"].map(|field| format!("link.{}.{field}", link.name)));
    }
    if topology.clock.is_none() {
        paths.push("core.clock".to_owned());
    }
    paths.extend(
        ["flops_per_cycle", "instructions_per_cycle", "outstanding"].map(|field| format!("core.{field}")),
    );
    for (at, cache) in machine.caches.iter().enumerate() {
        let known = topology.caches.iter().any(|unit| unit.level == cache.level && unit.size > 0);
        let fields = ["size", "latency", "bandwidth"].into_iter().skip(usize::from(known));
        paths.extend(fields.map(|field| format!("cache[{at}].{field}")));
    }
    if !topology.nodes.iter().any(|node| node.capacity.is_some_and(|bytes| bytes > 0)) {
        paths.push("memory.capacity".to_owned());
    }
    paths.extend(
        ["latency", "bandwidth", "read_bandwidth", "write_bandwidth"].map(|field| format!("memory.{field}")),
    );
    for kind in &machine.memory_only {
        paths.extend(["latency", "bandwidth"].map(|field| format!("memory_only.{}.{field}", kind.name)));
    }
    if !topology.caches.iter().any(|cache| cache.line.is_some()) {
        paths.push("memory.line".to_owned());
    }
    if topology.page.is_none() {
        paths.push("memory.page".to_owned());
    }
    paths.push("os".to_owned());
    paths
}
