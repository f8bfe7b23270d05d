//! The nearest-neighbour tour.

use super::Tour;
use crate::DistanceMatrix;

/// Tour that starts at node 0 and continues with the nearest unvisited node each time; ties go to the lowest node.
pub fn greedy(matrix: &DistanceMatrix) -> Tour {
    let mut left: Vec<usize> = (1..matrix.nodes()).collect();
    let mut order = vec![0];
    let mut here = 0;
    while let Some(at) = (0..left.len()).min_by_key(|&at| matrix.weight(here, left[at])) {
        // Not `swap_remove`: the list stays sorted, so that ties go to the lowest node.
        here = left.remove(at);
        order.push(here);
    }
    Tour::new(matrix, order)
}
