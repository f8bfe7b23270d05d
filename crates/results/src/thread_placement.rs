//! A node for each thread, chosen from access counts.

use serde::{Deserialize, Serialize};

/// Placement that each algorithm makes of a thread-node table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadPlacement {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Source of the table.
    pub table: String,
    /// The threads' names.
    pub threads: Vec<String>,
    /// The nodes' names.
    pub nodes: Vec<String>,
    /// Most threads that a node takes.
    pub cores_per_node: u32,
    /// Cost of a remote access, in local ones.
    pub numa_factor: f64,
    /// Accesses in the table.
    pub accesses: u64,
    /// One for each algorithm.
    pub placements: Vec<PlacementRecord>,
}

/// The placement of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacementRecord {
    /// Its name, as typed.
    pub algorithm: String,
    /// Why there is no placement; the other fields are empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// For each thread the name of its node.
    pub node_of_thread: Vec<String>,
    /// Accesses that are local.
    pub local_accesses: u64,
    /// The largest impact on any node: local accesses plus NUMA factor times remote ones, summed over
    /// the threads there.
    pub critical_path: f64,
    /// Value for `OMP_PLACES`: one place for each thread.
    pub omp_places: String,
}
