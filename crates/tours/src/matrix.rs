//! Distances between nodes, stored as integers so that equal tours have equal lengths.

use std::fmt;

/// Distances between the nodes of a machine. The two directions of a pair count as their mean; the
/// diagonal is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceMatrix {
    nodes: usize,
    /// Weight of each pair, row by row: the sum of the distances in both directions, in [`DistanceMatrix::UNITS`].
    weights: Vec<i64>,
}

impl DistanceMatrix {
    /// Largest accepted number of nodes: a tour then takes seconds and 200 MB.
    pub const MOST_NODES: usize = 2048;
    /// Largest accepted distance: a tour through all nodes still fits 63 bits.
    pub const MOST_DISTANCE: f64 = 1e9;
    /// Internal units per unit of distance: distances are rounded to a millionth.
    const UNITS: f64 = 1e6;

    /// Creates a matrix in which `rows[a][b]` is the distance from node `a` to node `b`.
    pub fn new(rows: &[Vec<f64>]) -> Result<DistanceMatrix, DistanceMatrixError> {
        let nodes = rows.len();
        if nodes == 0 {
            return Err(DistanceMatrixError::Empty);
        }
        if nodes > DistanceMatrix::MOST_NODES {
            return Err(DistanceMatrixError::TooManyNodes(nodes));
        }
        if let Some(row) = rows.iter().position(|row| row.len() != nodes) {
            return Err(DistanceMatrixError::Ragged { row, columns: rows[row].len(), nodes });
        }
        for (from, row) in rows.iter().enumerate() {
            for (to, &value) in row.iter().enumerate() {
                if from != to && !(0.0..=DistanceMatrix::MOST_DISTANCE).contains(&value) {
                    return Err(DistanceMatrixError::Distance { from, to, value });
                }
            }
        }
        let units = |value: f64| (value * DistanceMatrix::UNITS).round() as i64;
        let mut weights = Vec::with_capacity(nodes * nodes);
        for (a, row) in rows.iter().enumerate() {
            for (b, &value) in row.iter().enumerate() {
                weights.push(if a == b { 0 } else { units(value) + units(rows[b][a]) });
            }
        }
        Ok(DistanceMatrix { nodes, weights })
    }

    /// Number of nodes, at least 1.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Mean of the distances from `a` to `b` and from `b` to `a`; 0 from a node to itself.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        DistanceMatrix::to_distance(self.weight(a, b))
    }

    /// Length of the closed tour that visits the nodes `order` one after the other and returns to the first.
    pub fn length(&self, order: &[usize]) -> f64 {
        DistanceMatrix::to_distance(self.length_in_units(order))
    }

    pub(crate) fn weight(&self, a: usize, b: usize) -> i64 {
        self.weights[a * self.nodes + b]
    }

    pub(crate) fn length_in_units(&self, order: &[usize]) -> i64 {
        let next = order.iter().cycle().skip(1);
        order.iter().zip(next).map(|(&a, &b)| self.weight(a, b)).sum()
    }

    /// Mean distance of a pair of nodes whose weight is the sum of the distances in both directions.
    fn to_distance(weight: i64) -> f64 {
        weight as f64 / (2.0 * DistanceMatrix::UNITS)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DistanceMatrixError {
    Empty,
    /// There are more nodes than [`DistanceMatrix::MOST_NODES`].
    TooManyNodes(usize),
    /// A row of the matrix does not have one distance per row.
    Ragged {
        /// Number of the row, from 0.
        row: usize,
        columns: usize,
        nodes: usize,
    },
    /// A distance is negative, not a number, or larger than [`DistanceMatrix::MOST_DISTANCE`].
    Distance {
        from: usize,
        to: usize,
        value: f64,
    },
}

impl fmt::Display for DistanceMatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DistanceMatrixError::Empty => write!(f, "a distance matrix needs at least one row"),
            DistanceMatrixError::TooManyNodes(nodes) => {
                write!(
                    f,
                    "{nodes} nodes are too many for a distance matrix; at most {}",
                    DistanceMatrix::MOST_NODES
                )
            }
            DistanceMatrixError::Ragged { row, columns, nodes } => {
                write!(
                    f,
                    "row {row} of the distance matrix has {columns} columns, and there are {nodes} rows"
                )
            }
            DistanceMatrixError::Distance { from, to, value } => {
                let most = DistanceMatrix::MOST_DISTANCE;
                write!(f, "the distance from node {from} to node {to} is {value}; expected 0 to {most:e}")
            }
        }
    }
}

impl std::error::Error for DistanceMatrixError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_mean_and_diagonal_is_ignored() {
        let matrix = DistanceMatrix::new(&[vec![f64::NAN, 10.0], vec![13.0, -1.0]]).unwrap();
        // (10 + 13) / 2, there and back.
        assert_eq!(matrix.distance(0, 1), 11.5);
        assert_eq!(matrix.distance(1, 1), 0.0);
        assert_eq!(matrix.length(&[0, 1]), 23.0);
        assert_eq!(matrix.length(&[1]), 0.0);
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |rows: &[Vec<f64>]| DistanceMatrix::new(rows).unwrap_err().to_string();
        assert_eq!(error(&[]), "a distance matrix needs at least one row");
        let ragged = error(&[vec![1.0, 2.0], vec![1.0]]);
        assert_eq!(ragged, "row 1 of the distance matrix has 1 columns, and there are 2 rows");
        let negative = error(&[vec![1.0, -2.0], vec![1.0, 1.0]]);
        assert_eq!(negative, "the distance from node 0 to node 1 is -2; expected 0 to 1e9");
        assert!(error(&vec![Vec::new(); 2049]).contains("2049 nodes are too many"));
    }
}
