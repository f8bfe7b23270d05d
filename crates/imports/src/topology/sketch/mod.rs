//! Makes a machine of the model from a topology.
//!
//! `cores` puts processors into cores, nodes and sockets. `hierarchy` makes uniform levels of them or says why it
//! cannot, with `nest` for the sizes of groups and `positions` for the places of cores in them. `memory` sets the sizes of nodes, `memory_only` places memory without processors. `inner` reads sockets that share a node. `boards` looks
//! for groups of sockets in the distances. `caches` finds out which cores share them. `numbers` finds the operating
//! system's numbering. `speeds` takes stated bandwidths and latencies. `assumed` lists the values that are left to measure. `unsuited` is the error, with its line.

mod assumed;
mod boards;
mod caches;
mod cores;
mod hierarchy;
mod inner;
mod memory;
mod memory_only;
mod nest;
mod numbers;
mod positions;
mod speeds;
mod unsuited;

use super::{Node, Topology};
use numalab_base::Frequency;
use numalab_machine::{Machine, synthetic};
pub use unsuited::Unsuited;

/// A machine with the shape of a topology. Values that need measurements are those of a synthetic machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineSketch {
    /// The machine, valid.
    pub machine: Machine,
    /// The operating system's number of each processor, by the processor's number in the machine; `None` for those that
    /// the machine has and the system does not use. Usually the two numbers are equal.
    pub processors: Vec<Option<u32>>,
    /// The operating system's number of each node with processors, in the order of the machine.
    pub nodes: Vec<u32>,
    /// The operating system's number of each memory-only node, in the order of the machine.
    pub memory_only: Vec<u32>,
    /// Paths in a machine file (`memory.latency`) of values that no source states and that are assumed.
    pub assumed: Vec<String>,
    /// Sentence on what stands for processors that are not in the table of generations; `None` if they are, or if nothing is
    /// assumed.
    pub unknown: Option<String>,
    /// Paths of values of memory without processors whose kind is not known; those of memory beside processors are
    /// taken.
    pub unknown_memory: Vec<String>,
    /// Features of the topology that the model cannot express, and that were left out or averaged.
    pub warnings: Vec<String>,
}

impl Topology {
    /// Makes a machine of the model from the topology.
    pub fn machine(&self, name: &str) -> Result<MachineSketch, Unsuited> {
        let mut warnings = Vec::new();
        if let Some(sockets) = self.sockets_as_nodes() {
            let mut sketch = sockets.machine(name)?;
            let said = "the memory beside each socket is not stated: each socket is taken for a node";
            sketch.warnings.insert(0, said.to_owned());
            return Ok(sketch);
        }
        if self.core_kinds.len() > 1 {
            let counts: Vec<String> = self.core_kinds.iter().map(u32::to_string).collect();
            warnings.push(format!(
                "cores of {} kinds, with {} processors: the model has one kind, and all are taken as equal",
                counts.len(),
                counts.join(" and ")
            ));
        }
        let cores = cores::cores(self, &mut warnings)?;
        let levels = hierarchy::levels(self, cores, &mut warnings)?;
        let mut machine = synthetic(&levels.spec).map_err(|error| Unsuited::new(error.to_string()))?;
        machine.name = name.to_owned();
        machine.description = self.description(&levels.spec);
        machine.caches = caches::caches(self, &levels, machine.caches, &mut warnings)?;
        memory::set(self, &levels, &mut machine, &mut warnings);
        if let Some(clock) = self.clock {
            machine.core.clock = Frequency(clock);
        }
        if let Some(problem) = machine.check().into_iter().next() {
            return Err(Unsuited::new(format!("this machine cannot be simulated: {problem}")));
        }
        let processors = numbers::set(&mut machine, &levels, &mut warnings)?;
        let nodes = levels.nodes.iter().map(|&node| self.node_number(node)).collect();
        let mut stated = speeds::state(self, &levels, &mut machine);
        let memory_only = memory_only::place(self, &levels, &mut machine, &mut stated, &mut warnings);
        if let Some(problem) = machine.check().into_iter().next() {
            return Err(Unsuited::new(format!("this machine cannot be simulated: {problem}")));
        }
        let mut assumed = assumed::paths(self, &machine);
        assumed.retain(|path| !stated.contains(path));
        Ok(MachineSketch {
            machine,
            processors,
            nodes,
            memory_only,
            assumed,
            unknown: None,
            unknown_memory: Vec::new(),
            warnings,
        })
    }

    /// Turns a single node without memory that spans several sockets into one node per socket: the topology's author
    /// knew only the processors.
    fn sockets_as_nodes(&self) -> Option<Topology> {
        let [node] = &self.nodes[..] else { return None };
        // `lscpu` states no memory, but knows the nodes.
        if node.capacity != Some(0) {
            return None;
        }
        let mut packages: Vec<(u32, Vec<u32>)> = Vec::new();
        for processor in &self.processors {
            let package = processor.package?;
            match packages.iter_mut().find(|(known, _)| *known == package) {
                Some((_, numbers)) => numbers.push(processor.number),
                None => packages.push((package, vec![processor.number])),
            }
        }
        if packages.len() < 2 {
            return None;
        }
        let node = |(number, (_, processors)): (u32, (u32, Vec<u32>))| Node {
            number,
            processors,
            ..Node::default()
        };
        let nodes = (0..).zip(packages).map(node).collect();
        Some(Topology { nodes, distances: None, ..self.clone() })
    }

    fn description(&self, spec: &str) -> String {
        match &self.model {
            Some(model) => format!("{model}, {spec}"),
            None => spec.to_owned(),
        }
    }

    /// The operating system's number of the node at an index; 0 without nodes.
    fn node_number(&self, index: usize) -> u32 {
        self.nodes.get(index).map_or(0, |node| node.number)
    }
}
