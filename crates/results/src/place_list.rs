//! A place list, and the tours from which it was chosen.

use serde::{Deserialize, Serialize};

/// Places for a team, in the order of a tour through the NUMA nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceList {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Machine whose processors are listed.
    pub machine: String,
    /// File name or other source of the distances between nodes.
    pub distances: String,
    /// Place list in the syntax of `OMP_PLACES`: one place per node, in the order of the tour.
    pub omp_places: String,
    /// Binding policy that goes with the places, in the syntax of `OMP_PROC_BIND`.
    pub omp_proc_bind: String,
    /// Results of all algorithms that were tried.
    pub tours: Vec<TourRecord>,
}

/// Result of one tour algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TourRecord {
    /// Name of the algorithm, as typed.
    pub algorithm: String,
    /// True if the place list follows this tour.
    pub chosen: bool,
    /// Sum of the distances along the tour; `None` if the algorithm would take too long.
    pub length: Option<f64>,
    /// The nodes in the order of the tour; empty if there is no tour.
    pub order: Vec<u32>,
}
