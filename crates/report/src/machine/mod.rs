//! Descriptions of a machine (indented tree, graph, route between two nodes) and of a runtime.

mod dot;
mod exports;
mod path;
mod runtime;
mod tree;

pub use dot::dot;
pub use exports::{hwloc_xml, numactl};
pub use path::path;
pub use runtime::runtime;
pub use tree::tree;

use numalab_base::parameter::Parameters;
use numalab_machine::{Link, Machine};

/// `12.8 GB/s each way, 25.0 ns`: bandwidth of all lanes together, and latency.
pub fn link_facts(link: &Link) -> String {
    let way = if link.is_half_duplex() { "both ways together" } else { "each way" };
    let bandwidth = numalab_base::Bandwidth(link.bandwidth.0 * f64::from(link.lanes));
    let lanes = if link.lanes > 1 { format!(" over {} lanes", link.lanes) } else { String::new() };
    with_phrases(format!("{bandwidth} {way}{lanes}, {}", link.latency), link, ", ")
}

/// Appends the parameters of `table`, each as a phrase, to `words`.
fn with_phrases(words: String, table: &impl Parameters, separator: &str) -> String {
    table.phrases().iter().fold(words, |words, phrase| words + separator + phrase)
}

/// Number of levels of the machine from the outermost down to the NUMA nodes, inclusive.
pub fn node_depth(machine: &Machine) -> usize {
    machine.levels.iter().take_while(|level| level.kind.holds_memory()).count()
}
