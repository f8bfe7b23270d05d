//! A place list and the tours that it was chosen from.

use serde::{Deserialize, Serialize};

/// Places for a team, in the order of a tour through the NUMA nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceList {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The machine whose processors are named.
    pub machine: String,
    /// Source of the distances.
    pub distances: String,
    /// Value for `OMP_PLACES`.
    pub omp_places: String,
    /// Value for `OMP_PROC_BIND`.
    pub omp_proc_bind: String,
    /// One for each algorithm.
    pub tours: Vec<TourRecord>,
}

/// The tour of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TourRecord {
    /// Its name, as typed.
    pub algorithm: String,
    /// Whether the place list follows this one.
    pub chosen: bool,
    /// Total distance; `None` where the algorithm would take too long.
    pub length: Option<f64>,
    /// The nodes in order, counted through the machine; none where there is no tour.
    pub order: Vec<u32>,
}
