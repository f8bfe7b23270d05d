//! A place list, and the tours from which it was chosen.

use serde::{Deserialize, Serialize};

/// Places for a team, in the order of a tour through the NUMA nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceList {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Machine whose processors are listed.
    pub machine: String,
    /// Source of the distances.
    pub distances: String,
    /// Value for `OMP_PLACES`.
    pub omp_places: String,
    /// Value for `OMP_PROC_BIND`.
    pub omp_proc_bind: String,
    /// One tour for each algorithm.
    pub tours: Vec<TourRecord>,
}

/// The tour of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TourRecord {
    /// Name of the algorithm, as typed.
    pub algorithm: String,
    /// True if the place list follows this tour.
    pub chosen: bool,
    /// Total distance; `None` if the algorithm would take too long.
    pub length: Option<f64>,
    /// The nodes in order; empty if there is no tour.
    pub order: Vec<u32>,
}
