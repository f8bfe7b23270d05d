//! Repeated measurements of a matrix: rows of all samples, and the median of each cell.

use super::super::Foreign;
use super::super::node_matrix::NodeMatrix;
use super::super::page::Page;

/// Samples of a matrix.
#[derive(Default)]
pub struct Repeated {
    /// Matrices with the line numbers of their headers.
    runs: Vec<(usize, NodeMatrix)>,
}

impl Repeated {
    /// Adds a measurement. A matrix whose nodes differ from those of the first matrix is left out, with a note.
    pub fn add(&mut self, line: usize, matrix: NodeMatrix, found: &mut Foreign) {
        match self.runs.first() {
            Some((first, known)) if !known.same_nodes(&matrix) => {
                found.note(line, format!("left out: this matrix is of other nodes than that of line {first}"))
            }
            _ => self.runs.push((line, matrix)),
        }
    }

    /// Adds a row for each cell; returns the matrix of medians.
    pub fn finish(
        self,
        page: &Page<'_>,
        (experiment, quantity): (&str, &str),
        unit: &str,
        found: &mut Foreign,
    ) -> Option<NodeMatrix> {
        let (line, mut matrix) = self.runs.first()?.clone();
        for (row, from) in matrix.from.clone().into_iter().enumerate() {
            for (column, to) in matrix.to.clone().into_iter().enumerate() {
                let values: Vec<f64> =
                    self.runs.iter().filter_map(|(_, run)| run.cells[row][column]).collect();
                matrix.cells[row][column] = median(values.clone());
                if !values.is_empty() {
                    let params = [("from", from.to_string()), ("node", to.to_string())];
                    found.rows.push(page.row(line, (experiment, quantity), &params, unit, &values));
                }
            }
        }
        Some(matrix)
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
    Some(if low == high { *low } else { low + (high - low) / 2.0 })
}
