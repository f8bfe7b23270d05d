//! Pairs at the least total cost: Edmonds' blossom algorithm with dual variables, in time proportional
//! to the cube of the number of vertices.
//!
//! Least cost is turned into most gain: an edge gains a constant less its cost. All gains are positive
//! and every two vertices have an edge, so the matching of most gain leaves nobody alone.
//!
//! Each vertex has a price. An edge is *tight* when the prices of its ends, with those of the blossoms
//! around both, add up to its gain; only tight edges are ever used. From the vertices that are still
//! alone grow trees whose paths alternate between edges outside and inside the matching. Where two trees
//! meet, the path between their roots is flipped, and two more vertices have partners. Where a tree
//! meets itself, the odd cycle is shrunk to one vertex, a *blossom*. Where nothing is tight, prices
//! change until something is, or until a blossom is worth nothing and is opened again.
//!
//! | file | what |
//! |---|---|
//! | `solver` | the state, and what can be asked of it |
//! | `phase` | growing, shrinking, pricing, until two more vertices have partners |
//! | `blossom` | shrinking an odd cycle and opening it again |
//! | `augment` | flipping a path, through the blossoms that it crosses |

mod augment;
mod blossom;
mod phase;
mod solver;

/// Pairs of the vertices `0..vertices`, an even number, with the least sum of costs. Costs are not
/// negative, and the same both ways.
pub(super) fn cheapest_perfect(vertices: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<(usize, usize)> {
    debug_assert!(vertices.is_multiple_of(2), "one would be left over");
    let pairs = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
    let dearest = pairs.map(|(a, b)| cost(a, b)).max().unwrap_or(0);
    let mates = solver::Solver::new(vertices, |a, b| dearest + 1 - cost(a, b)).solve();
    mates.into_iter().enumerate().filter(|(vertex, mate)| vertex < mate).collect()
}

#[cfg(test)]
mod tests;
