//! Nearest neighbour.

use super::Tour;
use crate::DistanceMatrix;

/// From node 0 always on to the nearest node that was not visited yet.
pub fn greedy(matrix: &DistanceMatrix) -> Tour {
    let mut left: Vec<usize> = (1..matrix.nodes()).collect();
    let mut order = vec![0];
    let mut here = 0;
    while let Some(at) = (0..left.len()).min_by_key(|&at| matrix.weight(here, left[at])) {
        // Not `swap_remove`: what is left stays sorted, so that the first of equals is the lowest.
        here = left.remove(at);
        order.push(here);
    }
    Tour::new(matrix, order)
}
