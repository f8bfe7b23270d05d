//! A node for each thread, chosen from access counts.

use serde::{Deserialize, Serialize};

/// Placements of several algorithms for one thread-node table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadPlacement {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// File name or other source of the table.
    pub table: String,
    /// Names of the threads, as in the table.
    pub threads: Vec<String>,
    /// Names of the nodes, as in the header of the table.
    pub nodes: Vec<String>,
    /// Largest number of threads on a node.
    pub cores_per_node: u32,
    /// Cost of a remote access, as a multiple of a local one.
    pub numa_factor: f64,
    /// Sum of all access counts of the table.
    pub accesses: u64,
    /// Results of the algorithms that were requested.
    pub placements: Vec<PlacementRecord>,
}

/// Result of one placement algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRecord {
    /// Name of the algorithm, as typed.
    pub algorithm: String,
    /// Name of the chosen node for each thread, in the order of the threads.
    pub node_of_thread: Vec<String>,
    /// Number of accesses to the node of the accessing thread.
    pub local_accesses: u64,
    /// Largest cost of any node: local accesses plus NUMA factor times remote accesses, summed over the threads on
    /// the node.
    pub critical_path: f64,
    /// Value for `OMP_PLACES`: one place for each thread.
    pub omp_places: String,
}
