//! Values for a machine that was not measured, by the generation of its processors, each with its source.
//!
//! `alike` takes the values of another machine instead. `cores` has cores and caches, `memory` the nodes, `links` the ways
//! between them, `lines` what lines between cores take, `chips` the ports of chips, `memory_only` memory without
//! processors. `companions` lets values follow what the user sets. `contradictions` compares what comes of it with the distances of the same input.

mod alike;
mod chips;
mod companions;
mod contradictions;
mod cores;
#[cfg(test)]
mod laws;
mod lines;
mod links;
mod memory;
mod memory_only;

use super::generations::{Generation, generation};
use super::nearest::nearest;
use super::{MachineSketch, Topology};
use numalab_base::{Bytes, ValueOrigin};
use numalab_files::machine_text;
use numalab_syntax::toml_tree;
use numalab_syntax::tree::{Node, Value};

/// Fraction of the peak of memory and links that programs get: an assumption of the order of STREAM's results.
const SUSTAINED: f64 = 0.8;
/// Memory of a node of unknown capacity.
const CAPACITY: Bytes = Bytes(64 << 30);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Path in a machine file.
    pub path: String,
    /// Assumed value; empty if the path has no single value.
    pub value: String,
    /// Source in words.
    pub source: String,
    pub origin: ValueOrigin,
}

impl Assumption {
    fn new(path: impl Into<String>, value: impl ToString, source: impl Into<Source>) -> Assumption {
        let Source { text, origin } = source.into();
        Assumption { path: path.into(), value: value.to_string(), source: text, origin }
    }
}

/// Source of a value in words, and its kind. Texts that say nothing else are of assumed values.
#[derive(Clone)]
struct Source {
    text: String,
    origin: ValueOrigin,
}

impl Source {
    fn sheet(text: String) -> Source {
        Source { text, origin: ValueOrigin::Sheet }
    }

    fn synthetic(reason: &str) -> Source {
        Source { text: format!("a synthetic machine's: {reason}"), origin: ValueOrigin::Default }
    }
}

impl<T: Into<String>> From<T> for Source {
    fn from(text: T) -> Source {
        Source { text: text.into(), origin: ValueOrigin::Assumed }
    }
}

impl MachineSketch {
    /// Replaces defaults by values of the processors' generation, and lists all values that are not measured.
    /// `topology` is the topology that the machine was made from.
    pub fn assume(&mut self, topology: &Topology) -> Vec<Assumption> {
        let known = topology.model.as_deref().and_then(generation);
        let nearest = if known.is_none() { nearest(topology) } else { None };
        if known.is_none() {
            self.unknown = Some(unknown(topology, nearest));
        }
        self.assume_of(known.or(nearest.map(|(generation, _)| generation)), topology)
    }

    /// As [`MachineSketch::assume`], with processors of a generation, or of none that is known.
    fn assume_of(&mut self, found: Option<&Generation>, topology: &Topology) -> Vec<Assumption> {
        let mut said = Vec::new();
        if let Some(found) = found {
            self.take_memory(found, topology, &mut said);
            self.take_cores(found, &mut said);
        }
        if found.is_none() && self.is_open("memory.bandwidth") {
            // The limits of a machine of 2010 would stay where another bandwidth is set.
            let memory = &mut self.machine.memory;
            (memory.read_bandwidth, memory.write_bandwidth) = (None, None);
            for path in ["memory.read_bandwidth", "memory.write_bandwidth"] {
                said.push(Assumption::new(path, "as all together", "assumed"));
            }
        }
        self.take_links(found, &mut said);
        if self.is_open("memory.capacity") {
            self.machine.memory.capacity = CAPACITY;
            let value = self.machine.memory.capacity;
            said.push(Assumption::new("memory.capacity", value, "assumed: the size is not stated"));
        }
        self.memory_only_of_its_kind(found, None, &mut said);
        if let Some(found) = found {
            self.take_ports(found, topology, &mut said);
            self.take_lines(found, &mut said);
        }
        let rest = match (found, &topology.model) {
            (Some(found), _) => format!("no data sheet of {} says it", found.name),
            (None, Some(model)) => format!("nothing is known of \"{}\"", model.trim()),
            (None, None) => "the processor is not named".to_owned(),
        };
        self.the_rest(Source::synthetic(&rest), &mut said);
        self.warnings.extend(contradictions::with_distances(self, topology));
        said
    }

    /// True if no source states the value at a path of a machine file.
    fn is_open(&self, path: &str) -> bool {
        self.assumed.iter().any(|assumed| assumed == path)
    }

    /// Adds all values that no source states and that are not in `said` yet.
    fn the_rest(&self, source: Source, said: &mut Vec<Assumption>) {
        let text = machine_text(&self.machine, &|_| None);
        let tree = toml_tree::parse(&text, 0).root;
        let others = self.assumed.iter().filter(|path| said.iter().all(|one| one.path != **path));
        let others: Vec<Assumption> =
            others.map(|path| Assumption::new(path, written(&tree, &text, path), source.clone())).collect();
        said.extend(others);
    }
}

/// Processors that stand for those whose name is not in the table.
fn unknown(topology: &Topology, nearest: Option<(&Generation, &str)>) -> String {
    let processor = match &topology.model {
        Some(model) => format!("the processor \"{}\" is unknown", model.trim()),
        None => "the processor is not named".to_owned(),
    };
    let taken = match nearest {
        Some((generation, facts)) => format!("{}, the nearest by {facts}, is taken for it", generation.name),
        None => "a machine of 2010 is taken for it".to_owned(),
    };
    format!("{processor}: {taken}")
}

/// Value at a path of a machine file; empty if the value takes more than a line.
fn written(tree: &Node, text: &str, path: &str) -> String {
    let found = tree.at(path).filter(|node| !matches!(node.value, Value::Table(_)));
    let found = found.and_then(|node| text.get(node.span.start..node.span.end));
    let found = found.filter(|value| !value.contains('\n'));
    found.unwrap_or_default().trim_matches('"').to_owned()
}
