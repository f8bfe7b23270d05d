//! A listed graph: shortest routes by latency; ties are won by fewer hops, then by the lowest next
//! sibling.

use super::{DirectedWire, WireEnd};
use crate::{Edge, Link, LinkId};
use numalab_base::Span;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug)]
pub(super) struct RouteTable {
    count: u32,
    edges: Vec<Edge>,
    /// First resource of each edge, by edge, and the number of resources as last entry.
    first: Vec<u32>,
    /// Number of the first edge on the shortest route, by `[from][to]`.
    next: Vec<u32>,
    /// Latency of the whole shortest route, by `[from][to]`.
    latency: Vec<Span>,
}

/// Cost of a route: its latency in picoseconds, then its number of hops.
type Cost = (u64, u32);

impl RouteTable {
    pub fn new(count: u32, edges: &[Edge], links: &[Link]) -> RouteTable {
        let n = count as usize;
        let mut first = vec![0];
        let mut neighbours: Vec<Vec<(u32, u64, u32)>> = vec![Vec::new(); n];
        let mut resources = 0;
        for (index, edge) in (0..).zip(edges) {
            let link = &links[edge.link.0];
            resources += if link.is_half_duplex() { 1 } else { 2 };
            first.push(resources);
            neighbours[edge.from as usize].push((edge.to, link.latency.0, index));
            neighbours[edge.to as usize].push((edge.from, link.latency.0, index));
        }
        // Sorted by sibling, so that ties go to the lowest one.
        neighbours.iter_mut().for_each(|around| around.sort_unstable());

        let mut next = vec![0; n * n];
        let mut latency = vec![Span::ZERO; n * n];
        for to in 0..n {
            let cost = costs_to(to, &neighbours);
            for from in (0..n).filter(|from| *from != to) {
                let best = neighbours[from].iter().min_by_key(|(sibling, latency, _)| {
                    let (rest, hops) = cost[*sibling as usize];
                    (rest.saturating_add(*latency), hops.saturating_add(1))
                });
                if let Some((_, _, edge)) = best {
                    next[from * n + to] = *edge;
                    latency[from * n + to] = Span(cost[from].0);
                }
            }
        }
        RouteTable { count, edges: edges.to_vec(), first, next, latency }
    }

    pub fn wires(&self) -> u32 {
        self.edges.len() as u32
    }

    fn at(&self, from: u32, to: u32) -> usize {
        from as usize * self.count as usize + to as usize
    }

    pub fn walk(&self, from: u32, to: u32, visit: &mut impl FnMut(DirectedWire)) {
        let mut at = from;
        while at != to {
            let wire = self.next[self.at(at, to)];
            let edge = &self.edges[wire as usize];
            let forward = edge.from == at;
            visit(DirectedWire { wire, forward });
            at = if forward { edge.to } else { edge.from };
        }
    }

    pub fn latency(&self, from: u32, to: u32) -> Span {
        self.latency[self.at(from, to)]
    }

    pub fn nearest(&self, from: u32) -> Span {
        let others = (0..self.count).filter(|to| *to != from);
        others.map(|to| self.latency(from, to)).min().unwrap_or_default()
    }

    pub fn ends(&self, wire: u32) -> (WireEnd, WireEnd) {
        let edge = &self.edges[wire as usize];
        (WireEnd::Child(edge.from), WireEnd::Child(edge.to))
    }

    pub fn link(&self, wire: u32) -> LinkId {
        self.edges[wire as usize].link
    }

    pub fn resources(&self) -> u32 {
        self.first[self.edges.len()]
    }

    pub fn resource(&self, step: DirectedWire) -> u32 {
        let wire = step.wire as usize;
        let both = self.first[wire + 1] - self.first[wire] == 1;
        self.first[wire] + u32::from(!both && !step.forward)
    }

    pub fn step(&self, resource: u32) -> DirectedWire {
        let wire = self.first.partition_point(|first| *first <= resource) - 1;
        DirectedWire { wire: wire as u32, forward: resource == self.first[wire] }
    }
}

/// Dijkstra's algorithm: the cost of the best route from every sibling to `to`.
fn costs_to(to: usize, neighbours: &[Vec<(u32, u64, u32)>]) -> Vec<Cost> {
    let mut cost = vec![(u64::MAX, u32::MAX); neighbours.len()];
    cost[to] = (0, 0);
    let mut open = BinaryHeap::from([Reverse(((0, 0), to))]);
    while let Some(Reverse((reached, at))) = open.pop() {
        if reached > cost[at] {
            continue;
        }
        for &(sibling, latency, _) in &neighbours[at] {
            let through = (reached.0 + latency, reached.1 + 1);
            if through < cost[sibling as usize] {
                cost[sibling as usize] = through;
                open.push(Reverse((through, sibling as usize)));
            }
        }
    }
    cost
}
