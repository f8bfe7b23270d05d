//! Memory of nodes with processors, by the data sheet of a socket.

use super::{Assumption, SUSTAINED, Source};
use crate::topology::generations::Generation;
use crate::topology::{MachineSketch, Topology, write_costs};
use numalab_base::{Bandwidth, Span};
use numalab_machine::totals;
use std::collections::BTreeSet;

impl MachineSketch {
    pub(super) fn take_memory(
        &mut self,
        found: &Generation,
        topology: &Topology,
        said: &mut Vec<Assumption>,
    ) {
        let sheet = |what: &str| Source::sheet(format!("data sheet of {}: {what}", found.name));
        if self.is_open("memory.bandwidth") {
            let (peak, channels) = found.memory;
            let share = self.nodes_of_a_socket(topology);
            let of_nodes = match share {
                share if share > 1.0 => format!(", a {share}th of it for each node"),
                share if share < 1.0 => format!(", {} sockets of it for each node", 1.0 / share),
                _ => String::new(),
            };
            let cost = write_costs::of(found);
            let sustained = cost.map_or(SUSTAINED, |cost| cost.sustained(SUSTAINED));
            let memory = &mut self.machine.memory;
            memory.bandwidth = Bandwidth(peak * 1e9 * sustained / share);
            (memory.read_bandwidth, memory.write_bandwidth) = (None, None);
            let source = sheet(&format!(
                "{channels}, {peak} GB/s{of_nodes}; {sustained} of it assumed to be sustained"
            ));
            said.push(Assumption::new("memory.bandwidth", memory.bandwidth, source));
            for path in ["memory.read_bandwidth", "memory.write_bandwidth"] {
                said.push(Assumption::new(path, "as all together", "assumed"));
            }
            if let Some(cost) = cost {
                memory.write_cost = Some(cost.cost);
                let source = format!("assumed, as of {}", cost.made_of);
                said.push(Assumption::new("memory.write_cost", cost.cost, source));
            }
        }
        if self.is_open("memory.latency") {
            self.machine.memory.latency = Span((found.latency * 1e3) as u64);
            let source = format!("assumed, of the order of idle latencies of {}", found.name);
            said.push(Assumption::new("memory.latency", self.machine.memory.latency, source));
        }
        self.machine.core.flops_per_cycle = found.flops.0;
        said.push(Assumption::new("core.flops_per_cycle", found.flops.0, sheet(found.flops.1)));
    }

    /// Number of nodes in a socket; below 1 if a node holds several sockets, which the machine then does not model.
    pub(super) fn nodes_of_a_socket(&self, topology: &Topology) -> f64 {
        let all = totals(&self.machine);
        let packages: BTreeSet<Option<u32>> =
            topology.processors.iter().map(|processor| processor.package).collect();
        let sockets = f64::from(all.sockets.unwrap_or(packages.len() as u32).max(1));
        f64::from(all.nodes.max(1)) / sockets
    }
}
