//! The Pareto front of a sweep in two columns: points that no other point beats in both.

use crate::Better;
use serde::Serialize;

/// Points of a sweep divided into the Pareto front and the rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParetoFront {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The first column, and its preferred direction.
    pub x: Objective,
    /// The second column, and its preferred direction.
    pub y: Objective,
    /// Names of the coordinates that differ between points.
    pub coordinates: Vec<String>,
    /// Coordinates with one value in all points, each with that value.
    pub common: Vec<(String, String)>,
    /// Number of rows without a value in one of the columns.
    pub without_value: u64,
    /// Points on the front, from the best x on, so that y improves along it.
    pub front: Vec<ParetoPoint>,
    /// Points not on the front: another point is no worse in both columns and better in one.
    pub behind: Vec<ParetoPoint>,
}

/// A column and its preferred direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Objective {
    /// Name of the column, with its unit.
    pub column: String,
    /// Preferred direction of the value.
    pub better: Better,
}

/// One point of the sweep: the medians of its replicas.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParetoPoint {
    /// Value in the first column.
    pub x: f64,
    /// Value in the second column.
    pub y: f64,
    /// Values of the point's coordinates, in the order of [`ParetoFront::coordinates`].
    pub at: Vec<String>,
}
