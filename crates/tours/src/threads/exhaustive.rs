//! The placement with the most local accesses of all placements.
//!
//! All placements of threads on nodes with limited cores are the solutions of a transport problem. Threads are added one
//! by one; each takes the chain of moves that gains most: the thread to a node, a thread of that node to another, and so
//! on to a free core. Without cycles that gain, the placement stays the best for the threads so far.

use super::{AccessCounts, NodeAssignment, Rules};

/// Placement with the most local accesses. Of several such placements it is one in which the first threads have the
/// lowest nodes: the sum over threads of the product of both, each counted from the end, is largest. The threads must
/// [fit](Rules::fit) on the nodes.
pub fn exhaustive(counts: &AccessCounts, rules: &Rules) -> NodeAssignment {
    let mut chains = Chains {
        counts,
        members: vec![Vec::new(); counts.nodes()],
        moves: vec![vec![None; counts.nodes()]; counts.nodes()],
    };
    for thread in 0..counts.threads() {
        chains.add(thread, rules.cores_per_node);
    }
    let mut node_of = vec![0; counts.threads()];
    for (node, members) in chains.members.iter().enumerate() {
        members.iter().for_each(|thread| node_of[*thread] = node);
    }
    NodeAssignment { node_of }
}

/// A thread that may leave its node for another one, and the gain of that.
type Move = Option<(i128, usize)>;

struct Chains<'a> {
    counts: &'a AccessCounts,
    /// Threads on each node.
    members: Vec<Vec<usize>>,
    /// Best move of a thread by its node and the node that it moves to.
    moves: Vec<Vec<Move>>,
}

impl Chains<'_> {
    /// Local accesses of a thread on a node, and a smaller part that prefers low nodes for the first threads.
    fn weight(&self, thread: usize, node: usize) -> i128 {
        let (threads, nodes) = (self.counts.threads() as i128, self.counts.nodes() as i128);
        let order = (threads - thread as i128) * (nodes - node as i128);
        let ties = threads * threads * nodes + 1;
        i128::from(self.counts.of(thread, node)) * ties + order
    }

    /// Adds a thread by the chain of moves that gains most.
    fn add(&mut self, thread: usize, cores: usize) {
        let nodes = self.counts.nodes();
        let mut gain: Vec<i128> = (0..nodes).map(|node| self.weight(thread, node)).collect();
        let mut before: Vec<Option<usize>> = vec![None; nodes];
        // Chains grow by one move in each pass; the best visits no node twice.
        let mut changed = true;
        for _ in 0..nodes {
            if !std::mem::take(&mut changed) {
                break;
            }
            for from in 0..nodes {
                for to in 0..nodes {
                    let Some((gained, _)) = self.moves[from][to] else { continue };
                    if gain[from] + gained > gain[to] {
                        (gain[to], before[to], changed) = (gain[from] + gained, Some(from), true);
                    }
                }
            }
        }
        let free = (0..nodes).filter(|node| self.members[*node].len() < cores);
        let Some(last) = free.max_by_key(|node| (gain[*node], std::cmp::Reverse(*node))) else { return };
        let mut to = last;
        while let Some(from) = before[to] {
            let Some((_, moved)) = self.moves[from][to] else { break };
            self.members[from].retain(|member| *member != moved);
            self.members[to].push(moved);
            self.weigh(to);
            to = from;
        }
        self.members[to].push(thread);
        self.weigh(to);
    }

    /// Updates the best moves away from a node.
    fn weigh(&mut self, from: usize) {
        for to in (0..self.counts.nodes()).filter(|to| *to != from) {
            let gain = |thread: &usize| (self.weight(*thread, to) - self.weight(*thread, from), *thread);
            self.moves[from][to] = self.members[from].iter().map(gain).max();
        }
    }
}
