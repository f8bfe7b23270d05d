//! Readers of other programs' output about a machine; errors show their line.
//!
//! `measurements` reads the output of the calibration kernels, `topology` hwloc's XML and files of `/sys`, `foreign`
//! the output of other tools, `matrix` distances between nodes and access counts. [`evidence`] recognises a file by
//! its text. No simulated number depends on this crate: its values go into a machine file first.

mod evidence;
pub mod foreign;
mod matrix;
pub mod measurements;
pub mod topology;

pub use evidence::{Evidence, Printed, evidence, is_ours, printed, source_of};
pub use matrix::{RunCountsError, ThreadNodeTable, distance_matrix, run_counts, thread_node_table};
