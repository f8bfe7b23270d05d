//! Distances between NUMA nodes as a file of this project holds them.

mod csv;

use numalab_syntax::diagnostics::{Diagnostics, Source};

/// Distances between the NUMA nodes of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceMatrix {
    /// The nodes' names, as many as there are rows: those of the file, or numbers from 0.
    pub names: Vec<String>,
    /// From each node to each node, as many columns as rows. Finite and not negative.
    pub rows: Vec<Vec<f64>>,
    /// Nodes that the file says have memory and no processors.
    pub memory_only: Vec<usize>,
}

impl DistanceMatrix {
    /// The distances between the nodes that threads can run on.
    pub fn with_processors(&self) -> DistanceMatrix {
        let kept: Vec<usize> = (0..self.rows.len()).filter(|node| !self.memory_only.contains(node)).collect();
        DistanceMatrix {
            names: kept.iter().map(|&node| self.names[node].clone()).collect(),
            rows: kept.iter().map(|&a| kept.iter().map(|&b| self.rows[a][b]).collect()).collect(),
            memory_only: Vec::new(),
        }
    }
}

/// Reads distances from a text of comma-separated values: a square of numbers, with or without names. `name` is what
/// errors call it.
pub fn distance_matrix_from_text(name: &str, text: &str) -> Result<DistanceMatrix, Diagnostics> {
    let source = || Source { name: name.to_owned(), text: text.to_owned() };
    csv::read(text).map_err(|items| Diagnostics::new(vec![source()], items))
}
