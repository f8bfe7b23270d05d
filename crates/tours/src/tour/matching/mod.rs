//! Perfect matching of least total cost by Edmonds' blossom algorithm with dual variables. The time
//! is cubic in the number of vertices.
//!
//! Least cost is turned into greatest gain: an edge gains a constant less its cost. All gains are
//! positive and every two vertices have an edge, so a matching of greatest gain is perfect.
//!
//! Each vertex has a price. An edge is *tight* if the prices of its ends, with those of the
//! blossoms around both, add up to its gain; only tight edges are used. Trees grow from the
//! unmatched vertices; their paths alternate between edges outside and inside the matching. Where
//! two trees meet, the path between their roots is flipped, which matches two more vertices. Where
//! a tree meets itself, the odd cycle is shrunk to one vertex, a *blossom*. If no edge is tight,
//! prices change until one is, or until the price of a blossom is zero and it is expanded.
//!
//! | file | contents |
//! |---|---|
//! | `solver` | the state and its queries |
//! | `phase` | growing, shrinking and pricing, until two more vertices are matched |
//! | `blossom` | shrinking and expanding an odd cycle |
//! | `augment` | flipping a path, through the blossoms that it crosses |

mod augment;
mod blossom;
mod phase;
mod solver;

/// Pairs the vertices `0..vertices`, an even number, with the least sum of costs. Costs are
/// symmetric and not negative.
pub(super) fn cheapest_perfect(vertices: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<(usize, usize)> {
    debug_assert!(vertices.is_multiple_of(2), "the number of vertices must be even");
    let pairs = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
    let dearest = pairs.map(|(a, b)| cost(a, b)).max().unwrap_or(0);
    let mates = solver::Solver::new(vertices, |a, b| dearest + 1 - cost(a, b)).solve();
    mates.into_iter().enumerate().filter(|(vertex, mate)| vertex < mate).collect()
}

#[cfg(test)]
mod tests;
