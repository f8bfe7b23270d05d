//! Congestion of a node's cable by pages in flight between the node and several other nodes. Congestion reduces the
//! bandwidth of the node's network card.

use numalab_base::{Bandwidth, Snapshot};
use numalab_machine::Crowding;

/// Network cards of the nodes that share memory; all are equal.
#[derive(Clone, Debug)]
pub struct Cards {
    /// Bandwidth of a card, in one direction.
    pub bandwidth: Bandwidth,
    /// Fraction of the bandwidth that congestion leaves, by number of pages in flight between a node and several
    /// others. Not used if cards have bounded queues, since losses are then simulated.
    pub crowding: Crowding,
}

/// Bytes in flight to and from each node.
#[derive(Clone, Debug)]
pub(crate) struct Crowded {
    curve: Vec<(f64, f64)>,
    page: f64,
    nodes: usize,
    /// Bytes in flight between two nodes, in both directions together; index: smaller node × number of nodes + larger
    /// node.
    between: Vec<u64>,
    /// By node: number of other nodes with bytes in flight to or from the node (`others`), and the sum of these bytes
    /// (`sums`).
    others: Vec<u32>,
    sums: Vec<u64>,
}

impl Crowded {
    /// State without bytes in flight; `None` if congestion costs no bandwidth.
    pub fn new(Crowding(curve): &Crowding, page: u64, nodes: u32) -> Option<Box<Crowded>> {
        if curve.is_empty() {
            return None;
        }
        let nodes = nodes as usize;
        let (between, others, sums) = (vec![0; nodes * nodes], vec![0; nodes], vec![0; nodes]);
        Some(Box::new(Crowded { curve: curve.clone(), page: page as f64, nodes, between, others, sums }))
    }

    /// Adds bytes that node `from` sends to node `to` to the bytes in flight.
    pub fn depart(&mut self, from: u32, to: u32, bytes: u64) {
        let pair = self.pair(from, to);
        let first = self.between[pair] == 0;
        self.between[pair] += bytes;
        for node in [from as usize, to as usize] {
            self.others[node] += u32::from(first);
            self.sums[node] += bytes;
        }
    }

    /// Subtracts arrived bytes from the bytes in flight.
    pub fn come(&mut self, from: u32, to: u32, bytes: u64) {
        let pair = self.pair(from, to);
        self.between[pair] -= bytes;
        let last = self.between[pair] == 0;
        for node in [from as usize, to as usize] {
            self.others[node] -= u32::from(last);
            self.sums[node] -= bytes;
        }
    }

    fn pair(&self, one: u32, other: u32) -> usize {
        one.min(other) as usize * self.nodes + one.max(other) as usize
    }

    /// Fraction of the bandwidth of a node's card that congestion leaves. Traffic between only two nodes causes none.
    pub fn left(&self, node: u32) -> f64 {
        if self.others[node as usize] < 2 {
            return 1.0;
        }
        at(&self.curve, self.sums[node as usize] as f64 / self.page)
    }

    /// Adds the bytes in flight to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Crowded { curve: _, page: _, nodes: _, between, others: _, sums: _ } = self;
        into.add(between);
    }
}

/// Value of a congestion curve at a number of pages: linear between the curve's points, constant outside.
fn at(curve: &[(f64, f64)], pages: f64) -> f64 {
    let after = curve.partition_point(|(x, _)| *x <= pages);
    match (after.checked_sub(1).map(|before| curve[before]), curve.get(after).copied()) {
        (Some((x, y)), Some((next, there))) => y + (there - y) * (pages - x) / (next - x),
        (Some((_, y)), None) | (None, Some((_, y))) => y,
        (None, None) => 1.0,
    }
}
