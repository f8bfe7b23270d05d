//! The shortest tour by the Held-Karp algorithm (dynamic programming over subsets).

use super::Tour;
use crate::DistanceMatrix;

/// Largest number of nodes for which the shortest tour is computed: 80 MB and a fraction of a second. Each further
/// node doubles both.
pub const MOST_EXACT: usize = 20;

/// A shortest tour; `None` beyond [`MOST_EXACT`] nodes.
pub fn exact(matrix: &DistanceMatrix) -> Option<Tour> {
    let nodes = matrix.nodes();
    if nodes > MOST_EXACT {
        return None;
    }
    if nodes <= 3 {
        // There is only one tour.
        return Some(Tour::new(matrix, (0..nodes).collect()));
    }
    // All nodes but 0, where every tour starts; node `i + 1` is bit `i` of a set.
    let others = nodes - 1;
    let weight = |a: usize, b: usize| matrix.weight(a + 1, b + 1);
    // `shortest[set * others + last]`: shortest path from node 0 through all of `set`, ending at its
    // member `last`.
    let mut shortest = vec![0i64; others << others];
    for set in 1usize..1 << others {
        for last in members(set) {
            let before = set & !(1 << last);
            let way = members(before).map(|at| shortest[before * others + at] + weight(at, last)).min();
            shortest[set * others + last] = way.unwrap_or_else(|| matrix.weight(0, last + 1));
        }
    }
    // Reconstructs the tour backwards, with the step of the least total length each time. Lengths are integers, so
    // sums have no rounding error.
    let mut order = vec![0];
    let mut set = (1usize << others) - 1;
    let mut after = None;
    while set != 0 {
        let step = |last: usize| after.map_or(matrix.weight(last + 1, 0), |after| weight(last, after));
        let last = members(set).min_by_key(|&last| shortest[set * others + last] + step(last))?;
        order.push(last + 1);
        set &= !(1 << last);
        after = Some(last);
    }
    Some(Tour::new(matrix, order))
}

/// Positions of the bits that are 1 in `set`, lowest first.
fn members(mut set: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
