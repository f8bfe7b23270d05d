//! Distances between NUMA nodes, as CSV.

mod csv;

use numalab_syntax::diagnostics::{Diagnostics, Source};

/// Distances between the NUMA nodes of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceMatrix {
    /// Names of the nodes, one for each row; numbers from 0 if the file has no names.
    pub names: Vec<String>,
    /// Distance from each node (row) to each node (column); finite and not negative.
    pub rows: Vec<Vec<f64>>,
    /// Nodes with memory and without processors.
    pub memory_only: Vec<usize>,
}

impl DistanceMatrix {
    /// Distances between the nodes that have processors.
    pub fn with_processors(&self) -> DistanceMatrix {
        let kept: Vec<usize> = (0..self.rows.len()).filter(|node| !self.memory_only.contains(node)).collect();
        DistanceMatrix {
            names: kept.iter().map(|&node| self.names[node].clone()).collect(),
            rows: kept.iter().map(|&a| kept.iter().map(|&b| self.rows[a][b]).collect()).collect(),
            memory_only: Vec::new(),
        }
    }
}

/// Reads distances from comma-separated values: a square of numbers, with or without names. `name` is the file's name
/// in errors.
pub fn distance_matrix_from_text(name: &str, text: &str) -> Result<DistanceMatrix, Diagnostics> {
    let source = || Source { name: name.to_owned(), text: text.to_owned() };
    csv::read(text).map_err(|items| Diagnostics::new(vec![source()], items))
}
