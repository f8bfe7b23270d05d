//! Christofides' algorithm: a tour at most 1.5 times as long as the shortest one, if the triangle inequality holds.

use super::{Tour, matching};
use crate::DistanceMatrix;
use petgraph::algo::min_spanning_tree;
use petgraph::data::Element;
use petgraph::graph::UnGraph;

/// Joins the nodes of odd degree in a minimum spanning tree by a matching of least cost. The tour is a walk over
/// every edge of tree and matching that skips visited nodes. If the triangle inequality holds, the tour is at most
/// one and a half times as long as the shortest tour.
pub fn christofides(matrix: &DistanceMatrix) -> Tour {
    let mut edges = spanning_tree(matrix);
    let mut degrees = vec![0usize; matrix.nodes()];
    for &(a, b) in &edges {
        degrees[a] += 1;
        degrees[b] += 1;
    }
    let odd: Vec<usize> = (0..matrix.nodes()).filter(|&node| degrees[node] % 2 == 1).collect();
    let pairs = matching::cheapest_perfect(odd.len(), |a, b| matrix.weight(odd[a], odd[b]));
    edges.extend(pairs.into_iter().map(|(a, b)| (odd[a], odd[b])));
    let mut seen = vec![false; matrix.nodes()];
    let mut order = euler_walk(matrix.nodes(), &edges);
    order.retain(|&node| !std::mem::replace(&mut seen[node], true));
    Tour::new(matrix, order)
}

fn spanning_tree(matrix: &DistanceMatrix) -> Vec<(usize, usize)> {
    let nodes = matrix.nodes() as u32;
    let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
    // The ends are part of the weight, so that all weights differ and the tree is unique.
    let graph = UnGraph::<(), (i64, u32, u32)>::from_edges(
        pairs.map(|(a, b)| (a, b, (matrix.weight(a as usize, b as usize), a, b))),
    );
    let tree = min_spanning_tree(&graph).filter_map(|element| match element {
        Element::Edge { source, target, .. } => Some((source, target)),
        Element::Node { .. } => None,
    });
    tree.collect()
}

/// A closed walk over each edge once, from node 0 (Hierholzer's algorithm). Every node has an even
/// number of edges.
fn euler_walk(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut at_node = vec![Vec::new(); nodes];
    // Edges are taken from the back, so the first are used first.
    for (edge, &(a, b)) in edges.iter().enumerate().rev() {
        at_node[a].push(edge);
        at_node[b].push(edge);
    }
    let mut walked = vec![false; edges.len()];
    let (mut open, mut walk) = (vec![0], Vec::with_capacity(edges.len() + 1));
    while let Some(&here) = open.last() {
        match at_node[here].pop() {
            Some(edge) if walked[edge] => {}
            Some(edge) => {
                walked[edge] = true;
                let (a, b) = edges[edge];
                open.push(a + b - here);
            }
            // A dead end closes a loop of the walk.
            None => walk.extend(open.pop()),
        }
    }
    walk
}
