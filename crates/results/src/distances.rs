//! Distances between NUMA nodes: simulated, as a firmware table would have them, and measured.

use crate::{Input, Layout};
use serde::{Deserialize, Serialize};

/// Values by reading node (row), then by node whose memory is read (column); `None` where the reading node has no processor
/// in use or the other one no memory.
pub type Matrix = Vec<Vec<Option<f64>>>;

/// Latency and bandwidth between every two nodes. Rows are the reading nodes, columns the nodes
/// whose memory is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DistanceTable {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Machine after all `--set` overrides.
    pub machine: Input,
    /// Numbers of the machine's boards, sockets and nodes.
    pub layout: Layout,
    /// Idle latency of a cache miss in nanoseconds, by reading node and then by node whose memory is read. The mean over
    /// the cores of the reading node. Memory-only nodes have a column.
    #[serde(default)]
    pub latency_ns: Matrix,
    /// As [`DistanceTable::bandwidth_bytes_per_s`], of the first core of the reading node alone.
    #[serde(default)]
    pub core_bandwidth_bytes_per_s: Matrix,
    /// Bandwidth of all cores of a node together from a node's memory, without other traffic, by reading node and
    /// then by node whose memory is read. Memory-only nodes have a column.
    pub bandwidth_bytes_per_s: Matrix,
    /// Ten times the local bandwidth of the first node with memory, divided by
    /// [`DistanceTable::bandwidth_bytes_per_s`]; of nodes with processors.
    pub simulated: Matrix,
    /// Distances as in a firmware table (SLIT): latency divided by the local latency, times 10, rounded; of nodes with
    /// processors, with and without memory.
    pub firmware: Matrix,
    /// Measured distances to compare with; `None` if none were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
}

/// Distances from a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// File name or other source of the distances.
    pub source: String,
    /// Measured distances: one row and one column per node of the machine.
    pub distances: Vec<Vec<f64>>,
    /// Deviation of [`DistanceTable::simulated`] from the measured distances.
    pub simulated: Deviation,
    /// Deviation of [`DistanceTable::firmware`] from the measured distances.
    pub firmware: Deviation,
}

/// Deviation of one matrix from a reference matrix, entry by entry, as fractions of the reference's entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// Mean of the absolute deviations.
    pub mean: f64,
    /// Largest absolute deviation.
    pub max: f64,
    /// Entry with the largest deviation: reading node, and node whose memory is read.
    pub at: (u32, u32),
}

impl Deviation {
    /// Deviation of `matrix` from `reference`. Entries are skipped where the reference is zero or the matrix has none.
    pub fn between(matrix: &[Vec<Option<f64>>], reference: &[Vec<f64>]) -> Deviation {
        let (mut deviation, mut sum, mut count) = (Deviation::default(), 0.0, 0u64);
        for (a, (row, expected)) in (0..).zip(matrix.iter().zip(reference)) {
            for (b, (value, expected)) in (0..).zip(row.iter().zip(expected)) {
                let Some(value) = value.filter(|_| *expected != 0.0) else { continue };
                let off = (value / expected - 1.0).abs();
                sum += off;
                count += 1;
                if off > deviation.max {
                    deviation = Deviation { max: off, at: (a, b), ..deviation };
                }
            }
        }
        Deviation { mean: sum / count.max(1) as f64, ..deviation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_fractions_of_the_reference() {
        // 11/10 and 18/20 are off by 0.1 each, 30/20 by 0.5, 10/10 by nothing: 0.7 / 4.
        let deviation = Deviation::between(
            &[vec![Some(10.0), Some(30.0), None], vec![Some(18.0), Some(11.0), None]],
            &[vec![10.0, 20.0, 30.0], vec![20.0, 10.0, 30.0]],
        );
        assert!((deviation.mean - 0.175).abs() < 1e-12 && (deviation.max - 0.5).abs() < 1e-12);
        assert_eq!(deviation.at, (0, 1));
        assert_eq!(Deviation::between(&[], &[]), Deviation::default());
        assert_eq!(Deviation::between(&[vec![Some(3.0)]], &[vec![0.0]]), Deviation::default());
    }
}
