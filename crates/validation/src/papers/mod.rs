//! Experiments of single papers that are more than runs of a workload.

pub mod placement;
pub mod tables;
pub mod tours;
