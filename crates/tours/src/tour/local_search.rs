//! Local search with 2-opt and Or-opt.

use super::{Tour, christofides, greedy};
use crate::DistanceMatrix;

/// Largest number of adjacent nodes that Or-opt moves together.
const LONGEST_SEGMENT: usize = 3;

/// Improves the greedy tour and the tour of Christofides until neither reversing a stretch (2-opt) nor moving up to
/// three adjacent nodes (Or-opt) makes the tour shorter. Returns the shorter of the two results.
pub fn local_search(matrix: &DistanceMatrix) -> Tour {
    let tours = [greedy(matrix), christofides(matrix)].map(|tour| {
        let mut order = tour.order;
        while turn_stretches(matrix, &mut order) || move_segments(matrix, &mut order) {}
        order
    });
    let best = tours.into_iter().min_by_key(|order| matrix.length_in_units(order)).unwrap_or_default();
    Tour::new(matrix, best)
}

/// Reverses stretches of a tour where a reversal shortens the tour. Returns true if any stretch was reversed. Lengths
/// are integers, so the search ends.
fn turn_stretches(matrix: &DistanceMatrix, order: &mut [usize]) -> bool {
    let nodes = order.len();
    let mut shorter = false;
    for first in 1..nodes {
        for last in first + 1..nodes {
            let (before, after) = (order[first - 1], order[(last + 1) % nodes]);
            let old = matrix.weight(before, order[first]) + matrix.weight(order[last], after);
            let new = matrix.weight(before, order[last]) + matrix.weight(order[first], after);
            if new < old {
                order[first..=last].reverse();
                shorter = true;
            }
        }
    }
    shorter
}

/// Moves each segment of up to `LONGEST_SEGMENT` nodes to its best position, if a move shortens the tour. Returns
/// true if any segment moved.
fn move_segments(matrix: &DistanceMatrix, order: &mut [usize]) -> bool {
    let nodes = order.len();
    let mut shorter = false;
    for length in 1..=LONGEST_SEGMENT.min(nodes.saturating_sub(2)) {
        for _ in 0..nodes {
            // The segment is always at the front; rotating the tour brings each one there.
            order.rotate_left(1);
            shorter |= move_front(matrix, order, length);
        }
    }
    shorter
}

/// Moves the first `length` nodes to the best position in the rest of the tour, if the move shortens the tour.
fn move_front(matrix: &DistanceMatrix, order: &mut [usize], length: usize) -> bool {
    let nodes = order.len();
    let (front, back) = (order[0], order[length - 1]);
    let (before, after) = (order[nodes - 1], order[length]);
    let weight = |a, b| matrix.weight(a, b);
    let saved = weight(before, front) + weight(back, after) - weight(before, after);
    // Inserts the segment between `at` and `at + 1`, as it is or reversed.
    let added = |at: usize, turned: bool| {
        let (a, b) = (order[at], order[at + 1]);
        let ways =
            if turned { weight(a, back) + weight(front, b) } else { weight(a, front) + weight(back, b) };
        ways - weight(a, b)
    };
    let places = (length..nodes - 1).flat_map(|at| [(at, false), (at, true)]);
    match places.min_by_key(|&(at, turned)| added(at, turned)) {
        Some((at, turned)) if added(at, turned) < saved => {
            order[..=at].rotate_left(length);
            if turned {
                order[at + 1 - length..=at].reverse();
            }
            true
        }
        _ => false,
    }
}
