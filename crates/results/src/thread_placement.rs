//! A node for each thread, chosen from access counts.

use serde::{Deserialize, Serialize};

/// Placements of several algorithms for one thread-node table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadPlacement {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Source of the table.
    pub table: String,
    /// Names of the threads.
    pub threads: Vec<String>,
    /// Names of the nodes.
    pub nodes: Vec<String>,
    /// Most threads on a node.
    pub cores_per_node: u32,
    /// Cost of a remote access, in local ones.
    pub numa_factor: f64,
    /// Number of accesses in the table.
    pub accesses: u64,
    /// One placement for each algorithm.
    pub placements: Vec<PlacementRecord>,
}

/// The placement of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRecord {
    /// Name of the algorithm, as typed.
    pub algorithm: String,
    /// Why there is no placement; the other fields are then empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Name of the node of each thread.
    pub node_of_thread: Vec<String>,
    /// Number of local accesses.
    pub local_accesses: u64,
    /// The largest impact on any node: local accesses plus NUMA factor times remote ones, summed over
    /// the threads there.
    pub critical_path: f64,
    /// Value for `OMP_PLACES`: one place for each thread.
    pub omp_places: String,
}
