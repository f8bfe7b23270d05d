//! Matrices of distances between NUMA nodes, and of accesses of threads to nodes.
//!
//! Distances are read from CSV or from output of `numactl --hardware`, access counts from CSV or from the results of
//! a simulated run. Errors show their line.

mod counts_csv;
pub(crate) mod numactl;
mod run_counts;
mod run_counts_error;

pub use run_counts::run_counts;
pub use run_counts_error::RunCountsError;

use numalab_files::DistanceMatrix;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use std::path::Path;

/// Largest file that is read: a matrix of 2000 nodes fits.
const MOST_BYTES: u64 = 32 << 20;

/// Accesses of each thread to the memory of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadNodeTable {
    pub threads: Vec<String>,
    pub nodes: Vec<String>,
    /// Number of accesses by thread, then node.
    pub counts: Vec<Vec<u64>>,
}

/// Reads distances from CSV or from output of `numactl --hardware`.
pub fn distance_matrix(path: &Path) -> Result<DistanceMatrix, Diagnostics> {
    let source =
        text_file::read(path, MOST_BYTES, "distances as CSV, or what \"numactl --hardware\" prints")?;
    distances(source)
}

fn distances(source: Source) -> Result<DistanceMatrix, Diagnostics> {
    match numactl::printed(&source.text) {
        true => numactl::read(&source.text).map_err(|items| Diagnostics::new(vec![source], items)),
        false => numalab_files::distance_matrix_from_text(&source.name, &source.text),
    }
}

/// Reads a thread-node table from CSV: a header of the word `thread` and the nodes' names, then a line for each
/// thread with its name and its counts.
pub fn thread_node_table(path: &Path) -> Result<ThreadNodeTable, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "a thread-node table as CSV")?;
    counts_csv::read(&source.text).map_err(|items| Diagnostics::new(vec![source], items))
}

#[cfg(test)]
mod tests;
