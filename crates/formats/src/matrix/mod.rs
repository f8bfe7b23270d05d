//! Tables of numbers: distances between NUMA nodes, and accesses of threads to nodes.
//!
//! Distances are read from CSV or from what `numactl --hardware` prints; access counts from CSV or from
//! the results of a simulated run. Every mistake is shown on its line.

pub(crate) mod cells;
mod counts_csv;
mod distances_csv;
pub(crate) mod numactl;
mod run_counts;

pub use run_counts::run_counts;

use crate::diagnostics::{Diagnostics, Source};
use crate::text_file;
use std::path::Path;

/// Largest file that is read: 2000 nodes fit.
const MOST_BYTES: u64 = 32 << 20;

/// Distances between the NUMA nodes of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceMatrix {
    /// The nodes' names, as many as there are rows: those of the file, or numbers from 0.
    pub names: Vec<String>,
    /// From each node to each node, as many columns as rows. Finite and not negative.
    pub rows: Vec<Vec<f64>>,
    /// Which nodes the file says have memory and no processors.
    pub memory_only: Vec<usize>,
}

/// How often each thread accessed the memory of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadNodeTable {
    /// The threads' names.
    pub threads: Vec<String>,
    /// The nodes' names.
    pub nodes: Vec<String>,
    /// For each thread a count for each node.
    pub counts: Vec<Vec<u64>>,
}

impl DistanceMatrix {
    /// The distances between the nodes that threads can run on.
    pub fn with_processors(&self) -> DistanceMatrix {
        let kept: Vec<usize> = (0..self.rows.len()).filter(|node| !self.memory_only.contains(node)).collect();
        DistanceMatrix {
            names: kept.iter().map(|&node| self.names[node].clone()).collect(),
            rows: kept.iter().map(|&a| kept.iter().map(|&b| self.rows[a][b]).collect()).collect(),
            memory_only: Vec::new(),
        }
    }
}

/// Reads distances from a file: CSV, or what `numactl --hardware` printed.
pub fn distance_matrix(path: &Path) -> Result<DistanceMatrix, Diagnostics> {
    let source =
        text_file::read(path, MOST_BYTES, "distances as CSV, or what \"numactl --hardware\" prints")?;
    distances(source)
}

/// Reads distances from a text; `name` is what errors call it.
pub fn distance_matrix_from_text(name: &str, text: &str) -> Result<DistanceMatrix, Diagnostics> {
    distances(Source { name: name.to_owned(), text: text.to_owned() })
}

fn distances(source: Source) -> Result<DistanceMatrix, Diagnostics> {
    let read = if numactl::printed(&source.text) { numactl::read } else { distances_csv::read };
    read(&source.text).map_err(|items| Diagnostics::new(vec![source], items))
}

/// Reads a thread-node table from a CSV file: a header with the nodes' names behind the word `thread`,
/// then a line for each thread with its name and its counts.
pub fn thread_node_table(path: &Path) -> Result<ThreadNodeTable, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "a thread-node table as CSV")?;
    counts_csv::read(&source.text).map_err(|items| Diagnostics::new(vec![source], items))
}

#[cfg(test)]
mod tests;
