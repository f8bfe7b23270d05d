//! Place lists from distance matrices, and thread placement from access counts.
//!
//! [`tour`] orders all NUMA nodes so that consecutive nodes are near each other; [`omp_places()`] writes such an
//! order as a place list. [`threads`] chooses a node for each thread from a table of its accesses to each node. All
//! are pure functions on plain tables.
//!
//! ```
//! use numalab_tours::{DistanceMatrix, omp_places, tour};
//!
//! // Nodes 0 and 2 are close, 1 and 3 are close.
//! let rows = [[10, 20, 12, 20], [20, 10, 20, 12], [12, 20, 10, 20], [20, 12, 20, 10]];
//! let rows = rows.map(|row| row.map(f64::from).to_vec());
//! let tour = tour::best(&DistanceMatrix::new(&rows)?);
//! // 0 to 2 is 12, 2 to 3 is 20, 3 to 1 is 12, and 20 back.
//! assert_eq!((&tour.order[..], tour.length), (&[0, 2, 3, 1][..], 64.0));
//!
//! let processors = |node: &usize| (0..4).map(|core| *node as u32 * 4 + core).collect::<Vec<_>>();
//! let places: Vec<_> = tour.order.iter().map(processors).collect();
//! assert_eq!(omp_places(&places), "{0:4},{8:4},{12:4},{4:4}");
//! # Ok::<(), numalab_tours::DistanceMatrixError>(())
//! ```

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod matrix;
mod omp_places;
pub mod threads;
pub mod tour;

pub use matrix::{DistanceMatrix, DistanceMatrixError};
pub use omp_places::omp_places;
