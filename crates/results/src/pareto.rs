//! The points of a sweep of which no other is better in both of two columns.

use crate::Better;
use serde::Serialize;

/// A front, and everything behind it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParetoFront {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The first column, and which of its values is preferred.
    pub x: Objective,
    /// The second.
    pub y: Objective,
    /// The coordinates that differ between points.
    pub coordinates: Vec<String>,
    /// Coordinates that all points have in common, with their value.
    pub common: Vec<(String, String)>,
    /// Rows without a value in one of the columns.
    pub without_value: u64,
    /// From the best x on, so that y gets better along the front.
    pub front: Vec<ParetoPoint>,
    /// The others.
    pub behind: Vec<ParetoPoint>,
}

/// A column, and what is wanted of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Objective {
    /// Its name.
    pub column: String,
    /// Preferred direction of the value.
    pub better: Better,
}

/// One point: the median of its replicas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParetoPoint {
    /// Its value in the first column.
    pub x: f64,
    /// In the second.
    pub y: f64,
    /// Its coordinates, in the order of [`ParetoFront::coordinates`].
    pub at: Vec<String>,
}
