//! Experiments of single papers that need more than runs of a workload.

pub mod placement;
mod tables;
mod tours;

use crate::published::Published;
use numalab_study::StudyError;
use serde::Deserialize;

/// Figure of a published table that a row states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TabulatedFigure {
    /// Length of a tour through a measured distance matrix of nodes.
    TourLength,
    /// Distance between two nodes as the firmware states it.
    FirmwareDistance,
    /// Distance between two nodes by the bandwidth of simulated reads.
    SimulatedDistance,
    /// Number of remote requests of a thread that runs on a given node.
    RemoteRequests,
}

/// Value of the figure; `None` if the table lacks it.
pub fn simulate(row: &Published, table: TabulatedFigure) -> Result<Option<f64>, StudyError> {
    match table {
        TabulatedFigure::TourLength => tours::length(row),
        TabulatedFigure::FirmwareDistance => tables::distance(row),
        TabulatedFigure::SimulatedDistance => tables::simulated_distance(row),
        TabulatedFigure::RemoteRequests => Ok(tables::remote_requests(row)),
    }
}
